r"""Perceptrons with binary weights and independent inputs: exact, at finite n.

:math:`g(x) = +1` where :math:`\sum_i w_i x_i > \theta` and -1 elsewhere, with
:math:`w_i \in \{-1, 0, +1\}` and independent :math:`x_i = \pm1`, which are +1 with
probability :math:`P_i`. The influence of a variable (:cite:t:`golea1993`, eq. 2) is

.. math::
    \mathrm{Inf}_i = E[g | x_i = 1] - E[g | x_i = -1]
        = 2 w_i\, P\left(\sum_{j \ne i} w_j x_j \in
            \{\theta, \theta + 1\}\right),   \tag{1}

where parity leaves one of the two values, and what the clipped Hebb rule looks at is

.. math::
    E[g x_i] = E[g]\, E[x_i] + \tfrac12 \mathrm{Var}(x_i)\, \mathrm{Inf}_i,   \tag{2}

of which the first term has nothing to do with the weight. Laws of sums are convolutions
of all-positive terms, so small probabilities keep their digits; with :math:`n`
variables that takes :math:`O(n^2)` operations.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import lazy_loader
import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, direct

from rosenblatt.core.arguments import number, shown, whole
from rosenblatt.core.types import FloatArray

# Loaded when it is used: its import takes as long as everything else together.
stats: Any = lazy_loader.load("scipy.stats", suppress_warning=True)

__all__ = ["Influences", "disagreement", "influences", "malicious"]

# Of the search: where the others decide (in units of their standard deviation, about),
# and how often it may look; both decide only how close to the best law it comes.
_WIDTH = 2.0
_EFFORT = 1000


class Influences(NamedTuple):
    """Influences of the inputs on a target's labels, one number per input."""

    positive: float  # P(g = +1)
    influence: FloatArray  # eq. (1)
    correlation: FloatArray  # E[g x], eq. (2)


def _law(weights: npt.ArrayLike, chances: npt.ArrayLike) -> tuple[FloatArray, ...]:
    """Return weights and the probabilities of w x = +1, checked."""
    w = np.asarray(weights, dtype=np.float64)
    p = np.asarray(chances, dtype=np.float64)
    if w.ndim != 1 or w.size == 0 or not np.isin(w, (-1, 0, 1)).all():
        raise ValueError(
            f"weights must be one or more of -1, 0 and 1, got {shown(weights)}"
        )
    if p.ndim == 0:
        p = np.full_like(w, p)
    if p.shape != w.shape or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(
            "chances must be a probability, or one for each weight, from 0 to 1, "
            f"got {shown(chances)}"
        )
    return w, np.where(w < 0, 1 - p, p)


def _sums(chances: FloatArray) -> list[FloatArray]:
    """Return the laws of how many of the first 0, 1, 2, ... are positive."""
    laws = [np.ones(1)]
    for p in chances:
        law = np.zeros(laws[-1].size + 1)
        law[:-1] = (1 - p) * laws[-1]
        law[1:] += p * laws[-1]
        laws.append(law)
    return laws


def influences(
    weights: npt.ArrayLike, threshold: float = 0.0, chances: npt.ArrayLike = 0.5
) -> Influences:
    """Return P(g = +1), the influences and the correlations, exact.

    Parameters
    ----------
    weights
        Each -1, 0 or 1.
    threshold
        The field must be above it for a label +1.
    chances
        Probability that an input is +1, the same for all or one for each.

    Examples
    --------
    >>> found = influences([1, 1, 1], chances=[0.1, 0.9, 0.9])
    >>> found.influence.round(4), found.correlation.round(4)
    (array([0.36, 1.64, 1.64]), array([-0.46,  0.82,  0.82]))
    """
    w, p = _law(weights, chances)
    threshold = number("threshold", threshold)
    used = np.flatnonzero(w)
    before, after = _sums(p[used]), _sums(p[used[::-1]])[::-1]
    size, floor = used.size, int(np.floor(threshold))
    ones = np.arange(size + 1)
    positive = float(before[-1][2 * ones - size > threshold].sum())
    influence = np.zeros(w.size)
    # the one of floor and floor + 1 that size - 1 signs can add up to
    pivot = (floor + (floor + size - 1) % 2 + size - 1) // 2  # ones it takes
    for k, i in enumerate(used):
        left, right = before[k], after[k + 1]
        mine = np.arange(max(0, pivot - right.size + 1), min(left.size, pivot + 1))
        influence[i] = 2 * w[i] * float(left[mine] @ right[pivot - mine])
    mean = 2 * np.broadcast_to(np.asarray(chances, dtype=np.float64), w.shape) - 1
    correlation = (2 * positive - 1) * mean + (1 - mean**2) / 2 * influence
    return Influences(positive, influence, correlation)


