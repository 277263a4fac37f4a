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

**Guarantee.** By theorem 1 of :cite:t:`golea1993` a perceptron with binary weights on n
columns is learned with error at most :math:`\epsilon`, with probability :math:`1 -
\delta`, from

.. math:: m = \frac{[160\, n (n + 1)]^2}{\epsilon^4} \ln \frac{32 n}{\delta}     \tag{3}

examples, if columns are independent and labels are those of such a perceptron, without
noise. The proof asks for four precisions, each with a confidence of its own, for every
column and every threshold tried. There are 2n + 2 thresholds. The lowest needs no
estimate of its own, and the highest none at all. So all may fail with probability
:math:`\delta` in total:

==========  ===========================  =======================  ==================
about       estimate                     precision                may fail
==========  ===========================  =======================  ==================
labels      :math:`P(g = +1)`            :math:`\epsilon / 4`     :math:`\delta/2`
columns     :math:`P(x_i = +1)`          :math:`\epsilon/4n`      :math:`\delta/4n`
influences  :math:`\mathrm{Inf}(x_i)`    :math:`\epsilon/4(n+1)`  :math:`\delta/8n`
threshold   :math:`P(g = +1 | g' = +1)`  :math:`\epsilon/4`       :math:`\delta/16n`
==========  ===========================  =======================  ==================

With counts at hand, Hoeffding's inequality says which of them holds. A frequency of k
trials is within t of its probability but for :math:`2 \exp(-2 k t^2)`. An influence is
twice the difference of two frequencies, and each gets half of the allowed failures.

