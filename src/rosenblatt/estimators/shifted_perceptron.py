r"""The perceptron that wrong labels do not lead astray, for scikit-learn."""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.core import AverageShift, Rule
from rosenblatt.estimators.bases.linear import LinearClassifier
from rosenblatt.rules import Normalised, Perceptron, Shifted
from rosenblatt.schedules import Power
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["ShiftedPerceptron"]

# Rates go on where the Hebbian start of 20 examples per weight ends, and fall as 1 / t:
# all three conditions of stochastic approximation are met.
_FALLING = Power(10.0, 1.0, offset=20.0)


@functools.lru_cache(maxsize=64)
def _rule(uniform: bool, opening: float) -> Rule:
    return Shifted(Normalised(Perceptron()), AverageShift(uniform), opening)


class ShiftedPerceptron(LinearClassifier):
    r"""A perceptron for labels that are wrong at random, whatever their share.

    The perceptron rule adds examples that are on the wrong side. Wrong labels are
    mistakes even of the best weights, and where inputs are not symmetric around the
    boundary those mistakes add up to a pull away from it: more examples do not help.
    This classifier moves along :math:`x - T` instead, with a shift T learned from all
    examples so far, which makes the pull vanish (:cite:t:`barkai1995`; see
    :class:`~rosenblatt.rules.Shifted`). It needs no guess of how many labels are wrong.

    It is :class:`OnlinePerceptron` with the rule ``Shifted(Normalised(Perceptron()))``:
    what is said there on clocks, classes, weights, ``partial_fit``, sparse data and
    failures holds here. It begins with the sum of ``label * x`` over the first
    examples, 20 for each weight, and takes small steps from there.

    Parameters
    ----------
    schedule
        The learning rate, or any function of the clock; by default
        ``Power(10, offset=20)``: it falls with the number of examples per weight, so
        that the weights come to rest. For inputs of squared length about 1.
    uniform
        Whether the shift is the same for all inputs, which is defined only where the
        labels are not balanced; otherwise it is in proportion to the field.
    opening
        Examples per weight that the start is made of.
    fit_intercept
        Whether to learn an intercept. A uniform shift learns none to speak of.
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
        How many times the last ``fit`` went through its data.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The mistakes since the start was over.

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

    def __init__(
        self,
        schedule: ScheduleLike | None = None,
        *,
        uniform: bool = False,
        opening: float = 20.0,
        fit_intercept: bool = True,
        max_iter: int = 1,
        shuffle: bool = False,
        random_state: int | np.random.RandomState | None = None,
        warm_start: bool = False,
    ) -> None:
        self.schedule = schedule
        self.uniform = uniform
        self.opening = opening
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.warm_start = warm_start

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        schedule = _FALLING if self.schedule is None else self.schedule
        return _rule(self.uniform, self.opening), schedule
