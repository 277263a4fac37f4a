"""A perceptron for labels that are wrong at random, for scikit-learn."""

from __future__ import annotations

import functools
from dataclasses import KW_ONLY

import numpy as np

from rosenblatt.core import AverageShift, Rule
from rosenblatt.core.arguments import flag, number
from rosenblatt.estimators.bases.linear import PASSES, LinearClassifier
from rosenblatt.estimators.bases.parameters import parameter, with_parameters
from rosenblatt.estimators.inputs.random_state import checked_random_state
from rosenblatt.rules import Normalised, Perceptron, Shifted
from rosenblatt.schedules import Power
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike

__all__ = ["ShiftedPerceptron"]

# Rates go on where the Hebbian start of 20 examples per weight ends, and fall as 1 / t:
# all three conditions of stochastic approximation are met.
_FALLING = Power(10.0, 1.0, offset=20.0)
_OPENING = functools.partial(number, low=0.0)  # its check


@functools.lru_cache(maxsize=64)
def _rule(uniform: bool, opening: float) -> Rule:
    return Shifted(Normalised(Perceptron()), AverageShift(uniform), opening)


@with_parameters
class ShiftedPerceptron(LinearClassifier):
    r"""A perceptron for data in which some labels are wrong at random.

    The perceptron rule adds misclassified examples. Wrong labels are mistakes even of
    the best weights. If the inputs are not symmetric around the boundary, these
    mistakes add up and move the weights away from it; more examples do not help.
    This classifier moves along :math:`x - T` instead. The shift T is learned from all
    examples so far and cancels this bias (:cite:t:`barkai1995`; see
    :class:`~rosenblatt.rules.Shifted`). The share of wrong labels need not be known.

    It is :class:`OnlinePerceptron` with the rule ``Shifted(Normalised(Perceptron()))``
    and shares its clocks, classes, weights, ``partial_fit``, sparse data and errors. It
    starts with the sum of ``label * x`` over the first 20 examples per weight, and
    takes small steps from there.

    Parameters
    ----------
    schedule
        The learning rate, or any function of the clock; by default
        ``Power(10, offset=20)``, for inputs of squared length about 1. It falls with
        the number of examples per weight, so that the weights converge.
    uniform
        Whether the shift is the same for all inputs, which needs labels that are not
        balanced. Otherwise the shift is proportional to the field.
    opening
        The number of examples per weight that the start sums over.
    fit_intercept
        Whether to learn an intercept. With a uniform shift it stays near zero.
    max_iter, shuffle, random_state, warm_start
        As in :class:`OnlinePerceptron`.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights; with the intercept, their squared length is their number.
    intercept_ : ndarray of shape (1 or n_classes,)
        The intercepts, zero without ``fit_intercept``.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes of the last ``fit``.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of mistakes after the start.

    Examples
    --------
    Inputs that are not symmetric around the boundary, and one label in five wrong:

    >>> import numpy as np
    >>> import rosenblatt as rb
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((20_000, 10)) / 10**0.5
    >>> X[:, 1] += X[:, 0] > 0.4
    >>> right = X[:, 0] > 0
    >>> y = right ^ (rng.random(20_000) < 0.2)
    >>> round(rb.ShiftedPerceptron().fit(X, y).score(X, right), 2)
    0.99
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> plain = rb.OnlinePerceptron(rule, rb.schedules.Power(10, offset=20))
    >>> round(plain.fit(X, y).score(X, right), 2)
    0.91
    """

    schedule: ScheduleLike | None = parameter(SCHEDULE, default=None)
    _: KW_ONLY
    uniform: bool = parameter(flag, default=False)
    opening: float = parameter(_OPENING, default=20.0)
    fit_intercept: bool = parameter(flag, default=True)
    max_iter: int = parameter(PASSES, default=1)
    shuffle: bool = parameter(flag, default=False)
    random_state: int | np.random.RandomState | None = parameter(
        checked_random_state, default=None
    )
    warm_start: bool = parameter(flag, default=False)

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        schedule = _FALLING if self.schedule is None else self.schedule
        uniform = flag("uniform", self.uniform)  # single rows have no other check
        return _rule(uniform, _OPENING("opening", self.opening)), schedule
