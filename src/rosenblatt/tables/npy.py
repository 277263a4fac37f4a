"""Reader of NPY files: a two-dimensional array, with columns named 0, 1, 2, ...

The file is not mapped into memory: one that is cut while it is read would end the
process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import (
    MOST_COLUMNS,
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
    """An array on disk, read some rows at a time."""

    unit = "row"

    def __init__(self, path: str) -> None:
        self.path = self.name = path
        self._room = Blocks()
        if path == STANDARD:
            raise ValueError("standard input cannot be npy, which is not a stream")
        with reading(path):
            shape = self._header()
        if len(shape) != 2 or self._type.kind not in "biuf":
            raise ValueError(
                f"{path} must hold numbers in two dimensions, "
                f"got {self._type} of shape {shape}"
            )
        if shape[1] > MOST_COLUMNS:
            raise ValueError(
                f"{path} must have at most {MOST_COLUMNS} columns, got {shape[1]}"
            )
        self.rows: int | None = shape[0]
        self.columns = [Column(str(j), "number") for j in range(shape[1])]

    def _header(self) -> tuple[int, ...]:
        """Read the header; return the shape if the file is as long as it says."""
        with Path(self.path).open("rb") as file:
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0}
            shape, by_columns, kind = read.get(
                version, np.lib.format.read_array_header_2_0
            )(file)
            self._first = file.tell()
        self._type, self._by_columns = kind, by_columns
        if kind.hasobject:
            raise ValueError("it must hold numbers, got Python objects")
        size = math.prod(shape) * kind.itemsize
        there = Path(self.path).stat().st_size - self._first
        if there < size:
            raise ValueError(f"an array of shape {shape} has {size} bytes, got {there}")
        return tuple(shape)

    def _read(self, file: Any, first: int, count: int) -> npt.NDArray[Any]:
        """Return some rows; those of an array by columns are read column by column."""
        height, width, size = self.rows or 0, len(self.columns), self._type.itemsize
        if not self._by_columns:
            file.seek(self._first + first * width * size)
            found = np.fromfile(file, self._type, count * width)
            return found.reshape(count, width)
        block = np.empty((count, width), self._type)
        for j in range(width):
            file.seek(self._first + (j * height + first) * size)
            block[:, j] = np.fromfile(file, self._type, count)
        return block

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Part]:
        """Yield this number of rows at a time."""
        with reading(self.path), Path(self.path).open("rb") as file:
            for first in range(place.offset, self.rows or 0, rows):
                block = self._read(file, first, min(rows, (self.rows or 0) - first))
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
