"""Columns of numbers in Parquet files, from their pages straight to rows.

The pages are read by kernels, some columns in one thread and some in another, ahead of
whoever takes the rows. A column with gaps, or in an encoding that is not known there,
is not quick, and left to pyarrow.
"""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core.files import pages
from rosenblatt.core.files.headers import COUNT, FIELDS, SIZE
from rosenblatt.core.files.rows import KINDS, place_double, place_single
from rosenblatt.tables.prefetch import THREADS
from rosenblatt.tables.recycling import Blocks

__all__ = [
    "ENTRIES",
    "Block",
    "UnknownPageError",
    "quick_blocks",
    "quick_columns",
]

_AHEAD = 2  # blocks in the making
ENTRIES = 2**21  # of what is made at once: threads then need not wait often
_CODECS = {"UNCOMPRESSED": 0, "SNAPPY": 1}
_ENCODINGS = {"PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"}
# By types of Arrow: how a value is stored, and the kernel's name for that.
_STORED = {
    "float": ("FLOAT", "float"),
    "double": ("DOUBLE", "double"),
    "int64": ("INT64", "int64"),
    **dict.fromkeys(("int8", "int16", "int32", "uint8", "uint16"), ("INT32", "int32")),
}


class UnknownPageError(ValueError):
    """A page that is not as the file's end says, or broken."""


class Block(NamedTuple):
    """Rows of the columns that are quick, within those of all columns of numbers."""

    numbers: npt.NDArray[Any]
    columns: frozenset[int]  # which are filled
    finite: bool  # certainly


def quick_columns(file: Any, names: Sequence[str]) -> dict[str, int]:
    """Return the columns of a file whose pages can be read here, and their numbers."""
    metadata, schema = file.metadata, file.schema_arrow
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    found = {}
    paths = {metadata.schema.column(j).path: j for j in range(metadata.num_columns)}
    for name in names:
        stored = _STORED.get(str(schema.field(name).type))
        j = paths.get(name)
        if stored is None or j is None:
            continue
        column = metadata.schema.column(j)
        if column.max_repetition_level or column.max_definition_level > 1:
            continue
        optional = bool(column.max_definition_level)
        if all(_is_quick(group.column(j), stored[0], optional) for group in groups):
            found[name] = j
    return found


def _is_quick(chunk: Any, stored: str, optional: bool) -> bool:
    """Return whether a kernel can read a column of a group of rows."""
    statistics = chunk.statistics
    whole = statistics is not None and statistics.null_count == 0
    return (
        chunk.physical_type == stored
        and chunk.compression in _CODECS
        and _ENCODINGS.issuperset(chunk.encodings)
        and (whole or not optional)
        and not chunk.file_path
    )


