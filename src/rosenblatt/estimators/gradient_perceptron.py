"""Gradient descent on the squared error of a smooth output, batch or on-line."""

from __future__ import annotations

import math
import warnings
from dataclasses import KW_ONLY
from functools import partial
from typing import Any, Literal, Self, get_args

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.core import Activation, Clock, Rule
from rosenblatt.core.arguments import choice, either, flag, instance, number
from rosenblatt.core.schema import Array, Flag
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators import base, inputs
from rosenblatt.estimators.online_perceptron import (
    PASSES,
    LinearClassifier,
    linear_state,
)
from rosenblatt.linear.errors import check
from rosenblatt.linear.gradient import Batch, batch
from rosenblatt.linear.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.linear.learning import AS_GIVEN, Order
from rosenblatt.rules import Delta, Logistic
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike, schedule_of

Presentation = Literal["batch", "drawn", "shuffled", "fixed"]
_MOST_ENTRIES = 2**28  # of an order, 4 GB with its weights
_FLAT = 1e-3  # mean slope, relative to its largest, at which outputs are saturated


@base.with_parameters
class GradientPerceptron(LinearClassifier):
    r"""A linear classifier that learns by gradient descent on a squared error.

    The cost is the mean over examples of ``(target - f(w.x))**2 / 2``, with the targets
    of the activation for the two labels. Learning from one example at a time is that of
    :class:`OnlinePerceptron` with the rule :class:`~rosenblatt.rules.Delta`: clocks,
    classes, ``sample_weight``, ``partial_fit``, precision and errors are the same. It
    can also learn from all examples at once. A ``sample_weight`` of k is the same as k
    copies of an example, in succession if the order of the rows is kept.

    Parameters
    ----------
    activation
        The output ``f``: ``Linear()``, ``Logistic()`` (the default) or ``Tanh()`` of
        :mod:`rosenblatt.rules`, or your own.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``,
        for inputs of squared length about 1. The clock counts examples per weight, also
        in ``"batch"``.
    presentation
        The examples of one pass of ``fit``. ``"shuffled"``: all examples one by one, in
        a new order each pass. ``"fixed"``: in the order of the rows. ``"drawn"``: as
        many examples drawn at random with replacement. ``"batch"``: one step along the
        gradient of the mean over all of them. ``partial_fit`` makes one pass in the
        order of the rows, or one such step.
    max_iter
        The largest number of passes of ``fit``.
    tol
        ``fit`` ends when the gradient of every model is at most this long. None: make
        all passes.
    fit_intercept, random_state, warm_start
        As in :class:`OnlinePerceptron`.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, t_, mistakes_
        As in :class:`OnlinePerceptron`.
    n_iter_ : int
        The number of passes of the last ``fit``.
    costs_ : ndarray of shape (passes + 1, 1 or n_classes)
        The cost at the start and after each pass, over all examples.
    gradients_ : ndarray of shape (passes + 1, 1 or n_classes)
        The length of its gradient.
    converged_ : bool
        Whether the last gradients were at most ``tol``, or zero without one.

    Notes
    -----
    ``fit`` warns if a cost has not fallen, and if outputs are saturated, where the
    slope of ``f`` is too small to learn from. In both cases the rate is too large for
    the inputs. The result then depends on rounding. With a suitable rate, rows in
    single and in double precision give weights that agree to about 1e-5 of the largest
    weight. With linear outputs a rate above 2 over the largest curvature of the cost
    diverges, which raises an ``ArithmeticError``.

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

    _state = linear_state(
        "GradientPerceptron",
        costs_=Array((("passes", "models"),)),
        gradients_=Array((("passes", "models"),)),
        converged_=Flag(),
    )
    activation: Activation | None = base.parameter(
        either(None, instance(Activation)), default=None
    )
    schedule: ScheduleLike | None = base.parameter(SCHEDULE, default=None)
    _: KW_ONLY
    presentation: Presentation = base.parameter(
        choice(*get_args(Presentation)), default="shuffled"
    )
    max_iter: int = base.parameter(PASSES, default=20)
    tol: float | None = base.parameter(
        either(None, partial(number, low=0.0)), default=None
    )
    fit_intercept: bool = base.parameter(flag, default=True)
    random_state: int | np.random.RandomState | None = base.parameter(
        inputs.checked_random_state, default=None
    )
    warm_start: bool = base.parameter(flag, default=False)

    @property
    def _one_by_one(self) -> bool:  # type: ignore[override]
        return self.presentation != "batch"

    @property
    def _activation(self) -> Activation:
        return Logistic() if self.activation is None else self.activation

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule for single examples, and the schedule."""
        return Delta(self._activation), self._schedule()

    @base.learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        given = base.checked_parameters(self)
        passes, tol = given["max_iter"], given["tol"]
        classes, learner, rows = self._start(X, y, sample_weight)
        seen = [self._evaluate(learner, rows)]
        with inputs.drawing(given["random_state"]) as random:
            for _ in range(passes):
                try:
                    order = self._order(rows, random)
                    learner = self._learn(learner, rows, order)
                except ArithmeticError as fault:
                    advice = _advice(rows.table, self.fit_intercept)
                    raise ArithmeticError(f"{fault}; {advice}") from None
                seen.append(self._evaluate(learner, rows))
                if tol is not None and _lengths(seen[-1]).max() <= tol:
                    break
        self._replace_model(X, classes, learner)
        self.costs_ = np.array([one.cost for one in seen])
        self.gradients_ = np.array([_lengths(one) for one in seen])
        self.n_iter_ = len(seen) - 1
        self.converged_ = bool(self.gradients_[-1].max() <= (tol or 0.0))
        self._warn(rows.table, seen, tol)
        return self

    def _order(self, rows: inputs.Examples, random: np.random.RandomState) -> Order:
        """Return the order of one pass; copies of a row are single entries."""
        if self.presentation not in ("shuffled", "drawn"):
            return AS_GIVEN
        weights = _weights_of(rows)
        times = np.ceil(weights).astype(np.int64)
        if times.sum() > _MOST_ENTRIES:
            raise ValueError(
                f"sample_weight must have a sum of at most {_MOST_ENTRIES} with "
                f"presentation={self.presentation!r}, got {weights.sum():g}"
            )
        copies = np.repeat(np.arange(weights.size), times)
        each = np.ones(copies.size)
        each[np.cumsum(times)[times > 0] - 1] -= (times - weights)[times > 0]
        if self.presentation == "shuffled":
            chosen = random.permutation(copies.size)
            return Order(copies[chosen], each[chosen])
        chances = None if (each == 1.0).all() else each / each.sum()
        size = max(round(float(each.sum())), 1)
        return Order(random.choice(copies, size, p=chances), np.ones(size))

    def _learn(
        self, learner: Learner, rows: inputs.Examples, order: Order = AS_GIVEN
    ) -> Learner:
        """Return the learner after one pass; the one given stays as it is."""
        if self.presentation != "batch":
            return super()._learn(learner, rows, order)
        rate = schedule_of(self._schedule()).bind()
        found = self._evaluate(learner, rows)
        dim = learner.weights.shape[1]
        counts = learner.counts.copy()
        counts[:, EXAMPLES] += _weights_of(rows).sum()
        counts[:, MISTAKES] += found.mistakes
        rates = [
            rate(Clock(count[EXAMPLES] / dim, count[MISTAKES] / dim, float(dim)))
            for count in counts
        ]
        weights = learner.weights - np.array(rates)[:, None] * found.gradient
        return Learner(weights, learner.sums, counts)

    def _evaluate(self, learner: Learner, rows: inputs.Examples) -> Batch:
        """Return cost and gradient of all models; raise an error if not finite."""
        data, weights = rows.table, _weights_of(rows)
        if not weights.any():
            raise ValueError("sample_weight must not be zero for all examples")
        signs = _signs(rows.target, len(learner.weights))
        with np.errstate(all="ignore"):
            found = batch(self._activation, data, signs, learner.weights, weights)
        if np.isfinite(found.cost).all() and np.isfinite(found.gradient).all():
            return found
        check(data)
        raise ArithmeticError(
            "cost is no longer finite: the rate is too large for these inputs; "
            f"{_advice(data, self.fit_intercept)}"
        )

    def _warn(self, data: Any, seen: list[Batch], tol: float | None) -> None:
        """Warn if the cost has not fallen, with the likely reason."""
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
            warnings.warn(message, ConvergenceWarning, stacklevel=4)


def _weights_of(rows: inputs.Examples) -> FloatArray:
    """Return the weight of each example."""
    if rows.weights is None:
        return np.ones(rows.table.shape[0])
    weights: FloatArray = rows.weights
    return weights


def _signs(codes: IntArray, learners: int) -> FloatArray:
    """Return the labels of each learner, -1 or +1, in columns."""
    positive = np.array([1]) if learners == 1 else np.arange(learners)
    return np.where(codes[:, None] == positive, 1.0, -1.0)


def _lengths(found: Batch) -> FloatArray:
    return np.asarray(np.linalg.norm(found.gradient, axis=1))


def _advice(data: Any, fit_intercept: bool) -> str:
    """Return a rate that suits these inputs, the constant one included."""
    with np.errstate(over="ignore"):
        plain = isinstance(data, np.ndarray)
        squares = np.square(data) if plain else data.multiply(data)
        length2 = float(squares.sum()) / data.shape[0] + bool(fit_intercept)
    if math.isinf(length2):
        return "inputs are too large for any rate, scale them to squared lengths of 1"
    return (
        f"try a rate of about {1 / max(length2, 1e-300):.2g}, one over the mean squared"
        " length of the inputs"
    )