def disagreement(
    target: npt.ArrayLike,
    student: npt.ArrayLike,
    threshold: float = 0.0,
    student_threshold: float = 0.0,
    chances: npt.ArrayLike = 0.5,
) -> float:
    """Return the probability that two perceptrons differ, exact.

    Parameters
    ----------
    target, student
        Their weights, each -1, 0 or 1.
    threshold, student_threshold
        Infinite ones make a constant.
    chances
        Probability that an input is +1, the same for all or one for each.

    Examples
    --------
    >>> round(disagreement([1, 1, 1], [-1, 1, 1], chances=[0.1, 0.9, 0.9]), 12)
    0.18
    """
    w, p = _law(target, chances)
    v, own = _law(student, chances)
    if v.shape != w.shape:
        raise ValueError(f"student must have {w.size} weights, got {v.size}")
    for name, value in (
        ("threshold", threshold),
        ("student_threshold", student_threshold),
    ):
        if math.isnan(value):
            raise ValueError(f"{name} must be a number, got {value}")
    # Four independent sums: in both fields, with opposite signs, in one of them only.
    groups = (
        p[(w * v) == 1],
        p[(w * v) == -1],
        p[(w != 0) & (v == 0)],
        own[(w == 0) & (v != 0)],
    )
    laws = [_sums(group)[-1] for group in groups]
    a, b, c, d = (2 * np.arange(law.size) - law.size + 1 for law in laws)
    both, opposite = a[:, None] + b, a[:, None] - b
    above = np.append(np.cumsum(laws[2][::-1])[::-1], 0.0)  # P(C >= c), then nothing
    student_above = np.append(np.cumsum(laws[3][::-1])[::-1], 0.0)
    first = above[np.searchsorted(c, threshold - both, side="right")]
    second = student_above[
        np.searchsorted(d, student_threshold - opposite, side="right")
    ]
    differ = first * (1 - second) + (1 - first) * second
    return float(laws[0] @ differ @ laws[1])


def malicious(dim: int, threshold: float = 0.0, *, least: float = 0.1) -> FloatArray:
    r"""Find chances with which the clipped Hebb rule gets the first weight wrong.

    The target has all weights +1; for others, take ``1 - chances`` where a weight is
    -1. With :math:`E[g x_1] < 0` the clipped Hebb rule settles on -1, with
    :math:`\mathrm{Cov}(g, x_1) > 0` the influence on +1. Both are means of a sign. The
    smaller of their absolute values determines the number of examples that show which
    rule is right. It is made as large as possible, among the laws with one chance for
    the first input and one for all others.

    Parameters
    ----------
    dim
        n, at least 2.
    threshold
        Threshold of the target.
    least
        All chances stay between this and one minus this.

    Examples
    --------
    >>> chances = malicious(3)
    >>> found = influences([1, 1, 1], chances=chances)
    >>> bool(found.correlation[0] < -0.07), bool(found.influence[0] > 0.2)
    (True, True)
    """
    n = whole("dim", dim, low=2)
    threshold = number("threshold", threshold, low=-n, high=n - 1)
    least = number("least", least, above=0, high=0.5)

    def contrast(pair: FloatArray) -> float:
        first, rest = pair
        # ones that the others need if the first input is +1, and if it is -1
        need = np.floor((threshold + n - 1 + np.array([-1, 1])) / 2)
        up, down = 2 * stats.binom.sf(need, n - 1, rest) - 1  # E[g | x_1]
        correlation = first * up - (1 - first) * down
        return float(-min(-correlation, 2 * first * (1 - first) * (up - down)))

    middle, width = (1 + threshold / n) / 2, _WIDTH / math.sqrt(n)
    low, high = np.clip([middle - width, middle + width], least, 1 - least)
    limits = Bounds(np.array([least, low]), np.array([1 - least, high]))
    best = direct(contrast, limits, maxfun=_EFFORT)
    if not best.fun < 0:
        raise ArithmeticError(
            f"no law was found for dim = {n}, threshold = {threshold}, least = {least}"
        )
    first, rest = best.x
    return np.append(first, np.full(n - 1, rest))
