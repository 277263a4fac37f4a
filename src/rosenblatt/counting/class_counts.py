"""Counts of the examples of each class, all that binary weights are learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bits import Bits, Counts, count
from rosenblatt.core.schema import Array, Relation, Schema
from rosenblatt.core.types import IntArray

__all__ = ["CLASS_COUNTS", "Tally", "tally"]

CLASS_COUNTS = Schema(
    "class-counts",
    {
        "high": Array((("classes", "columns"),), "int64", low=0),
        "rows": Array((("classes",),), "int64", low=0, high=2**53),
    },
    (
        Relation(
            "columns that are high in no more examples than there are",
            lambda tally, _: bool((tally.high <= tally.rows[:, None]).all()),
            values=True,
        ),
        Relation(
            "no more than 2^53 examples",
            lambda tally, _: sum(tally.rows.tolist()) <= 2**53,
            values=True,
        ),
    ),
)


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of high values of each column in the examples of each class.

    Parameters
    ----------
    high
        Shape ``(classes, columns)``.
    rows
        Number of examples of each class.

    Examples
    --------
    >>> from rosenblatt.bits import pack
    >>> found = tally(pack([[1, 0], [1, 1], [0, 1]]), np.array([0, 0, 1]), 2)
    >>> found.high.tolist(), found.rows.tolist()
    ([[2, 1], [0, 1]], [2, 1])
    >>> found.against_rest(1).influence
    array([-2.,  1.])
    """

    high: IntArray
    rows: IntArray

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(self.high + other.high, self.rows + other.rows)

    @property
    def total(self) -> int:
        """Number of examples."""
        return int(self.rows.sum())

    def against_rest(self, one: int) -> Counts:
        """Return the counts that tell one class, the positive one, from the others."""
        high, rows = self.high[one], int(self.rows[one])
        return Counts(high, self.high.sum(axis=0) - high, rows, self.total - rows)

    def exchanged(self, columns: npt.NDArray[np.bool_]) -> Tally:
        """Return the tally with high and low exchanged in some columns."""
        other = self.rows[:, None] - self.high
        return Tally(np.where(columns, other, self.high), self.rows)

    def weighed(self, factors: list[int]) -> Tally:
        """Return the tally with each class multiplied, in integers of any size."""
        if set(factors) == {1}:
            return self
        times = np.array(factors, dtype=object)
        return Tally(times[:, None] * self.high, times * self.rows)

    def placed(self, places: npt.NDArray[np.intp], classes: int) -> Tally:
        """Return the tally with its classes at these places among more."""
        high = np.zeros((classes, self.high.shape[1]), np.int64)
        rows = np.zeros(classes, np.int64)
        high[places], rows[places] = self.high, self.rows
        return Tally(high, rows)


def tally(
    bits: Bits,
    codes: npt.NDArray[Any],
    classes: int,
    sample_weight: IntArray | None = None,
) -> Tally:
    """Count the examples of each class; every row is looked at once.

    Parameters
    ----------
    bits
        The examples, one a row.
    codes
        The class of each, from 0.
    classes
        Number of classes.
    sample_weight
        How many times each row counts.
    """
    if classes == 2:
        found = count(bits, codes == 1, sample_weight)
        high = np.stack([found.high_negative, found.high_positive])
        return Tally(high, np.array([found.negative, found.positive]))
    parts = []
    for code in range(classes):
        rows = np.flatnonzero(codes == code)
        weights = None if sample_weight is None else sample_weight[rows]
        parts.append(count(bits[rows], np.ones(len(rows), bool), weights))
    return Tally(
        np.stack([part.high_positive for part in parts]),
        np.array([part.positive for part in parts]),
    )
