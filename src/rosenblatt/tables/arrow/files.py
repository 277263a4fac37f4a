"""Parquet and Arrow (Feather) files.

Each batch is validated in full before a kernel reads its columns by address. Files are
not mapped into memory: one that is cut while it is read would end the process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.tables.arrow.columns import check_pyarrow, rows_of
from rosenblatt.tables.batches import (
    Blocks,
    Column,
    Columns,
    Place,
    Rows,
    check_names,
    reading,
)
from rosenblatt.tables.text.records import STANDARD, open_bytes

try:
    import pyarrow
    import pyarrow.dataset as dataset
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError:
    pyarrow = None

__all__ = ["Arrow", "Parquet", "kind_of"]

_FEW = 4  # columns that are read sooner than threads are woken
_MOST = 2**16  # rows that are decoded at once
_ENTRIES = 2**21  # of what is decoded at once: threads then need not wait often
_MAGIC = b"ARROW1\0\0"  # before the stream in an Arrow file


class Part(NamedTuple):
    """Some rows of a file, and the position of the next row."""

    batch: Any
    first: int
    end: Place


def _cut(batches: Iterator[Any], first: int, rows: int) -> Iterator[Part]:
    """Return batches of this many rows; the last may have fewer."""
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


def kind_of(type_: Any) -> str:
    """Return "number", "text" or "date" for a type of Arrow; else its name."""
    types = pyarrow.types
    numbers = types.is_floating, types.is_integer, types.is_boolean, types.is_decimal
    texts = types.is_string, types.is_large_string, types.is_string_view
    tests = {
        "number": (*numbers, types.is_null),
        "text": (*texts, types.is_dictionary),
        "date": (types.is_timestamp, types.is_date),
    }
    kinds = (kind for kind, any_of in tests.items() if any(t(type_) for t in any_of))
    return next(kinds, str(type_))


class _Columnar:
    """Base of readers of Parquet and Arrow files."""

    unit = "row"

    def __init__(self, path: str) -> None:
        check_pyarrow()
        self.path = path
        self.name = "standard input" if path == STANDARD else path
        self._room = Blocks()
        with reading(self.name):
            schema, self.rows = self._opened()
            names = schema.names
            self.columns = [Column(f.name, kind_of(f.type)) for f in schema]
        check_names(self.name, names)

    def _opened(self) -> tuple[Any, int | None]:
        raise NotImplementedError

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        raise NotImplementedError

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Part]:
        """Yield this number of rows at a time, of these columns or of all."""
        first = place.offset
        with reading(self.name):
            yield from _cut(self._batches(first, rows, names), first, rows)

    def kinds(self, piece: Part, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns, from the schema of the file."""
        return self.columns

    def parse(self, piece: Part, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        first, last = piece.first, piece.end.line
        with reading(self.name):
            return rows_of(
                piece.batch,
                columns,
                lambda: np.arange(first + 1, last + 1),
                piece.end,
                room=self._room,
            )


class Parquet(_Columnar):
    """A Parquet file, read page by page."""

    def _opened(self) -> tuple[Any, int | None]:
        if self.path == STANDARD:
            raise ValueError(f"{self.name} cannot be parquet, which is not a stream")
        with self._file() as file:
            groups = map(file.metadata.row_group, range(file.num_row_groups))
            sizes = [group.num_rows for group in groups]
            if min(sizes, default=0) < 0 or sum(sizes) != file.metadata.num_rows:
                raise ValueError(
                    f"its row groups must have {file.metadata.num_rows} rows together, "
                    f"got {sizes}"
                )
            self._starts = [0, *np.cumsum(sizes[:-1], dtype=np.int64).tolist()]
            return file.schema_arrow, sum(sizes)

    def _file(self, **more: Any) -> Any:
        return pyarrow.parquet.ParquetFile(
            self.path, memory_map=False, pre_buffer=False, **more
        )

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        left = (self.rows or 0) - first
        if left <= 0:
            return
        group = int(np.searchsorted(self._starts, first, side="right")) - 1
        skip = first - self._starts[group]
        width = len(self.columns if names is None else names)
        many = min(_ENTRIES // max(width, 1), _MOST)
        # text as dictionaries: else a long one would be copied for each row
        texts = [column.name for column in self.columns if column.kind == "text"]
        with self._file(read_dictionary=texts) as file:
            for batch in file.iter_batches(
                batch_size=max(rows, many),  # small ones take longer
                row_groups=range(group, len(self._starts)),
                columns=None if names is None else list(names),
                use_threads=width > _FEW,
            ):
                batch.validate(full=True)
                passed = min(skip, batch.num_rows)
                skip -= passed
                left -= batch.num_rows - passed
                yield batch.slice(passed)
        if left:
            raise ValueError(f"it must have {self.rows} rows, {left} are missing")

    def groups(self) -> list[int]:
        """Return the rows at which groups begin."""
        return self._starts


class Arrow(_Columnar):
    """An Arrow file or stream of record batches; Feather files are Arrow files.

    A file is read as the stream that is in it, from the start. Record batches come in
    the order of the file, each dictionary before the first batch that needs it.
    """

    def _opened(self) -> tuple[Any, int | None]:
        self._stream: Any = None
        if self.path == STANDARD:
            self._stream = pyarrow.ipc.open_stream(open_bytes(STANDARD, Place()))
            return self._stream.schema, None
        with self._source() as source:
            schema = pyarrow.ipc.open_stream(source).schema
        with Path(self.path).open("rb") as file:
            counted = file.read(len(_MAGIC)) == _MAGIC
        if not counted:  # a stream does not say how many rows come
            return schema, None
        return schema, dataset.dataset(self.path, format="ipc").count_rows()

    @contextmanager
    def _source(self) -> Iterator[Any]:
        """Open the file where its stream begins."""
        with pyarrow.OSFile(self.path) as source:
            if source.read(len(_MAGIC)) != _MAGIC:
                source.seek(0)
            yield source

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        skip, seen = first, 0
        for batch in self._all():
            chosen = batch if names is None else batch.select(list(names))
            chosen.validate(full=True)
            passed = min(skip, batch.num_rows)
            skip -= passed
            seen += batch.num_rows
            yield chosen.slice(passed)
        if self.rows is not None and seen != self.rows:
            raise ValueError(f"it must have {self.rows} rows, got {seen}")

    def _all(self) -> Iterator[Any]:
        if self._stream is not None:
            yield from self._stream
            return
        with self._source() as source:
            yield from pyarrow.ipc.open_stream(source)
