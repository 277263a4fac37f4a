r"""Tables of two levels, 64 columns to a word.

An entry that is high is a bit 1, one that is low a bit 0; as numbers they are
:math:`\pm 1`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.core.arguments import whole
from rosenblatt.core.schema import Array, Relation, Schema, Whole
from rosenblatt.core.types import Words

__all__ = ["BITS", "WORD", "Bits", "unused", "words_for"]


WORD = 64  # columns in a word
_ONES = int(2**WORD - 1)


def words_for(columns: int) -> int:
    """Return the number of words of a row with this many columns.

    Examples
    --------
    >>> words_for(0), words_for(64), words_for(65)
    (0, 1, 2)
    """
    return -(-columns // WORD)


BITS = Schema(
    "bits",
    {
        "columns": Whole(high=2**31 - 1, size="columns"),
        "words": Array((("models", "words"),), "uint64"),
    },
    (
        Relation(
            "a word for each 64 columns",
            lambda _, sizes: sizes["words"] == words_for(sizes["columns"]),
        ),
        Relation(
            "bits that are 0 beyond the last column",
            lambda bits, _: (
                not (
                    bits.columns % WORD
                    and (bits.words[:, -1] & np.uint64(unused(bits.columns))).any()
                )
            ),
            values=True,
        ),
    ),
)


def unused(columns: int) -> int:
    """Return a mask of the unused bits of a row's last word."""
    return _ONES ^ (_ONES >> -columns % WORD)


@dataclass(frozen=True, eq=False)
class Bits:
    """A table of two levels: rows are examples, columns are packed into words.

    A value: it cannot be changed, and it is equal to another of the same shape and
    content. ``bits[i]`` is a table of one row; slices, integer arrays and boolean
    arrays select rows as they do in NumPy.

    Parameters
    ----------
    words
        Unsigned 64-bit integers, shape ``(rows, ceil(columns / 64))``. Bit j of word k
        of a row is column ``64 * k + j``; 1 is the high level. Bits beyond the last
        column are 0. Words in a file that is mapped into memory
        (``np.load(path, mmap_mode="r")``) stay there; only a table whose rows are not
        contiguous is copied.
    columns
        Number of columns.

    Examples
    --------
    >>> table = Bits(np.array([[0b011], [0b100], [0b111]], dtype=np.uint64), columns=3)
    >>> table
    Bits(3 rows, 3 columns)
    >>> table.shape, len(table), table.nbytes
    ((3, 3), 3, 24)
    >>> table[1:] == table[[1, 2]] == table[np.array([False, True, True])]
    True
    """

    words: Words
    columns: int

    def __post_init__(self) -> None:
        columns = whole("columns", self.columns, low=0)
        words = np.asarray(self.words)
        if words.dtype != np.uint64:
            raise TypeError(f"words must be of type uint64, got {words.dtype}")
        if words.ndim != 2 or words.shape[1] != words_for(columns):
            raise ValueError(
                f"words must have shape (rows, {words_for(columns)}) for {columns} "
                f"columns, got {words.shape}"
            )
        if columns % WORD:
            outside = words[:, -1] & np.uint64(unused(columns))
            for row in np.flatnonzero(outside)[:1]:
                raise ValueError(
                    f"words must be 0 beyond column {columns - 1}, "
                    f"got {int(words[row, -1]):#x} at the end of row {row}"
                )
        self._set(words, columns)

    def _set(self, words: Words, columns: int) -> None:
        checked = np.require(words, np.uint64, ["C", "A"]).view()
        checked.flags.writeable = False
        object.__setattr__(self, "words", checked)
        object.__setattr__(self, "columns", columns)

    @classmethod
    def trusted(cls, words: Words, columns: int) -> Bits:
        """Return a table of these words, without a check."""
        made = object.__new__(cls)
        made._set(words, columns)
        return made

    @classmethod
    def concatenate(cls, tables: Iterable[Bits]) -> Bits:
        """Return the rows of all tables, which must have the same columns.

        Examples
        --------
        >>> table = Bits(np.array([[1], [2]], dtype=np.uint64), columns=2)
        >>> Bits.concatenate([table[1:], table]).words.ravel().tolist()
        [2, 1, 2]
        """
        given = list(tables)
        if not given:
            raise ValueError("tables must be one or more, got none")
        for i, table in enumerate(given):
            if not isinstance(table, Bits):
                raise TypeError(f"tables[{i}] must be Bits, got {table!r}")
            if table.columns != given[0].columns:
                raise ValueError(
                    f"tables must have the same number of columns, got "
                    f"{given[0].columns} in the first and {table.columns} in "
                    f"tables[{i}]"
                )
        words = np.concatenate([table.words for table in given])
        return cls.trusted(words, given[0].columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.words), self.columns

    @property
    def nbytes(self) -> int:
        """The size of the words in bytes."""
        return self.words.nbytes

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: Any) -> Bits:
        if isinstance(rows, tuple):
            raise TypeError(f"rows must be one index, got {rows!r}: columns are packed")
        if not isinstance(rows, slice):
            rows = np.asarray(rows)
            if rows.ndim == 0 and rows.dtype != bool:
                rows = rows[None]
            if rows.size == 0:
                rows = rows.astype(rows.dtype if rows.dtype == bool else np.int64)
            if rows.ndim != 1 or rows.dtype.kind not in "iub":
                raise TypeError(
                    "rows must be a slice, an integer, or an array of integers or "
                    f"booleans in one dimension, got {rows!r}"
                )
        return Bits.trusted(self.words[rows], self.columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bits):
            return NotImplemented
        return self.shape == other.shape and np.array_equal(self.words, other.words)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Bits, (self.words, self.columns)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"Bits({rows} rows, {columns} columns)"