class _Lane:
    """Columns of one type, which are read one after the other."""

    def __init__(self, data: npt.NDArray[np.uint8], kind: str) -> None:
        self.data, self.kind = data, KINDS.index(kind)
        self.columns: list[int] = []  # of the file
        self.where: list[int] = []  # in the block
        word: Any = np.int32 if kind in ("float", "int32") else np.int64
        self.wide = np.dtype(word).itemsize
        self._open = pages.open_single if self.wide == 4 else pages.open_double
        self._header = np.zeros(FIELDS, np.int64)
        self._words_of = word

    def start(self, group: Any, schema: Any) -> None:
        """Go to the begin of a group of rows."""
        if not hasattr(self, "_cursors"):
            count = len(self.columns)
            self._cursors = np.zeros((count, pages.CURSOR), np.int64)
            self._to = np.array(self.where, np.int64)
            self._pages = np.empty((count, 0), np.uint8)
            self._words = np.empty((count, 0), self._words_of)
            self._dictionaries = np.empty((count, 0), self._words_of)
        self._cursors[:] = 0
        for cursor, j in zip(self._cursors, self.columns, strict=True):
            chunk = group.column(j)
            starts = [chunk.data_page_offset]
            if chunk.dictionary_page_offset:
                starts.append(chunk.dictionary_page_offset)
            cursor[pages.AT] = min(starts)
            cursor[pages.STOP] = min(starts) + chunk.total_compressed_size
            cursor[pages.OPTIONAL] = schema.column(j).max_definition_level
            cursor[pages.SNAPPY] = _CODECS[chunk.compression]
            cursor[pages.MOST] = group.num_rows
        inside = self._cursors[:, pages.STOP] <= len(self.data) - pages.MARGIN
        if not (inside.all() and (self._cursors[:, pages.AT] >= 0).all()):
            raise UnknownPageError("a column ends beyond the file")

    def advance(self, block: npt.NDArray[Any], rows: int, fill: bool) -> bool:
        """Go on by that many rows, and write them; return whether all are finite."""
        finite, done = True, 0
        place = place_single if block.dtype == np.float32 else place_double
        while done < rows:
            here = min(self._opened(), rows - done)
            places = self._cursors[:, pages.PLACE].copy()
            if fill:
                part = block[done : done + here]
                finite &= bool(place(places, self._to, self.kind, part))
            self._cursors[:, pages.PLACE] += here * self.wide
            self._cursors[:, pages.LEFT] -= here
            done += here
        return finite

    def _opened(self) -> int:
        """Open pages where there are none, and return how many rows all have."""
        while True:
            status = self._open(
                self.data,
                self._cursors,
                self._pages,
                self._words,
                self._dictionaries,
                self._header,
            )
            if status > 0:
                return int(status)
            size = int(self._header[SIZE]) + pages.MARGIN
            count = int(self._header[COUNT])
            if status == pages.NEED_PAGE:
                self._pages = self._larger(self._pages, size)
            elif status == pages.NEED_WORDS:
                self._words = self._larger(self._words, count)
            elif status == pages.NEED_ENTRIES:
                self._dictionaries = self._larger(self._dictionaries, count)
            else:
                raise UnknownPageError("a page is not as it should be")

    def _larger(self, rooms: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
        """Return larger rooms with what is in these, which may be open."""
        more = np.empty((len(rooms), size + size // 8), rooms.dtype)
        more[:, : rooms.shape[1]] = rooms
        for cursor, old, new in zip(self._cursors, rooms, more, strict=True):
            skip = cursor[pages.PLACE] - old.ctypes.data
            if 0 <= skip < old.nbytes:
                cursor[pages.PLACE] = new.ctypes.data + skip
        return more


class _Share:
    """What one thread does: some columns, through all groups of rows."""

    def __init__(self, lanes: list[_Lane], metadata: Any, first: int) -> None:
        self.lanes, self.metadata = lanes, metadata
        self._group = self._left = 0
        while first >= self._left:  # groups that are not looked at
            first -= self._left
            self._left = metadata.row_group(self._group).num_rows
            self._group += 1
        self._start()
        self._skip = first

    def _start(self) -> None:
        group = self.metadata.row_group(self._group - 1)
        for lane in self.lanes:
            lane.start(group, self.metadata.schema)
        self._left = group.num_rows

    def fill(self, block: npt.NDArray[Any]) -> bool:
        """Write the next rows into a block; return whether all are finite."""
        if self._skip:
            for lane in self.lanes:
                lane.advance(block, self._skip, fill=False)
            self._left, self._skip = self._left - self._skip, 0
        finite, done = True, 0
        while done < len(block):
            while not self._left:
                self._group += 1
                self._start()
            here = min(self._left, len(block) - done)
            for lane in self.lanes:
                finite &= lane.advance(block[done : done + here], here, fill=True)
            self._left -= here
            done += here
        return finite


def _shares(
    file: Any, data: npt.NDArray[np.uint8], columns: dict[int, int], first: int
) -> list[_Share]:
    """Return the work of each thread: as many columns, side by side in the block."""
    threads = max(1, min(THREADS, len(columns)))
    work: list[dict[str, _Lane]] = [{} for _ in range(threads)]
    schema, types = file.metadata.schema, file.schema_arrow
    for i, (where, column) in enumerate(columns.items()):
        lanes = work[i * threads // len(columns)]
        kind = _STORED[str(types.field(schema.column(column).name).type)][1]
        lane = lanes.setdefault(kind, _Lane(data, kind))
        lane.columns.append(column)
        lane.where.append(where)
    return [_Share(list(lanes.values()), file.metadata, first) for lanes in work]


def quick_blocks(
    path: str,
    file: Any,
    columns: dict[int, int],
    like: npt.NDArray[Any],
    first: int,
    rows: int,
) -> Iterator[Block]:
    """Return blocks of that many rows, the last one of what is left.

    Parameters
    ----------
    file
        The same file, opened by pyarrow.
    columns
        Columns of the file by columns of the block, some of which may stay empty.
    like
        An array with the type and the columns of the block.
    first
        The row to begin with; there must be one.
    """
    with open(path, "rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    shares = _shares(file, np.frombuffer(mapped, np.uint8), columns, first)
    left = file.metadata.num_rows - first
    many = rows * max(1, ENTRIES // (rows * like.shape[1]))
    room, there = Blocks(), frozenset(columns)
    pools = [ThreadPoolExecutor(1, "pages") for _ in shares]
    making: deque[tuple[npt.NDArray[Any], list[Future[bool]]]] = deque()
    try:
        while left or making:
            while left and len(making) < _AHEAD:
                block = room.take(min(many, left), like.shape[1], like.dtype)
                tasks = zip(pools, shares, strict=True)
                making.append((block, [p.submit(s.fill, block) for p, s in tasks]))
                left -= len(block)
            block, parts = making.popleft()
            finite = [part.result() for part in parts]
            for at in range(0, len(block), rows):
                yield Block(block[at : at + rows], there, all(finite))
    finally:
        for pool in pools:
            pool.shutdown(cancel_futures=True)
