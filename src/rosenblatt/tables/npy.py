"""Reader of NPY files: a two-dimensional array, with columns named 0, 1, 2, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import (
    Blocks,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    integer_texts,
    reading,
)
from rosenblatt.tables.text.records import STANDARD

__all__ = ["Npy"]


class Part(NamedTuple):
    """Some rows of an array, and the position of the next row."""

    block: npt.NDArray[Any]
    first: int
    end: Place


class Npy:
    """An array on disk, mapped into memory."""

    unit = "row"

    def __init__(self, path: str) -> None:
        self.path = self.name = path
        self._room = Blocks()
        if path == STANDARD:
            raise ValueError("standard input cannot be npy, which is not a stream")
        array = self._array()
        if array.ndim != 2 or array.dtype.kind not in "biuf":
            raise ValueError(
                f"{path} must hold numbers in two dimensions, "
                f"got {array.dtype} of shape {array.shape}"
            )
        self.rows: int | None = array.shape[0]
        self.columns = [Column(str(j), "number") for j in range(array.shape[1])]

    def _array(self) -> npt.NDArray[Any]:
        with reading(self.path):
            return np.lib.format.open_memmap(self.path, mode="r")

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Part]:
        """Yield this number of rows at a time."""
        array = self._array()
        for first in range(place.offset, len(array), rows):
            block = array[first : first + rows]
            end = first + len(block)
            yield Part(block, first, Place(end, end))

    def kinds(self, piece: Part, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns: all are numbers."""
        return self.columns

    def parse(self, piece: Part, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        first, count = piece.first, len(piece.block)
        where = [int(name) for name in columns.numbers]
        dtype = piece.block.dtype
        small = dtype.kind in "bf" or dtype.itemsize <= 2
        single = np.float32 if small and dtype.itemsize <= 4 else np.float64
        block = self._room.take(count, len(where), single)
        for begin, stop in _runs(where):  # slices are copied quicker than lists
            given = piece.block[:, where[begin] : where[begin] + stop - begin]
            block[:, begin:stop] = given
        missing = {}
        if "nan" in {word.lower() for word in columns.missing}:
            for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
                missing[j] = np.flatnonzero(np.isnan(block[:, j]))
        target = columns.target
        return Rows(
            block,
            missing,
            [_texts(piece.block[:, int(name)]) for name in columns.texts],
            None if target is None else _texts(piece.block[:, int(target)]),
            lambda: np.arange(first + 1, first + 1 + count),
            (),
            piece.end,
        )


def _runs(where: list[int]) -> list[tuple[int, int]]:
    """Return start and stop of each run of consecutive numbers in a list.

    Examples
    --------
    >>> _runs([3, 4, 5, 9, 1, 2])
    [(0, 3), (3, 4), (4, 6)]
    """
    cuts = [i for i in range(1, len(where)) if where[i] != where[i - 1] + 1]
    return list(zip([0, *cuts], [*cuts, len(where)], strict=True)) if where else []


def _texts(column: npt.NDArray[Any]) -> Texts:
    """Return numbers as text with codes; integers without a point, NaN as missing."""
    found = integer_texts(np.asarray(column))
    if found is not None:
        return found
    values, codes = np.unique(column, return_inverse=True)
    written = [
        str(int(v)) if float(v).is_integer() else str(v) for v in values.tolist()
    ]
    missing = (
        np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    )
    marked: npt.NDArray[np.int32] = np.where(missing[codes], -1, codes).astype(np.int32)
    return Texts([w for w, g in zip(written, missing, strict=True) if not g], marked)