The threshold may be searched on other examples than the weights are learned from, or on
some of them. Theorem 1 then holds with the smaller of the two numbers, since more
examples only make the other estimates better. It is about the search that the paper
prints, and about one perceptron. Where several, each for one class against the rest,
are compared with each other, it says nothing about the class that wins.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from rosenblatt.bits import Counts
from rosenblatt.core.arguments import number, shown, whole
from rosenblatt.core.schema import Array, Entries, Schema, Whole, record
from rosenblatt.core.types import FloatArray, IntArray

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
    """Return a value between 0 and 1 as the fraction that its decimal digits mean.

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


@record(INFLUENCE_WEIGHTS)
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


def _logarithm(n: int, delta: float) -> float:
    return math.log(32 * n / fraction("delta", delta))


def required_examples(n: int, eps: float, delta: float) -> int:
    """Return eq. (3), rounded up.

    Parameters
    ----------
    n
        Number of columns.
    eps
        The accuracy asked for, above 0 and below 1.
    delta
        The probability that it may be missed, above 0 and below 1.

    Examples
    --------
    >>> f"{required_examples(3, eps=0.5, delta=0.5):.3g}"
    '3.1e+08'
    >>> f"{required_examples(50, eps=0.1, delta=0.05):.2g}"
    '1.7e+16'
    """
    n = whole("n", n, low=1)
    factor = (160 * n * (n + 1)) ** 2 / fraction("eps", eps) ** 4
    try:
        return math.ceil(float(factor) * _logarithm(n, delta))
    except OverflowError:
        raise ValueError(
            "n, eps and delta must need fewer examples than the largest float, "
            f"got n={n}, eps={eps!r} and delta={delta!r}"
        ) from None


class Statement(NamedTuple):
    """One of the four precisions."""

    about: str
    wanted: float  # the precision that eps needs
    reached: float  # the precision that the examples have
    eps: float  # the accuracy for which that would do


class Searched(NamedTuple):
    """Examples on which the threshold was searched."""

    examples: int
    positive: int  # those of them with a positive label
    printed: bool = True  # whether the search was the one that theorem 1 is about


class Guarantee(NamedTuple):
    """Guarantee that a number of examples gives.

    An accuracy of 1 or more is none: every perceptron has it.
    """

    examples: int  # m
    required: int  # eq. (3)
    eps: float  # the accuracy for which eq. (3) gives m, or ``searched`` if less
    statements: tuple[Statement, ...]  # those that the algorithm made use of
    searched: Searched | None  # None for a constant, which needs no threshold

    def __str__(self) -> str:
        worth = f"an error of {self.eps:.3g}"
        if self.eps >= 1:
            worth = f"nothing (eps = {self.eps:.3g})"
        about, wanted, reached, _ = self.binding
        verb = "is" if about == "threshold" else "are"
        text = (
            f"{self.examples} examples of {self.required:.3g} required: theorem 1 "
            f"guarantees {worth}.\nLeast precise {verb} the {about}, within "
            f"{reached:.3g} where {wanted:.3g} is wanted."
        )
        if self.searched and self.searched.examples != self.examples:
            text += f"\nThe threshold is from {self.searched.examples} examples."
        if self.searched and not self.searched.printed:
            text += (
                "\nTheorem 1 is about the printed search for the threshold, not this."
            )
        return text

    @property
    def met(self) -> bool:
        """True if there are as many examples as theorem 1 asks for, in both passes."""
        searched = self.searched.examples if self.searched else self.examples
        return min(self.examples, searched) >= self.required

    @property
    def binding(self) -> Statement:
        """The statement that allows the worst accuracy."""
        return max(self.statements, key=lambda statement: statement.eps)


def guarantee(
    counts: Counts, eps: float, delta: float, searched: Searched | None = None
) -> Guarantee:
    """Compare the number of examples with the number that theorem 1 requires.

    The precision of the threshold is that of the examples with a positive label that it
    was searched on. A perceptron with the right weights and no larger threshold is
    positive for these.

    Parameters
    ----------
    counts
        Counts of the examples.
    eps
        The accuracy asked for.
    delta
        The probability that it may be missed.
    searched
        Examples on which the threshold was searched. By default the same examples,
        searched as the paper prints it.

    Examples
    --------
    >>> counts = Counts(np.array([400, 250]), np.array([100, 250]), 500, 500)
    >>> found = guarantee(counts, eps=0.1, delta=0.05)
    >>> found.met, found.binding.about
    (False, 'influences')
    >>> print(found)
    1000 examples of 6.59e+10 required: theorem 1 guarantees nothing (eps = 9.01).
    Least precise are the influences, within 0.338 where 0.00833 is wanted.
    >>> print(guarantee(counts, eps=0.1, delta=0.05, searched=Searched(10, 4)))
    1000 examples of 6.59e+10 required: theorem 1 guarantees nothing (eps = 28.5).
    Least precise are the influences, within 0.338 where 0.00833 is wanted.
    The threshold is from 10 examples.
    """
    n, m = counts.columns, counts.total
    learned = influence_weights(counts, eps)
    on = None if learned.constant else searched or Searched(m, counts.positive)
    required = required_examples(n, eps, delta)
    logarithm, d = _logarithm(n, delta), float(delta)

    def frequency(trials: float, may_fail: float) -> float:
        if trials == 0:
            return math.inf
        return math.sqrt(math.log(2 / may_fail) / (2 * trials))

    # about, precision, and what the precision must be multiplied by to get eps
    found = [("labels", frequency(m, d / 2), 4)]
    if on is not None:
        found.append(("columns", frequency(m, d / (4 * n)), 4 * n))
        used = np.setdiff1d(np.arange(n), list(learned.neglected))
        if used.size:
            high = counts.high[used]
            # the sum is largest where one of the two levels is rarest
            rarest = int(np.minimum(high, m - high).min())
            sides = [frequency(k, d / (16 * n)) for k in (rarest, m - rarest)]
            found.append(("influences", 2 * sum(sides), 4 * (n + 1)))
        found.append(("threshold", frequency(on.positive, d / (16 * n)), 4))
    statements = tuple(
        Statement(about, eps / factor, reached, reached * factor)
        for about, reached, factor in found
    )
    fewest = m if on is None else min(m, on.examples)
    inverse = math.inf
    if fewest:
        inverse = ((160 * n * (n + 1)) ** 2 * logarithm / fewest) ** 0.25
    return Guarantee(m, required, inverse, statements, on)
