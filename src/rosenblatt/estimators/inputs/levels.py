"""Conversion of columns of numbers to two levels.

A column with two values is high where it has the larger one. A column with one value v
so far is high if v is above 0. This suits tables of 0 and 1 and of -1 and 1. When a
second value comes, and v turns out to be the other level, what has been counted is
exchanged. So levels do not depend on the order in which examples come.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from rosenblatt.bits import Bits
from rosenblatt.bits.packing import packed
from rosenblatt.core.arguments import either, number
from rosenblatt.core.schema import Array, Relation, Schema
from rosenblatt.core.types import FloatArray

__all__ = ["BINARISE", "LEVELS", "Binarise", "Levels", "find_levels"]

Binarise = str | float | None
BINARISE = either("auto", either(None, number))  # its check
BoolArray = npt.NDArray[np.bool_]
LEVELS = Schema(
    "levels",
    {
        "low": Array((("columns",),)),
        "high": Array((("columns",),)),
        "cut": Array((("columns",),), gaps=True),
    },
    (
        Relation(
            "low values at most as large as high ones",
            lambda levels, _: bool((levels.low <= levels.high).all()),
            values=True,
        ),
    ),
)
_ENTRIES = 2**20  # that are compared at a time


def _blocks(table: Any) -> Iterator[npt.NDArray[Any]]:
    """Yield blocks of rows of a table, sparse rows as dense ones."""
    rows = max(1, _ENTRIES // max(1, table.shape[1]))
    for first in range(0, table.shape[0], rows):
        block: Any = table[first : first + rows]
        block = block.toarray() if sparse.issparse(table) else np.asarray(block)
        yield block.view(np.int8) if block.dtype == bool else block


def _ends(table: Any) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest value of each column."""
    ends = [table.min(axis=0), table.max(axis=0)]
    if sparse.issparse(table):
        ends = [end.toarray() for end in ends]
    low, high = (np.asarray(end, dtype=np.float64).ravel() for end in ends)
    return low, high


def _alike(values: FloatArray, block: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert values to the type of a block if that is exact, for fast comparisons."""
    with np.errstate(invalid="ignore"):
        cast = values.astype(block.dtype)
    return cast if np.array_equal(cast, values) else values


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of each column, as far as they are known.

    Parameters
    ----------
    low, high
        The smallest and the largest value seen.
    cut
        Where a column is high only above this value; NaN if it must have two levels.
    """

    low: FloatArray
    high: FloatArray
    cut: FloatArray

    @property
    def two(self) -> BoolArray:
        """Columns of which both levels are known, and no others are allowed."""
        return np.asarray(np.isnan(self.cut) & (self.low < self.high))

    @property
    def single(self) -> BoolArray:
        """Columns of which one level is known."""
        return np.asarray(np.isnan(self.cut) & (self.low == self.high))

    def others(self, block: npt.NDArray[Any]) -> BoolArray:
        """Return a mask of entries between the smallest and the largest value."""
        low, high = _alike(self.low, block), _alike(self.high, block)
        return np.asarray((block != low) & (block != high))

    def takes(self, table: Any) -> BoolArray:
        """Return a mask of the rows that can be encoded."""
        two = self.two
        wrong = [(self.others(block) & two).any(axis=1) for block in _blocks(table)]
        return ~np.concatenate([np.zeros(0, np.bool_), *wrong])

    def encode(self, table: Any) -> Bits:
        """Return a table as bits.

        In a column of one known level every other value is the other level.
        """
        edge = np.where(np.isnan(self.cut), self.low, self.cut)
        two, single, high_alone = self.two, self.single, self.low > 0
        words = []
        for block in _blocks(table):
            wrong = (self.others(block) & two).any(axis=0)
            for column in np.flatnonzero(wrong)[:1].tolist():
                raise ValueError(self._message(column, block[:, column]))
            high = block > _alike(edge, block)
            if single.any():
                same = block[:, single] == self.low[single]
                high[:, single] = same == high_alone[single]
            words.append(packed(high))
        return Bits.trusted(np.concatenate(words), table.shape[1])

    def _message(self, column: int, values: npt.NDArray[Any]) -> str:
        known = [float(self.low[column]), float(self.high[column])]
        other = float(np.setdiff1d(values, known)[0])
        return (
            f"X must have two levels in each column, got {other:g} in column {column} "
            f"beside {known[0]:g} and {known[1]:g}; binarise=t makes entries above t "
            "high"
        )

    def merged(self, other: Levels) -> Levels:
        """Return the levels of two sets of examples together."""
        if not np.array_equal(self.cut, other.cut, equal_nan=True):
            raise ValueError(
                "both models must have cut columns at the same values; binarise=t "
                "cuts all columns at t"
            )
        ends = ((self.low, other.low), (self.high, other.high))
        if all(np.array_equal(mine, its) for mine, its in ends):
            return self
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        both = Levels(low, high, self.cut)
        values = np.stack([self.low, self.high, other.low, other.high])
        wrong = (both.others(values) & both.two).any(axis=0)
        for column in np.flatnonzero(wrong)[:1].tolist():
            raise ValueError(both._message(column, values[:, column]))
        return both

    def exchanged(self, later: Levels) -> BoolArray:
        """Return the columns whose only level turned out to be the other one."""
        return np.asarray(
            self.single & later.two & ((self.low > 0) != (self.low == later.high))
        )


def find_levels(table: Any, binarise: Binarise, known: Levels | None) -> Levels:
    """Return the levels of a table, together with those known before."""
    columns = table.shape[1]
    if binarise is not None and not isinstance(binarise, str):
        cut = np.full(columns, float(binarise))
        return known or Levels(cut, cut, cut)
    low, high = _ends(table)
    if known is not None:
        return known.merged(Levels(low, high, known.cut))
    found = Levels(low, high, np.full(columns, np.nan))
    many = np.zeros(columns, bool)
    for block in _blocks(table):
        many |= found.others(block).any(axis=0)
    if binarise is None or not many.any():
        return found  # encoding complains of columns with more than two levels
    warnings.warn(
        f"{np.count_nonzero(many)} of {columns} columns of X have more than two "
        f"values, the first is column {int(many.argmax())}: each is cut in the middle "
        "between its smallest and its largest value. Take binarise=t to make entries "
        "above t high, or binarise=None to refuse such columns",
        DataConversionWarning,
        stacklevel=4,
    )
    return Levels(low, high, np.where(many, low / 2 + high / 2, np.nan))
