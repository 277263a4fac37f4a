r"""Gradient learning: the squared error of a smooth output, batch or on-line."""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from rosenblatt.core import Activation, Clock, Rule
from rosenblatt.core.arguments import number, part, whole
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.dataset import learn, repeats
from rosenblatt.engines.gradient import Batch, batch
from rosenblatt.engines.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.estimators.online_perceptron import OnlinePerceptron, several
from rosenblatt.parts import ScheduleLike, schedule_of
from rosenblatt.rules import Delta, Logistic
from rosenblatt.schedules import Constant

__all__ = ["GradientPerceptron", "Presentation"]

Presentation = Literal["batch", "drawn", "shuffled", "fixed"]
_FLAT = 1e-3  # mean slope, relative to its largest, at which outputs are saturated


class GradientPerceptron(OnlinePerceptron):
    r"""A linear classifier that descends the squared error of a smooth output.

    The cost is the mean over examples of ``(target - f(w.x))**2 / 2``, with the targets
    of the activation for the two labels. It is an :class:`OnlinePerceptron` with the
    rule :class:`~rosenblatt.rules.Delta`, so that what is said there on clocks,
    classes, ``sample_weight``, ``partial_fit`` and failures holds here, and can learn
    from all examples at once too. A ``sample_weight`` of k is the same as k copies of
    an example in succession.

    Parameters
    ----------
    activation
        The output ``f``: ``Linear()``, ``Logistic()`` (the default) or ``Tanh()`` of
        :mod:`rosenblatt.rules`, or your own.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``,
        which is for inputs of squared length about 1. The clock counts examples per
        weight, also in ``"batch"``.
    presentation
        What a pass of ``fit`` is. ``"shuffled"``: all examples one by one, each pass in
        an order of its own; ``"fixed"``: in the order of the rows; ``"drawn"``: as many
        examples drawn at random, so that some come twice; ``"batch"``: one step along
        the gradient of the mean over all of them. ``partial_fit`` makes one pass in
        the order of the rows, or one such step.
    passes
        The most passes of ``fit``.
    tol
        ``fit`` ends when no learner's gradient of the cost is longer than this; None
        makes all passes.
    fit_intercept, random_state
        As in :class:`OnlinePerceptron`.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, t_, mistakes_
        As in :class:`OnlinePerceptron`.
    n_iter_ : int
        Passes that ``fit`` made.
    costs_ : ndarray of shape (n_iter_ + 1, 1 or n_classes)
        The cost at the start and after each pass, over all examples.
    gradients_ : ndarray of shape (n_iter_ + 1, 1 or n_classes)
        The length of its gradient.
    converged_ : bool
        Whether the last gradients were at most ``tol``, or zero without one.

    Notes
    -----
    ``fit`` warns if a cost has not fallen, and if outputs are saturated: the slope of
    ``f`` is then so small that nothing moves. Both say that the rate is too large for
    the inputs. With linear outputs a rate above 2 over the largest curvature of the
    cost diverges, which ends in an ``ArithmeticError``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import StandardScaler
    >>> from rosenblatt.estimators import GradientPerceptron
    >>> from rosenblatt.schedules import Power
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X) / X.shape[1] ** 0.5
    >>> model = GradientPerceptron(schedule=Power(scale=100, offset=10), random_state=0)
    >>> round(model.fit(X, y).score(X, y), 2)
    0.99
    """

    def __init__(
        self,
        activation: Activation | None = None,
        schedule: ScheduleLike | None = None,
        *,
        presentation: Presentation = "shuffled",
        passes: int = 20,
        tol: float | None = None,
        fit_intercept: bool = True,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.activation = activation
        self.schedule = schedule
        self.presentation = presentation
        self.passes = passes
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @property
    def rule(self) -> Rule:  # type: ignore[override]
        """The rule that examples one by one are learned with."""
        return Delta(self._activation)

    @property
    def _activation(self) -> Activation:
        given = Logistic() if self.activation is None else self.activation
        return part("activation", Activation, given)

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: Any = None
    ) -> Self:
        """Forget everything and learn from these examples."""
        passes = whole("passes", self.passes, low=1)
        tol = None if self.tol is None else number("tol", self.tol, low=0)
        data, target = self._checked(X, y)
        classes, codes = np.unique(target, return_inverse=True)
        learners = self._beginners(len(several("y", classes)), data.shape[1])
        counted = _counted(data, sample_weight)
        signs = _signs(codes, len(learners))
        random = check_random_state(self.random_state)
        seen = [self._looked(learners, data, signs, counted)]
        for _ in range(passes):
            order = self._order(counted, random)
            try:
                learners = self._taught(learners, data, codes, sample_weight, order)
            except ArithmeticError as fault:
                advice = _advice(data, self.fit_intercept)
                raise ArithmeticError(f"{fault}; {advice}") from None
            seen.append(self._looked(learners, data, signs, counted))
            if tol is not None and _lengths(seen[-1]).max() <= tol:
                break
        validate_data(self, X, skip_check_array=True)  # sets names and n_features_in_
        self.classes_, self._learners = classes, learners
        self.costs_ = np.array([one.cost for one in seen])
        self.gradients_ = np.array([_lengths(one) for one in seen])
        self.n_iter_ = len(seen) - 1
        self.converged_ = bool(self.gradients_[-1].max() <= (tol or 0.0))
        self._warn(data, seen, tol)
        return self

    def _order(
        self, counted: IntArray, random: np.random.RandomState
    ) -> IntArray | None:
        """Return the rows of one pass, repeated ones as often; None as they are."""
        if self.presentation not in ("shuffled", "drawn"):
            return None
        copies = np.repeat(np.arange(len(counted)), counted)
        if self.presentation == "drawn":
            return np.asarray(random.choice(copies, copies.size))
        return np.asarray(random.permutation(copies))

    def _taught(
        self,
        learners: list[Learner],
        data: FloatArray,
        codes: IntArray,
        sample_weight: Any,
        order: IntArray | None,
    ) -> list[Learner]:
        """Return what the learners become; they themselves stay as they are."""
        if self.presentation not in get_args(Presentation):
            raise ValueError(
                f"presentation must be one of {', '.join(get_args(Presentation))}, "
                f"got {self.presentation!r}"
            )
        schedule = schedule_of(
            Constant(1.0) if self.schedule is None else self.schedule
        )
        counted = _counted(data, sample_weight)
        signs = _signs(codes, len(learners))
        if self.presentation != "batch":
            once = np.ones(len(data))
            times = counted.astype(np.float64) if order is None else once
            return [
                learn(
                    self.rule,
                    schedule,
                    data,
                    labels,
                    learner,
                    sample_weight=times,
                    order=order,
                )
                for learner, labels in zip(learners, signs.T, strict=True)
            ]
        found = self._looked(learners, data, signs, counted)
        dim, rate, taught = learners[0].weights.size, schedule.bind(), []
        for k, learner in enumerate(learners):
            counts = learner.counts.copy()
            counts[EXAMPLES] += counted.sum()
            counts[MISTAKES] += found.mistakes[k]
            clock = Clock(counts[EXAMPLES] / dim, counts[MISTAKES] / dim, float(dim))
            weights = learner.weights - rate(clock) * found.gradient[k]
            taught.append(Learner(weights, learner.sums, counts))
        return taught

    def _looked(
        self,
        learners: list[Learner],
        data: FloatArray,
        signs: FloatArray,
        counted: IntArray,
    ) -> Batch:
        """Return cost and gradient of all learners; what is not finite is an error."""
        weights = np.stack([learner.weights for learner in learners])
        with np.errstate(all="ignore"):
            found = batch(self._activation, data, signs, weights, counted)
        if np.isfinite(found.cost).all() and np.isfinite(found.gradient).all():
            return found
        for row, column in np.argwhere(~np.isfinite(data)):
            raise ValueError(
                "X must not contain NaN or inf, "
                f"got {data[row, column]} in row {row}, column {column}"
            )
        raise ArithmeticError(
            "cost is no longer finite: the rate is too large for these inputs; "
            f"{_advice(data, self.fit_intercept)}"
        )

    def _warn(self, data: FloatArray, seen: list[Batch], tol: float | None) -> None:
        """Say what keeps the cost from falling."""
        steepest = 1.0 if not seen[0].slope.max() > 0 else float(seen[0].slope.max())
        last, advice = seen[-1], _advice(data, self.fit_intercept)
        flat = (last.slope < _FLAT * steepest) & (last.cost > 0.5 * seen[0].cost)
        message = ""
        if flat.any():
            message = f"outputs are saturated, and too flat to learn from; {advice}"
        elif (last.cost > seen[0].cost).any():
            message = f"the cost has grown in {self.n_iter_} passes; {advice}"
        elif tol is not None and not self.converged_:
            message = (
                f"the gradient is {self.gradients_[-1].max():.2g} after {self.n_iter_} "
                f"passes and not within tol = {tol:g}; make more passes"
            )
        if message:
            warnings.warn(message, ConvergenceWarning, stacklevel=3)


def _counted(data: FloatArray, sample_weight: Any) -> IntArray:
    """Return how often each example counts."""
    checked = _check_sample_weight(sample_weight, data, dtype=np.float64)
    if not checked.any():
        raise ValueError("sample_weight must not be zero for all examples")
    return repeats(checked)


def _signs(codes: IntArray, learners: int) -> FloatArray:
    """Return the labels of each learner, -1 or +1, in columns."""
    positive = np.array([1]) if learners == 1 else np.arange(learners)
    return np.where(codes[:, None] == positive, 1.0, -1.0)


def _lengths(found: Batch) -> FloatArray:
    return np.asarray(np.linalg.norm(found.gradient, axis=1))


def _advice(data: FloatArray, fit_intercept: bool) -> str:
    """Return a rate that suits these inputs, the constant one included."""
    with np.errstate(over="ignore"):
        length2 = float(np.einsum("ij,ij->i", data, data).mean()) + bool(fit_intercept)
    if math.isinf(length2):
        return "inputs are too large for any rate, scale them to squared lengths of 1"
    return (
        f"try a rate of about {1 / max(length2, 1e-300):.2g}, one over the mean squared"
        " length of the inputs"
    )
