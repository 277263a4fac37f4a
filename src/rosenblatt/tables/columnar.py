"""Parquet and Arrow (Feather) files."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.tables import pages
from rosenblatt.tables.arrow import kind_of, needed, precision, rows_of, text_of
from rosenblatt.tables.pages import (
    Block,
    UnknownPageError,
    quick_blocks,
    quick_columns,
)
from rosenblatt.tables.records import STANDARD, open_bytes
from rosenblatt.tables.vocabulary import Column, Columns, Place, Rows

try:
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError:
    pyarrow = None

__all__ = ["Arrow", "Parquet"]

_FEW = 4  # columns that are read sooner than threads are woken
_MOST = 2**16  # rows that are decoded at once


class Part(NamedTuple):
    """Some rows of a file, and where the next one is."""

    batch: Any
    first: int
    end: Place
    quick: Block | None = None  # columns that are not in the batch


def _cut(batches: Iterator[Any], first: int, rows: int) -> Iterator[Part]:
    """Return batches of that many rows, the last one of what is left."""
    held: list[Any] = []
    have = 0
    for batch in batches:
        while batch.num_rows:
            piece = batch.slice(0, rows - have)
            batch = batch.slice(piece.num_rows)
            held.append(piece)
            have += piece.num_rows
            if have == rows:
                yield _joined(held, first)
                first, held, have = first + rows, [], 0
    if held:
        yield _joined(held, first)


def _joined(held: list[Any], first: int) -> Part:
    whole = held[0] if len(held) == 1 else pyarrow.concat_batches(held)
    return Part(whole, first, Place(first + whole.num_rows, first + whole.num_rows))


class _Columnar:
    """What files of Arrow's types have in common: numbered rows and known types."""

    unit = "row"

    def __init__(self, path: str) -> None:
        needed()
        self.path = path
        self.name = "standard input" if path == STANDARD else path
        try:
            schema, self.rows = self._opened()
        except (pyarrow.ArrowInvalid, pyarrow.ArrowException) as failure:
            raise ValueError(f"{self.name} cannot be read: {_line(failure)}") from None
        twice = {name for name in schema.names if schema.names.count(name) > 1}
        if twice:
            raise ValueError(f"{self.name}: two columns are {min(twice)!r}")
        self.columns = [Column(field.name, kind_of(field.type)) for field in schema]

    def _opened(self) -> tuple[Any, int | None]:
        raise NotImplementedError

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        raise NotImplementedError

    def pieces(
        self,
        place: Place,
        rows: int,
        names: Sequence[str] | None = None,
        numbers: Sequence[str] = (),
    ) -> Iterator[Part]:
        """Return that number of rows at a time, of these columns or all."""
        try:
            yield from self._parts(place.offset, rows, names, numbers)
        except (pyarrow.ArrowException, OSError) as failure:
            raise ValueError(f"{self.name} cannot be read: {_line(failure)}") from None

    def _parts(
        self, first: int, rows: int, names: Sequence[str] | None, numbers: Sequence[str]
    ) -> Iterator[Part]:
        return _cut(self._batches(first, rows, names), first, rows)

    def kinds(self, piece: Part, missing: Sequence[str] = ()) -> list[Column]:
        """Return what columns are, which the file says."""
        return self.columns

    def labels(self, piece: Part, columns: Columns) -> list[str]:
        """Return the labels in a piece."""
        values, codes = text_of(piece.batch.column(columns.target), columns.missing)
        return [values[code] for code in np.unique(codes[codes >= 0])]

    def parse(self, piece: Part, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        first, last = piece.first, piece.end.line
        return rows_of(
            piece.batch,
            columns,
            lambda: np.arange(first + 1, last + 1),
            piece.end,
            quick=piece.quick,
        )


class Parquet(_Columnar):
    """A Parquet file, read page by page.

    Columns of numbers without gaps are read by kernels, all others by pyarrow.
    """

    def _file(self) -> Any:
        return pyarrow.parquet.ParquetFile(self.path, memory_map=True, pre_buffer=False)

    def _opened(self) -> tuple[Any, int | None]:
        if self.path == STANDARD:
            raise ValueError("standard input cannot be parquet, which is not a stream")
        with self._file() as file:
            return file.schema_arrow, file.metadata.num_rows

    def _parts(
        self, first: int, rows: int, names: Sequence[str] | None, numbers: Sequence[str]
    ) -> Iterator[Part]:
        if names is not None and numbers and first < (self.rows or 0):
            try:
                for part in self._quick(first, rows, names, numbers):
                    yield part
                    first = part.end.offset
            except UnknownPageError:  # pyarrow knows more, or what is wrong
                pass
        if first < (self.rows or 0):
            yield from super()._parts(first, rows, names, numbers)

    def _quick(
        self, first: int, rows: int, names: Sequence[str], numbers: Sequence[str]
    ) -> Iterator[Part]:
        """Return rows with as many columns as possible in a block already."""
        with self._file() as file:
            found = quick_columns(file, numbers)
            if not found:
                return
            schema = file.schema_arrow
            types = [schema.field(name).type for name in numbers]
            like = np.empty((0, len(numbers)), precision(types))
            columns = {j: found[n] for j, n in enumerate(numbers) if n in found}
            blocks = quick_blocks(self.path, file, columns, like, first, rows)
            others = [name for name in names if name not in found]
            rest: Iterator[Part | None] = itertools.repeat(None)
            if others:
                rest = _cut(self._batches(first, rows, others), first, rows)
            for block, part in zip(blocks, rest, strict=False):
                end = first + len(block.numbers)
                batch = part.batch if part else pyarrow.RecordBatch.from_pydict({})
                yield Part(batch, first, Place(end, end), block)
                first = end

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        with self._file() as file:
            groups = file.metadata.num_row_groups
            sizes = [file.metadata.row_group(i).num_rows for i in range(groups)]
            starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
            group = max(int(np.searchsorted(starts, first, side="right")) - 1, 0)
            skip = first - int(starts[group])
            if first >= starts[-1]:
                return
            width = file.metadata.num_columns if names is None else len(names)
            many = min(pages.ENTRIES // max(width, 1), _MOST)
            for batch in file.iter_batches(
                batch_size=max(rows, many),  # small ones take longer
                row_groups=range(group, groups),
                columns=None if names is None else list(names),
                use_threads=names is None or len(names) > _FEW,
            ):
                passed = min(skip, batch.num_rows)
                skip -= passed
                yield batch.slice(passed)

    def groups(self) -> list[int]:
        """Return the rows at which groups begin."""
        with self._file() as file:
            count = file.metadata.num_row_groups
            sizes = [file.metadata.row_group(i).num_rows for i in range(count)]
        return [0, *np.cumsum(sizes[:-1], dtype=np.int64).tolist()]


class Arrow(_Columnar):
    """A file or stream of Arrow's record batches; Feather is such a file."""

    def _opened(self) -> tuple[Any, int | None]:
        self._stream: Any = None
        if self.path == STANDARD:
            self._stream = pyarrow.ipc.open_stream(open_bytes(STANDARD, Place()))
            return self._stream.schema, None
        with pyarrow.memory_map(self.path) as source:
            try:
                file = pyarrow.ipc.open_file(source)
            except pyarrow.ArrowInvalid:
                source.seek(0)
                return pyarrow.ipc.open_stream(source).schema, None
            rows = None
            if file.num_record_batches:
                rows = sum(
                    file.get_batch(i).num_rows for i in range(file.num_record_batches)
                )
            return file.schema, rows

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        skip = first
        for batch in self._all():
            passed = min(skip, batch.num_rows)
            skip -= passed
            chosen = batch if names is None else batch.select(list(names))
            yield chosen.slice(passed)

    def _all(self) -> Iterator[Any]:
        if self._stream is not None:
            yield from self._stream
            return
        with pyarrow.memory_map(self.path) as source:
            try:
                file = pyarrow.ipc.open_file(source)
            except pyarrow.ArrowInvalid:
                source.seek(0)
                yield from pyarrow.ipc.open_stream(source)
                return
            for i in range(file.num_record_batches):
                yield file.get_batch(i)


def _line(failure: BaseException) -> str:
    return " ".join(str(failure).split())
