r"""Numbers of examples that a binary perceptron needs, and their guarantee.

By theorem 1 of :cite:t:`golea1993` a perceptron with binary weights on n columns is
learned with error at most :math:`\epsilon`, with probability :math:`1 - \delta`, from

.. math:: m = \frac{[160\, n (n + 1)]^2}{\epsilon^4} \ln \frac{32 n}{\delta}     \tag{1}

examples, if columns are independent and labels are those of such a perceptron, without
noise. The proof asks for four precisions, each with a confidence of its own, for every
column and every threshold tried. Of the 2n + 2 thresholds the lowest repeats the first
estimate and the highest has none. So all may fail with probability :math:`\delta` in
total:

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
twice the difference of two frequencies, each of which may fail half as often.

The threshold may be searched on other examples than the weights are learned from, or on
some of them. Theorem 1 then holds with the smaller of the two numbers, since more
examples only make the other estimates better. It is about the search that the paper
prints, and about one perceptron. Where several, each for one class against the rest,
are compared with each other, it says nothing about the class that wins.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.bits import Counts
from rosenblatt.core.arguments import whole
from rosenblatt.counting.binary_weights import fraction, influence_weights

__all__ = ["Guarantee", "Searched", "Statement", "guarantee", "required_examples"]


def _logarithm(n: int, delta: float) -> float:
    return math.log(32 * n / fraction("delta", delta))


def required_examples(n: int, eps: float, delta: float) -> int:
    """Return eq. (1), rounded up.

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
    required: int  # eq. (1)
    eps: float  # the accuracy for which eq. (1) gives m, or ``searched`` if less
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
