"""A learner that goes through a data set, one example at a time."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import rosenblatt as rb
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.data.points import Points
from rosenblatt.separation.separability import Separability, separability

__all__ = ["LEARNERS", "LearningRun", "compile_all"]

_PASSES = 20  # that the perceptron rule may take for its number of mistakes

# Fixed parameters: each value is compiled once and kept for good.
LEARNERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "perceptron": (
        "OnlinePerceptron(Perceptron())",
        lambda: rb.OnlinePerceptron(rb.rules.Perceptron()),
    ),
    "margin": (
        "OnlinePerceptron(Perceptron(margin=1.0))",
        lambda: rb.OnlinePerceptron(rb.rules.Perceptron(margin=1.0)),
    ),
    "passive-aggressive": (
        "OnlinePerceptron(PassiveAggressive())",
        lambda: rb.OnlinePerceptron(rb.rules.PassiveAggressive()),
    ),
    "hebb": (
        "OnlinePerceptron(Hebb())",
        lambda: rb.OnlinePerceptron(rb.rules.Hebb()),
    ),
    "falling": (
        "OnlinePerceptron(Perceptron(), Power())",
        lambda: rb.OnlinePerceptron(rb.rules.Perceptron(), rb.schedules.Power()),
    ),
    "slowly-falling": (
        "OnlinePerceptron(Perceptron(), Power(1.0, 0.51))",
        lambda: rb.OnlinePerceptron(
            rb.rules.Perceptron(), rb.schedules.Power(1.0, 0.51)
        ),
    ),
    "per-mistake": (
        "OnlinePerceptron(Perceptron(), PerMistake())",
        lambda: rb.OnlinePerceptron(rb.rules.Perceptron(), rb.schedules.PerMistake()),
    ),
    "gradient": ("GradientPerceptron()", rb.GradientPerceptron),
    "bayes": (
        'BayesPerceptron(covariance="full")',
        lambda: rb.BayesPerceptron(covariance="full"),
    ),
    "bayes-spherical": (
        'BayesPerceptron(covariance="spherical")',
        lambda: rb.BayesPerceptron(covariance="spherical"),
    ),
    "binary-bayes": ("BinaryBayesPerceptron()", rb.BinaryBayesPerceptron),
}


class LearningRun:
    """A learner, a data set in some order, and counts so far.

    Examples
    --------
    >>> from rosenblatt.lab.data.points import bundled
    >>> run = LearningRun(bundled("iris"), "perceptron", order=0)
    >>> run.step(200)
    >>> run.seen, run.wrong
    (200, 0)
    """

    def __init__(self, points: Points, learner: str, order: int) -> None:
        if learner not in LEARNERS:
            raise ValueError(
                f"learner must be one of {', '.join(LEARNERS)}, got {learner!r}"
            )
        self.points = points
        self._rng = np.random.default_rng(order)
        self._left: list[int] = []
        self.model = LEARNERS[learner][1]()
        self.seen = self.mistakes = 0
        self.last: int | None = None  # the row that was learned last
        two = len(np.unique(points.y)) == 2
        self.separable: Separability | None = (
            separability(points.X, points.y, passes=_PASSES) if two else None
        )

    def step(self, count: int = 1) -> None:
        """Learn the next examples; each pass through the data has a new order."""
        if len(self.points.y) == 0:
            return
        for _ in range(count):
            if not self._left:
                self._left = self._rng.permutation(len(self.points.y)).tolist()
            row = self._left.pop()
            x, y = self.points.X[[row]], self.points.y[[row]]
            if self.seen == 0 or self._fields(x)[0] * (2 * y[0] - 1) <= 0:
                self.mistakes += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # advice about whole data sets
                self.model.partial_fit(x, y, classes=[0, 1])
            self.seen, self.last = self.seen + 1, row

    def _fields(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.model.decision_function(X))

    @property
    def wrong(self) -> int:
        """Number of points on the wrong side of the boundary, or on it."""
        if self.seen == 0:
            return len(self.points.y)
        signs = 2 * self.points.y - 1
        return int((self._fields(self.points.X) * signs <= 0).sum())

    @property
    def margin(self) -> float | None:
        """The smallest distance from the boundary, negative on its wrong side."""
        found = self.boundary
        if found is None or not len(self.points.y):
            return None
        weights, intercept = found
        signs = 2 * self.points.y - 1
        distances = signs * (self.points.X @ weights + intercept)
        return float(distances.min())

    @property
    def boundary(self) -> tuple[FloatArray, float] | None:
        """A unit vector and an intercept; none if there is no boundary yet.

        All learners are linear, so three values of the field tell all about it.
        """
        if self.seen == 0:
            return None
        corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        zero, *others = self._linear(corners)
        weights = np.array(others) - zero
        length = float(np.linalg.norm(weights))
        return (weights / length, float(zero) / length) if length > 0 else None

    def _linear(self, X: FloatArray) -> FloatArray:
        """Return a linear function with the sign of the field."""
        coef, intercept = np.ravel(self.model.coef_), np.ravel(self.model.intercept_)
        return np.asarray(X @ coef + intercept[0])

    def confidence(self, X: FloatArray) -> FloatArray:
        """Return the probability of class 1, or a similar number from 0 to 1."""
        if self.seen == 0:
            return np.full(len(X), 0.5)
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(X)[:, 1])
        fields = self._fields(X)
        scale = float(np.abs(fields).mean()) or 1.0
        return np.asarray(0.5 + 0.5 * np.tanh(fields / scale))


def compile_all() -> None:
    """Use every learner once, so that all its code is compiled."""
    points = Points(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]))
    for name in LEARNERS:
        run = LearningRun(points, name, order=0)
        run.step(2)
        run.confidence(points.X)
