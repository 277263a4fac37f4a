r"""Counts of high columns, and the influences that follow from them.

For inputs :math:`x_i = \pm 1` and labels :math:`y = \pm 1` of m examples these are the
sums of the clipped Hebb rule, :math:`\sum y x_i`, and the influences of
:cite:t:`golea1993`,

.. math:: \mathrm{Inf}(x_i) = 2\, \mathrm{Cov}(y, x_i) / \mathrm{Var}(x_i).  \tag{1}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Counts"]

_SQUARES = 2**31  # from so many examples on, products of counts need more than 64 bits


@dataclass(frozen=True, eq=False)
class Counts:
    """The number of positive and negative examples in which each column is high.

    ``a + b`` merges: the counts of two sets of examples are added. So examples may be
    counted in pieces, on threads or machines, in any order.

    Parameters
    ----------
    high_positive, high_negative
        For each column, the positive and the negative examples in which it is high.
    positive, negative
        Number of positive and of negative examples.

    Examples
    --------
    >>> found = Counts(np.array([2, 0]), np.array([0, 1]), positive=2, negative=1)
    >>> found.hebb, found.influence
    (array([ 3, -3]), array([ 2., -2.]))
    >>> (found + found).high
    array([4, 2])
    """

    high_positive: IntArray
    high_negative: IntArray
    positive: int
    negative: int

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.columns != other.columns:
            raise ValueError(
                f"counts to add must have the same number of columns, "
                f"got {self.columns} and {other.columns}"
            )
        return Counts(
            self.high_positive + other.high_positive,
            self.high_negative + other.high_negative,
            self.positive + other.positive,
            self.negative + other.negative,
        )

    def times(self, factor: int) -> Counts:
        """Return the counts of this many copies of all examples."""
        return Counts(
            self.high_positive * factor,
            self.high_negative * factor,
            self.positive * factor,
            self.negative * factor,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (self.positive, self.negative) == (other.positive, other.negative) and (
            np.array_equal(self.high_positive, other.high_positive)
            and np.array_equal(self.high_negative, other.high_negative)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.high_positive.size

    @property
    def total(self) -> int:
        """Number of examples, m."""
        return self.positive + self.negative

    @property
    def high(self) -> IntArray:
        """Examples in which each column is high."""
        return self.high_positive + self.high_negative

    @property
    def hebb(self) -> IntArray:
        r"""The sum of :math:`y x_i` over all examples."""
        agreeing = 2 * (self.high_positive - self.high_negative)
        return agreeing - (self.positive - self.negative)

    @property
    def covariance(self) -> npt.NDArray[Any]:
        r""":math:`m \sum y x_i - \sum y \sum x_i`, exact; its sign is the influence's.

        Integers of any size (an array of objects) where 64 bits are too few.
        """
        hebb, total = self._large(self.hebb), 2 * self._large(self.high) - self.total
        label = self.positive - self.negative
        return np.asarray(self.total * hebb - label * total)

    def _large(self, counts: IntArray) -> npt.NDArray[Any]:
        return counts if self.total < _SQUARES else counts.astype(object)

    @property
    def influence(self) -> FloatArray:
        """Eq. (1) for each column; NaN for one that has one level only."""
        high = self._large(self.high)
        # Var(x) = 4 p (1 - p) with p = high / m
        variance = 2 * high * (self.total - high)
        found = np.full(self.columns, np.nan)
        changing = np.asarray(variance > 0, dtype=bool)
        found[changing] = self.covariance[changing] / variance[changing]
        return found
