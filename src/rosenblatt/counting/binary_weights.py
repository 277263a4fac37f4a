r"""Binary perceptrons from counts: influences, weights, and the clipped Hebb rule.

For inputs :math:`x_i = \pm 1`, labels :math:`g = \pm 1` and n columns,
:cite:t:`golea1993` learn the weights :math:`w_i` from estimates of

.. math:: \mathrm{Inf}(x_i) = 2 P(g = +1 | x_i = +1) - 2 P(g = +1 | x_i = -1),  \tag{1}

and the clipped Hebb rule (their eq. 11) is

.. math:: w_i = \mathrm{sgn} \sum g\, x_i, \qquad \mathrm{sgn}(0) = -1.  \tag{2}

All of this follows from how often each column is high in the examples of each class. So
it is exact and does not depend on the order of the examples, and counts of parts of the
examples can be added. Inequalities are decided in whole numbers: ``eps`` stands for the
decimal number as it is written. Ties are decided as in the printed algorithm.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from rosenblatt.bits import Counts
from rosenblatt.core.arguments import number, shown
from rosenblatt.core.schema import Array, Entries, Schema, Whole
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "INFLUENCE_WEIGHTS",
    "Signs",
    "Weights",
    "clipped_hebb_weights",
    "fraction",
    "influence_intervals",
    "influence_weights",
]

Signs = npt.NDArray[np.int8]
INFLUENCE_WEIGHTS = Schema(
    "influence-weights",
    {
        "values": Array((("columns",),), "int8", low=-1, high=1),
        "constant": Whole(low=-1, high=1),
        "neglected": Entries((int,), (str,)),
    },
)


def fraction(name: str, value: Any) -> Fraction:
    """Return the decimal number that a value between 0 and 1 is written as.

    Examples
    --------
    >>> fraction("eps", 0.3) == Fraction(3, 10)
    True
    """
    wanted = f"{name} must be a number above 0 and below 1, got {shown(value)}"
    try:
        exact = Fraction(repr(number(name, value)))
    except (TypeError, ValueError) as fault:
        raise type(fault)(wanted) from None
    if not 0 < exact < 1:
        raise ValueError(wanted)
    return exact


class Weights(NamedTuple):
    """Result of steps 2 to 6 of the algorithm."""

    values: Signs  # -1, 0 or +1 for each column; all 0 if the perceptron is constant
    constant: int  # -1 or +1 if most examples have this label, else 0
    neglected: dict[int, str]  # the columns that step 5 neglects, and why


def influence_weights(counts: Counts, eps: float) -> Weights:
    """Learn weights by steps 2 to 6 of :cite:t:`golea1993`, figure 1.

    A column that step 5 neglects has weight 0, and step 6 does not look at it.

    Parameters
    ----------
    counts
        Counts of the examples.
    eps
        The accuracy asked for, above 0 and below 1.

    Examples
    --------
    >>> counts = Counts(np.array([40, 50, 30]), np.array([10, 50, 30]), 50, 50)
    >>> found = influence_weights(counts, eps=0.1)
    >>> found.values, found.neglected
    (array([1, 0, 0], dtype=int8), {1: 'always high'})
    """
    exact = fraction("eps", eps)
    total, n = counts.total, counts.columns
    if total == 0:
        raise ValueError("counts must be of one example or more, got none")
    values = np.zeros(n, np.int8)
    if counts.positive >= (1 - exact / 4) * total:  # step 2
        return Weights(values, 1, {})
    if counts.positive <= exact / 4 * total:  # step 3
        return Weights(values, -1, {})
    fewest = exact / (4 * n)  # step 5
    gap = exact / 2 / (2 * (n + 1))  # step 6: rho / 2(n+1), and rho = eps/2 by step 4
    # integers of any size where 64 bits are too few for the products below
    largest = total**2 * max(fewest.denominator, gap.denominator)
    kind = np.int64 if largest < 2**63 else object
    high = counts.high.astype(kind)
    rare = high * fewest.denominator <= total * fewest.numerator
    common = (total - high) * fewest.denominator <= total * fewest.numerator
    # Inf = covariance / variance, see Counts.influence
    left = counts.covariance.astype(kind) * gap.denominator
    right = 2 * high * (total - high) * gap.numerator
    used = ~(rare | common).astype(bool)
    values[used & (left > right).astype(bool)] = 1
    values[used & (left < -right).astype(bool)] = -1
    return Weights(values, 0, _reasons(counts, used, fewest))


def _reasons(
    counts: Counts, used: npt.NDArray[np.bool_], fewest: Fraction
) -> dict[int, str]:
    """Say why columns are neglected."""
    found = {}
    for i in np.flatnonzero(~used).tolist():
        high = int(counts.high[i])
        for level, rows in (("high", high), ("low", counts.total - high)):
            if rows == counts.total:
                found[i] = f"always {level}"
            elif 0 < rows <= fewest * counts.total:
                found[i] = (
                    f"{level} in {rows} of {counts.total} examples, "
                    f"not above eps/4n = {float(fewest):.3g} of them"
                )
    return found


def clipped_hebb_weights(counts: Counts) -> Signs:
    """Return eq. (2).

    Examples
    --------
    >>> clipped_hebb_weights(Counts(np.array([2, 1]), np.array([0, 1]), 2, 2))
    array([ 1, -1], dtype=int8)
    """
    return np.where(counts.hebb > 0, 1, -1).astype(np.int8)


def influence_intervals(counts: Counts, delta: float) -> FloatArray:
    """Return intervals that hold all influences with confidence ``1 - delta``.

    Each of the two frequencies in eq. (1) has its exact (Clopper-Pearson) interval of
    confidence ``1 - delta / 2n``, given how often the column is high. What the sum of
    the two allows is the interval of the influence. Nothing is assumed but independent
    examples. A column that is always high or low has one frequency only.

    Parameters
    ----------
    counts
        Counts of the examples.
    delta
        The probability that one or more of the intervals miss.

    Returns
    -------
    array
        Lower and upper ends, shape ``(columns, 2)``, from -2 to 2.

    Examples
    --------
    >>> counts = Counts(np.array([400]), np.array([100]), 500, 500)
    >>> influence_intervals(counts, delta=0.05).round(2)
    array([[1.03, 1.35]])
    """
    tail = float(fraction("delta", delta)) / (4 * counts.columns)
    low, high = counts.total - counts.high, counts.high
    above = _clopper_pearson(counts.high_positive, high, tail)
    below = _clopper_pearson(counts.positive - counts.high_positive, low, tail)
    return 2 * np.stack([above[0] - below[1], above[1] - below[0]], axis=1)


def _clopper_pearson(
    hits: IntArray, trials: IntArray, tail: float
) -> tuple[FloatArray, FloatArray]:
    """Return the limits of a probability, each wrong with probability ``tail``."""
    misses = trials - hits
    with np.errstate(invalid="ignore"):  # beta functions of 0, which are not used
        lower = np.where(hits > 0, betaincinv(hits, misses + 1, tail), 0.0)
        upper = np.where(misses > 0, 1 - betaincinv(misses, hits + 1, tail), 1.0)
    return lower, upper
