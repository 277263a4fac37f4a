"""Readers of files: CSV, Parquet, Arrow, NPY and svmlight, in batches of rows.

pyarrow reads all but the last two. Rows of CSV are text at first: numbers are converted
batch by batch, so that the row of a bad one is known. Files are not mapped into memory:
one that is cut while it is read would end the process.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import itertools
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, vstack
from sklearn.datasets import load_svmlight_file

from rosenblatt.system.extras import missing
from rosenblatt.tables.batches import (
    ENCODING,
    FIELDS,
    FORM,
    NUMBER,
    STANDARD,
    Bad,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    reading,
)

try:
    import pyarrow
    import pyarrow.compute as compute
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError:
    pyarrow = None

__all__ = [
    "ENDINGS",
    "FORMATS",
    "Frames",
    "Piece",
    "Table",
    "check_pyarrow",
    "format_of",
    "kind_of",
    "number",
    "open_table",
    "record_batch",
    "rows_of",
    "text_of",
]

LONGEST = 2**22  # bytes of a row of text; beyond this a quotation mark is missing
MOST_COLUMNS = 2**16  # of a table; svmlight has more
_LONG = "a row is longer than {} bytes; a quotation mark may be missing"
_MOST_BAD = 2**16  # rows with a wrong number of fields that come one after the other
_MARK = b"\xef\xbb\xbf"  # of the byte order, before text in UTF-8
_BLANK = _MARK + b"\r\n \t"
_MOSTLY = 0.5  # a column of which more than this are numbers is one of numbers
_DECODED, _ENTRIES = 2**16, 2**21  # rows and entries of Parquet decoded at once
_MAGIC = b"ARROW1\0\0"  # before the stream in an Arrow file
_EXACT = 2**53  # whole numbers below are doubles
_WIDEST = 2**24  # columns of svmlight: what a model keeps of each must fit into memory

ENDINGS = {
    "csv": (".csv", ".csv.gz", ".csv.bz2"),
    "tsv": (".tsv", ".tsv.gz", ".tsv.bz2", ".tab", ".tab.gz", ".tab.bz2"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".arrows", ".feather", ".ipc"),
    "svmlight": (".svm", ".svmlight", ".libsvm", ".svm.gz", ".svmlight.gz"),
    "npy": (".npy",),
}
FORMATS = tuple(ENDINGS)


def check_pyarrow(purpose: str = "reading files") -> None:
    """Raise ImportError if pyarrow is not installed."""
    if pyarrow is None:
        raise missing("pyarrow", purpose)


class Piece(NamedTuple):
    """Some rows of a file, before they are parsed; of svmlight its lines."""

    batch: Any
    lines: npt.NDArray[np.int64]  # the number of each row, from 1
    bad: tuple[Bad, ...]
    end: Place


class _Part(NamedTuple):
    """Some rows as they are read, with the place after each."""

    batch: Any
    places: npt.NDArray[np.int64]
    bad: Sequence[Bad] = ()


class Table:
    """A file that is read in batches of a fixed number of rows.

    ``rows`` is their number, ``size`` the largest offset of a place, in rows or in
    bytes; both are None if the file does not say.
    """

    unit = "row"  # of its places in messages
    rows: int | None = None
    columns: list[Column]

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD else path
        with reading(self.name):
            self.columns = self._opened()
            _check_width(len(self.columns))
        names = [column.name for column in self.columns]
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ValueError(f"{self.name}: more than one column {min(twice)!r}")

    @property
    def size(self) -> int | None:
        """The largest offset of a place."""
        return self.rows

    def _opened(self) -> list[Column]:
        """Open the file; return its columns."""
        raise NotImplementedError

    def _batches(self, first: int, rows: int, names: list[str]) -> Iterator[Any]:
        """Yield record batches with these columns, from a row on."""
        raise NotImplementedError

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield this number of rows at a time; the last may be fewer.

        ``names`` are the columns that are wanted; by default all columns.
        """
        wanted = [column.name for column in self.columns] if names is None else names
        with reading(self.name):
            yield from _cut(self._numbered(place, rows, list(wanted)), rows)

    def _numbered(self, place: Place, rows: int, names: list[str]) -> Iterator[_Part]:
        """Yield parts of any size."""
        first = place.offset
        for batch in self._batches(first, rows, names):
            lines = np.arange(first + 1, first + 1 + batch.num_rows)
            first += batch.num_rows
            yield _Part(batch, np.column_stack([lines, lines]))

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return the columns with their kinds, from the first piece."""
        return self.columns

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        with reading(self.name):
            return rows_of(piece.batch, columns, piece.lines, piece.end, piece.bad)


def _check_width(columns: int) -> None:
    """Raise ValueError for too many columns; readers ask before they make them."""
    if columns > MOST_COLUMNS:
        raise ValueError(
            f"a table must have at most {MOST_COLUMNS} columns, got {columns}; "
            "svmlight files may have more"
        )


def _cut(parts: Iterator[_Part], rows: int) -> Iterator[Piece]:
    """Yield pieces of this many rows; the bad rows are those before the last one."""
    batches: list[Any] = []
    places = np.empty((0, 2), np.int64)
    bad: list[Bad] = []
    for batch, new, found in parts:
        batches.append(batch)
        places = np.concatenate([places, new])
        bad += found
        while len(places) >= rows:
            whole, end = _joined(batches), Place(*places[rows - 1].tolist())
            before = tuple(one for one in bad if one.line < end.line)
            yield Piece(whole.slice(0, rows), places[:rows, 1], before, end)
            batches, places = [whole.slice(rows)], places[rows:]
            bad = bad[len(before) :]
    if len(places) or bad:
        offset, line = places.max(axis=0, initial=0).tolist()
        line = max([line, *(one.line for one in bad)])
        whole = _joined(batches)
        yield Piece(whole, places[:, 1], tuple(bad), Place(offset, line))


def _joined(batches: list[Any]) -> Any:
    return batches[0] if len(batches) == 1 else pyarrow.concat_batches(batches)


class _Bytes:
    """Bytes of a file, also a packed one, or of standard input, for pyarrow.

    Standard input gives what has arrived. It is not ``sys.stdin.buffer``: Python closes
    that one when it ends, and fails if a thread is waiting there for more.
    """

    closed = False

    def __init__(self, path: str) -> None:
        self.count = self.quotes = 0
        self.ended, self._head = False, b""
        if path != STANDARD:
            opened: Any = {".gz": gzip.open, ".bz2": bz2.open}
            self.file = opened.get(Path(path).suffix.lower(), open)(path, "rb")
            self._read = self.file.read
            return
        buffer: Any = sys.stdin.buffer
        raw = getattr(buffer, "raw", None)
        if isinstance(raw, io.FileIO):
            buffer = io.BufferedReader(io.FileIO(raw.fileno(), closefd=False), LONGEST)
        self.file, self._read = buffer, buffer.read1

    def head(self) -> bytes:
        """Return the first lines that may be a row; they are read again later."""
        lines, size, quotes = [], 0, 0
        while line := self.file.readline(LONGEST):
            lines.append(line)
            size += len(line)
            quotes += line.count(b'"')
            if line.strip(_BLANK) and quotes % 2 == 0:
                break
            if size > LONGEST:
                raise ValueError(_LONG.format(LONGEST))
        self._head = b"".join(lines).removeprefix(_MARK).lstrip(b"\r\n")
        return self._head

    def read(self, size: int = -1) -> bytes:
        """Return some bytes; none at the end."""
        data = self._head[:size] or self._read(size)
        self._head = self._head[size:]
        self.ended = not data
        self.count += len(data)
        self.quotes += data.count(b'"')
        return data

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes some at a time; each block ends where a row may end."""
        data = b""
        while not self.ended:
            data += self.read(LONGEST)
            end = len(data) if self.ended else data.rfind(b"\n") + 1
            while end and not self.ended and data.count(b'"', 0, end) % 2:
                end = data.rfind(b"\n", 0, end - 1) + 1
            if data[:end].strip():
                yield data[:end]
            data = data[end:]
            if len(data) > LONGEST:
                raise ValueError(_LONG.format(LONGEST))

    def readable(self) -> bool:
        """Return True."""
        return True

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self.file.close()


class Delimited(Table):
    """A CSV or TSV file; its first row has the names of its columns.

    Rows are numbered as in a spreadsheet, without blank ones. A position is found again
    by reading from the start. Bytes are read as if they were Latin-1, which they
    always can be, since pyarrow says of a block only that a row in it is not UTF-8.
    """

    def __init__(self, path: str, delimiter: str, *, header: bool = True) -> None:
        check_pyarrow()
        self._header, self._delimiter = header, delimiter
        super().__init__(path)

    @property
    def size(self) -> int | None:
        """The number of bytes, unless they are packed."""
        packed = self.path == STANDARD or self.path.lower().endswith((".gz", ".bz2"))
        return None if packed else Path(self.path).stat().st_size

    def _opened(self) -> list[Column]:
        self._bytes = _Bytes(self.path)
        with contextlib.ExitStack() as stack:
            if self.path != STANDARD:
                stack.enter_context(contextlib.closing(self._bytes))
            head = self._bytes.head()
        if not head.strip():
            raise ValueError("it is empty")
        _check_width(head.count(self._delimiter.encode()) + 1)
        try:
            if b"\0" in head:
                raise UnicodeError
            found = self._reader(pyarrow.BufferReader(head.rstrip() + b"\n"), [])
            written = found.schema.names
            names = [_decoded(name) for name in written]
        except UnicodeError:
            raise ValueError(
                f"{self.name} must be text in UTF-8; its first line is not: is it "
                "packed, or in another format or encoding?"
            ) from None
        if not self._header:
            names = list(map(str, range(len(names))))
        self._written = dict(zip(names, written, strict=True))
        return [Column(name, None) for name in names]

    def _reader(
        self, source: Any, bad: list[Bad], names: Sequence[str] = (), before: int = 0
    ) -> Any:
        """Return pyarrow's reader of text, which adds rows to the bad ones."""

        def refuse(row: Any) -> str:
            what = f"{row.actual_columns}, not {row.expected_columns}"
            bad.append(Bad(before + row.number, FIELDS, None, what))
            swallowed = "\n" in row.text and row.text.count('"') % 2
            return "error" if swallowed or len(bad) > _MOST_BAD else "skip"

        csv = pyarrow.csv
        return csv.open_csv(
            source,
            csv.ReadOptions(
                use_threads=False,  # else rows have no numbers
                block_size=LONGEST,
                encoding="latin-1",
                autogenerate_column_names=not self._header,
            ),
            csv.ParseOptions(
                delimiter=self._delimiter,
                newlines_in_values=True,
                invalid_row_handler=refuse,
            ),
            csv.ConvertOptions(
                include_columns=list(names),
                column_types=dict.fromkeys(names, pyarrow.string()),
                null_values=[""],
                strings_can_be_null=True,
                check_utf8=False,
            ),
        )

    def _numbered(self, place: Place, rows: int, names: list[str]) -> Iterator[_Part]:
        final = next(reversed(self._written))  # an open quotation mark ends there
        names = list(dict.fromkeys([*names, final]))
        written = [self._written[name] for name in names]
        bad: list[Bad] = []
        first, count = 1 + self._header, 0
        source = self._bytes
        if self.path != STANDARD:
            source = _Bytes(self.path)
            source.head()
        with contextlib.closing(source):
            for given in self._inputs(source):
                before = max([first - 1, *(one.line for one in bad)]) - self._header
                for batch in self._reader(given, bad, written, before):
                    if not batch.num_rows:
                        continue
                    last = batch.column(len(names) - 1)[-1].as_py() or ""
                    if source.quotes % 2 and source.ended and "\n" in last:
                        raise ValueError("a quotation mark is never closed")
                    lines = np.arange(first, first + batch.num_rows + len(bad))
                    lines = np.setdiff1d(lines, [one.line for one in bad])
                    lines = lines[: batch.num_rows]
                    first = int(lines[-1]) + 1
                    found = [one for one in bad if place.line < one.line < first]
                    bad[:] = [one for one in bad if one.line >= first]
                    offsets = np.linspace(count, source.count, len(lines) + 1)[1:]
                    count, new = source.count, lines > place.line
                    places = np.column_stack([offsets.astype(np.int64), lines])
                    named = batch.rename_columns(names)
                    yield _Part(named.filter(new), places[new], found)
        found = [one for one in bad if one.line > place.line]
        if found:
            texts = [pyarrow.nulls(0, pyarrow.string()) for _ in names]
            nothing = pyarrow.record_batch(texts, names)
            yield _Part(nothing, np.empty((0, 2), int), found)

    def _inputs(self, source: _Bytes) -> Iterator[Any]:
        """Yield what pyarrow reads, each with the names of the columns.

        pyarrow reads in a thread of its own. Waiting for it, the main thread would not
        notice an interrupt, so standard input is read here.
        """
        if self.path != STANDARD:
            yield pyarrow.PythonFile(source, "r")
            return
        names = (name.replace('"', '""') for name in self._written.values())
        header = self._delimiter.join(f'"{name}"' for name in names) + "\n"
        before = b""
        for block in source.blocks():
            yield pyarrow.BufferReader(before + block)
            before = header.encode("latin-1") if self._header else b""

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return the columns; one with mostly numbers is a column of numbers."""
        found = []
        for name in self._written:
            column, wrong = _numbers(piece.batch.column(name), missing)
            there = len(column) - column.null_count + len(wrong)
            mostly = there - len(wrong) >= _MOSTLY * there
            found.append(Column(name, "number" if mostly else "text"))
        return found

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        found, bad = {}, dict[int, Bad]()
        for name in columns.names:
            read, kind = (_numbers, NUMBER) if name in columns.numbers else _WORDS
            found[name], wrong = read(piece.batch.column(name), columns.missing)
            for i, text in wrong:
                bad.setdefault(i, Bad(int(piece.lines[i]), kind, name, repr(text)))
        batch, lines = pyarrow.RecordBatch.from_pydict(found), piece.lines
        if bad:
            good = np.isin(np.arange(len(lines)), list(bad), invert=True)
            batch, lines = batch.filter(good), lines[good]
        return rows_of(batch, columns, lines, piece.end, (*piece.bad, *bad.values()))


def number(text: str) -> float:
    """Convert text to a number, or raise ValueError; underscores are not allowed.

    Examples
    --------
    >>> number(" 1e3"), number("abc")
    Traceback (most recent call last):
    ValueError: not a number: 'abc'
    """
    with contextlib.suppress(ValueError):
        if "_" not in text:
            return float(text)
    raise ValueError(f"not a number: {text!r}")


_Wrong = list[tuple[int, str]]  # rows and what is there


def _numbers(column: Any, missing: Sequence[str]) -> tuple[Any, _Wrong]:
    """Convert text to numbers; return the entries that are none, too."""
    try:
        return column.cast(pyarrow.float64()), []
    except pyarrow.ArrowInvalid:
        column = compute.utf8_trim_whitespace(column)
    gaps = compute.is_in(column, pyarrow.array(["", *missing]))
    column = compute.if_else(gaps, None, column)
    with contextlib.suppress(pyarrow.ArrowInvalid):
        return column.cast(pyarrow.float64()), []
    values, wrong = [], []
    for i, text in enumerate(column.to_pylist()):
        try:
            values.append(None if text is None else number(text))
        except ValueError:
            values.append(None)
            wrong.append((i, text))
    return pyarrow.array(values, pyarrow.float64()), wrong


def _decoded(text: str) -> str:
    """Return text in UTF-8 that was read as Latin-1."""
    return text.encode("latin-1").decode()


def _words(column: Any, missing: Sequence[str]) -> tuple[Any, _Wrong]:
    """Decode text; return the entries that are not UTF-8, too."""
    if compute.all(compute.string_is_ascii(column)).as_py() is not False:
        return column, []
    values, wrong = [], []
    for i, text in enumerate(column.to_pylist()):
        try:
            values.append(None if text is None else _decoded(text))
        except UnicodeDecodeError:
            values.append(None)
            wrong.append((i, text))
    return pyarrow.array(values, pyarrow.string()), wrong


_WORDS = _words, ENCODING


class Parquet(Table):
    """A Parquet file."""

    def _opened(self) -> list[Column]:
        if self.path == STANDARD:
            raise ValueError(f"{self.name} cannot be parquet, which is not a stream")
        with self._file() as file:
            groups = map(file.metadata.row_group, range(file.num_row_groups))
            sizes = [group.num_rows for group in groups]
            self.rows = file.metadata.num_rows
            if min(sizes, default=0) < 0 or sum(sizes) != self.rows:
                raise ValueError(
                    f"its row groups must have {self.rows} rows together, got {sizes}"
                )
            self.groups = [0, *itertools.accumulate(sizes)][:-1]  # their first rows
            return _columns(file.schema_arrow)

    def _file(self, **more: Any) -> Any:
        check_pyarrow()
        return pyarrow.parquet.ParquetFile(
            self.path, memory_map=False, pre_buffer=False, **more
        )

    def _batches(self, first: int, rows: int, names: list[str]) -> Iterator[Any]:
        left = cast(int, self.rows) - first
        if left <= 0:
            return
        group = int(np.searchsorted(self.groups, first, side="right")) - 1
        skip = first - self.groups[group]
        # text as dictionaries: else a long one would be copied for each row
        texts = [column.name for column in self.columns if column.kind == "text"]
        many = min(_DECODED, max(_ENTRIES // max(len(names), 1), 1))
        with self._file(read_dictionary=texts) as file:
            for batch in file.iter_batches(
                batch_size=max(rows, many // rows * rows),
                row_groups=range(group, len(self.groups)),
                columns=names,
            ):
                batch.validate(full=True)
                passed = min(skip, batch.num_rows)
                skip -= passed
                left -= batch.num_rows - passed
                yield batch.slice(passed)
        if left:
            raise ValueError(f"it must have {self.rows} rows, {left} are missing")


class Arrow(Table):
    """An Arrow file or stream of record batches; Feather files are Arrow files.

    A file is read as the stream that is in it, from the start. Record batches come in
    the order of the file, each dictionary before the first batch that needs it.
    """

    def _opened(self) -> list[Column]:
        check_pyarrow()
        self._source: Any = _Bytes(self.path).file if self.path == STANDARD else None
        if self._source is not None:
            self._source = pyarrow.ipc.open_stream(self._source)
            return _columns(self._source.schema)
        with self._stream() as stream:
            schema = stream.schema
        with Path(self.path).open("rb") as file:
            counted = file.read(len(_MAGIC)) == _MAGIC
        if counted:  # a stream does not say how many rows come
            self.rows = pyarrow.dataset.dataset(self.path, format="ipc").count_rows()
        return _columns(schema)

    @contextlib.contextmanager
    def _stream(self) -> Iterator[Any]:
        """Open the stream of a file."""
        if self._source is not None:
            yield self._source
            return
        with pyarrow.OSFile(self.path) as source:
            if source.read(len(_MAGIC)) != _MAGIC:
                source.seek(0)
            yield pyarrow.ipc.open_stream(source)

    def _batches(self, first: int, rows: int, names: list[str]) -> Iterator[Any]:
        skip, seen = first, 0
        with self._stream() as stream:
            for batch in stream:
                batch = batch.select(names)
                batch.validate(full=True)
                passed = min(skip, batch.num_rows)
                skip -= passed
                seen += batch.num_rows
                yield batch.slice(passed)
        if self.rows is not None and seen != self.rows:
            raise ValueError(f"it must have {self.rows} rows, got {seen}")


class Npy(Table):
    """An array on disk; its columns are named 0, 1, 2, ..."""

    def _opened(self) -> list[Column]:
        check_pyarrow()
        if self.path == STANDARD:
            raise ValueError(f"{self.name} cannot be npy, which is not a stream")
        with Path(self.path).open("rb") as file:
            of = np.lib.format
            first = of.read_magic(file) == (1, 0)  # others have a longer header
            read = of.read_array_header_1_0 if first else of.read_array_header_2_0
            shape, self._by_columns, self._type = read(file)
            self._start = file.tell()
        if len(shape) != 2 or self._type.kind not in "biuf":
            raise ValueError(
                f"{self.path} must hold numbers in two dimensions, got {self._type} of "
                f"shape {shape}"
            )
        _check_width(shape[1])
        wanted = self._start + math.prod(shape) * self._type.itemsize
        found = Path(self.path).stat().st_size
        if min(shape) < 0 or found < wanted:
            raise ValueError(f"shape {shape} needs {wanted} bytes, got {found}")
        self.rows = shape[0]
        return [Column(str(j), "number") for j in range(shape[1])]

    def _batches(self, first: int, rows: int, names: list[str]) -> Iterator[Any]:
        height, width = cast(int, self.rows), len(self.columns)
        native = self._type.newbyteorder("=")
        with Path(self.path).open("rb") as file:
            for start in range(first, height, rows):
                many = min(rows, height - start)
                if self._by_columns:
                    starts = [int(name) * height + start for name in names]
                    columns = [self._entries(file, at, many) for at in starts]
                else:
                    block = self._entries(file, start * width, many * width)
                    columns = list(block.reshape(many, width).T[list(map(int, names))])
                arrays = [
                    pyarrow.array(np.ascontiguousarray(one, native), from_pandas=False)
                    for one in columns
                ]
                yield pyarrow.RecordBatch.from_arrays(arrays, names)

    def _entries(self, file: Any, first: int, count: int) -> npt.NDArray[Any]:
        file.seek(self._start + first * self._type.itemsize)
        found = np.fromfile(file, self._type, count)
        if len(found) < count:
            raise ValueError(f"it must have {self.rows} rows, some are missing")
        return found


_Loaded = tuple[Any, Any, Any]  # entries, labels and lines


class Svmlight(Table):
    """An svmlight file: sparse rows, with columns named by their index.

    Without ``width`` a file is read once to find the largest index. A position is found
    again by reading from the start.
    """

    unit = "line"

    def __init__(self, path: str, width: int | None = None) -> None:
        if width is None and path == STANDARD:
            raise ValueError(
                "features must be given for svmlight from standard input: one more "
                "than the largest index"
            )
        if width is not None and width > _WIDEST:
            raise ValueError(f"features must be at most {_WIDEST}, got {width}")
        self.width: int | None = width
        super().__init__(path)

    size = Delimited.size

    def _opened(self) -> list[Column]:
        if self.width is None:
            found = (self._loaded(piece, [])[0] for piece in self.pieces())
            self.width = max((X.shape[1] for X in found), default=0) or 1
        return []

    def pieces(
        self,
        place: Place = Place(),  # noqa: B008
        rows: int = 4096,
        names: Sequence[str] | None = None,
    ) -> Iterator[Piece]:
        """Yield this number of lines at a time."""
        with reading(self.name), contextlib.closing(_Bytes(self.path)) as source:
            every = enumerate(iter(lambda: source.file.readline(LONGEST), b""), 1)
            left, offset = itertools.islice(every, place.line, None), place.offset
            while some := list(itertools.islice(left, rows)):
                numbers, lines = zip(*some, strict=True)
                for number, line in some:
                    if len(line) == LONGEST:
                        raise ValueError(f"line {number} is longer than {LONGEST}")
                offset += sum(map(len, lines))
                yield Piece(lines, np.array(numbers), (), Place(offset, numbers[-1]))

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        bad: list[Bad] = []
        X, labels, lines = self._loaded(piece, bad)
        values, codes = np.unique(labels, return_inverse=True)
        written = [str(_written(value)) for value in values.tolist()]
        texts = Texts(written, codes.astype(np.int32))
        return Rows(X, {}, [], texts, lambda: lines, tuple(bad), piece.end)

    def _loaded(self, piece: Piece, bad: list[Bad]) -> _Loaded:
        """Return entries, labels and lines of rows; add lines that are none to bad."""
        lines, numbers = piece[:2]
        try:
            X, labels = load_svmlight_file(
                io.BytesIO(b"".join(lines)), n_features=self.width, zero_based=True
            )
            if X.shape[1] > _WIDEST:
                raise ValueError(f"an index above {_WIDEST - 1}")
            if np.abs(labels).max(initial=0.0) >= _EXACT:
                raise ValueError(f"a label must be below {_EXACT}, else it is rounded")
        except (ValueError, OverflowError) as failure:
            if len(lines) == 1:
                bad.append(Bad(int(numbers[0]), FORM, None, str(failure)))
                nothing = csr_matrix((0, self.width or 0))
                return nothing, np.empty(0), numbers[:0]
            cut = len(lines) // 2
            first, second = (
                self._loaded(Piece(lines[half], numbers[half], (), piece.end), bad)
                for half in (slice(cut), slice(cut, None))
            )
            return _stacked(first, second)
        X.eliminate_zeros()
        parts = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
        there = [bool(line.partition(b"#")[0].strip()) for line in lines]
        return csr_matrix(parts, X.shape), labels, numbers[there]


def _stacked(first: _Loaded, second: _Loaded) -> _Loaded:
    width = max(first[0].shape[1], second[0].shape[1])
    for X, *_ in (first, second):
        X.resize(X.shape[0], width)
    X = csr_matrix(vstack([first[0], second[0]]))
    return X, np.append(first[1], second[1]), np.append(first[2], second[2])


class Frames(Table):
    """A table in memory, or an iterator over tables, which is read once."""

    def __init__(self, source: Any) -> None:
        self._source: Iterable[Any]
        if isinstance(source, Iterator):
            tables = map(record_batch, source)
            first = next(tables, None)
            if first is None:
                raise ValueError("source must have a table or more, got none")
            self._source = itertools.chain([first], tables)
        else:
            first = record_batch(source)
            self._source, self.rows = [first], first.num_rows
        self._first = first
        super().__init__("source")
        if self.rows is None:
            self.path = STANDARD

    def _opened(self) -> list[Column]:
        return _columns(self._first.schema)

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield at most this number of rows of a table at a time."""
        start = 0
        for batch in self._source:
            for name in set(names or ()).difference(batch.schema.names):
                raise ValueError(f"{self.name}, row {start + 1}: no column {name!r}")
            for first in range(max(place.offset - start, 0), batch.num_rows, rows):
                part = batch.slice(first, rows)
                stop = start + first + part.num_rows
                lines = np.arange(start + first + 1, stop + 1)
                yield Piece(part, lines, (), Place(stop, stop))
            start += batch.num_rows


def record_batch(X: Any) -> Any:
    """Return a table as one record batch, without the index of pandas."""
    check_pyarrow("a table with text, dates or gaps")
    if not hasattr(X, "__arrow_c_stream__"):
        raise TypeError(
            "X must be a table, such as a DataFrame of pandas or polars or a Table of "
            f"pyarrow, got {type(X).__name__}"
        )
    try:
        table = pyarrow.table(X)
    except pyarrow.ArrowException as failure:
        text = " ".join(str(failure).split())
        raise TypeError(f"X must have one type in each column: {text}") from None
    own = (table.schema.metadata or {}).get(b"pandas")
    if own is not None:
        index = [i for i in json.loads(own)["index_columns"] if isinstance(i, str)]
        table = table.drop_columns([i for i in index if i in table.schema.names])
    names = table.schema.names
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"X must have one column of each name, got more {name!r}")
    columns = []
    for column in table.columns:
        one = column.combine_chunks()
        if isinstance(one, pyarrow.ChunkedArray):  # longer than a chunk may be
            raise ValueError("X must have less than 2 GiB of text in a column")
        if pyarrow.types.is_floating(one.type):
            gaps = compute.is_nan(one)
            if compute.any(gaps).as_py():
                one = compute.if_else(gaps, None, one)
        columns.append(one)
    return pyarrow.record_batch(columns, names=names)


def _columns(schema: Any) -> list[Column]:
    return [Column(field.name, kind_of(field.type)) for field in schema]


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


def rows_of(
    batch: Any,
    columns: Columns,
    lines: npt.NDArray[np.int64],
    end: Place,
    bad: tuple[Bad, ...] = (),
) -> Rows:
    """Return the rows of a record batch."""
    given = [batch.column(name) for name in columns.numbers]
    single = all(map(_fits_single, (column.type for column in given)))
    wide = pyarrow.float32() if given and single else pyarrow.float64()
    numbers = [_number(column, wide) for column in given]
    block = np.empty((batch.num_rows, 0))
    if numbers:
        together = pyarrow.RecordBatch.from_arrays(numbers, list(columns.numbers))
        block = together.to_tensor(null_to_nan=True, row_major=True).to_numpy()
    missing = {
        j: np.flatnonzero(column.is_null())
        for j, column in enumerate(numbers)
        if column.null_count
    }
    with np.errstate(over="ignore", invalid="ignore"):
        finite = not missing and bool(np.isfinite(block.sum()))  # then all entries are
    if not finite and "nan" in {word.lower() for word in columns.missing}:
        for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
            missing[j] = np.flatnonzero(np.isnan(block[:, j]))
    target = columns.target
    return Rows(
        block,
        missing,
        [text_of(batch.column(name), columns.missing) for name in columns.texts],
        None if target is None else text_of(batch.column(target), columns.missing),
        lambda: lines,
        bad,
        end,
        finite,
    )


def _fits_single(type_: Any) -> bool:
    """Return whether single precision is exact for a type."""
    types = pyarrow.types
    small = types.is_float32(type_) or types.is_float16(type_)
    short = types.is_integer(type_) and type_.bit_width <= 16
    return bool(small or short or types.is_boolean(type_))


def _number(column: Any, wide: Any) -> Any:
    """Return a column as floats."""
    if pyarrow.types.is_boolean(column.type):
        column = column.cast(pyarrow.uint8())
    return column.cast(wide, safe=False)  # decimals, large whole numbers


def text_of(array: Any, missing: tuple[str, ...] = ()) -> Texts:
    """Return a column as text with codes; integers without a decimal point."""
    of = pyarrow.types
    if of.is_timestamp(array.type) or of.is_date(array.type):
        array = array.cast(pyarrow.string())
    if not of.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = array.indices.cast(pyarrow.int64()).fill_null(-1)
    codes = codes.to_numpy(zero_copy_only=False).astype(np.int32)
    dictionary = array.dictionary
    if len(dictionary) > len(codes):  # of many batches: take the values of this one
        there = codes >= 0
        used, codes[there] = np.unique(codes[there], return_inverse=True)
        dictionary = dictionary.take(pyarrow.array(used))
    values: list[Any] = [_written(value) for value in dictionary.to_pylist()]
    # values of a dictionary may be there twice, may be missing, and need not occur
    gaps = {None, *missing}
    if len(set(values)) < len(values) or not gaps.isdisjoint(values):
        distinct = list(dict.fromkeys(v for v in values if v not in gaps))
        number = {value: i for i, value in enumerate(distinct)}
        where = [number.get(v, -1) for v in values]
        return Texts(distinct, np.array([*where, -1], np.int32)[codes])
    return Texts(values, codes)


def _written(value: Any) -> str | None:
    """Return a value as text; integral floats without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else str(value)


def format_of(path: str) -> str:
    """Return the format of a file by its name; CSV for standard input.

    Examples
    --------
    >>> format_of("clicks.tsv.gz"), format_of("-")
    ('tsv', 'csv')
    """
    if path == STANDARD:
        return "csv"
    for found, endings in ENDINGS.items():
        if path.lower().endswith(endings):
            return found
    known = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
    raise ValueError(
        f"file must end in one of {known}, or needs a format, got {path!r}"
    )


def open_table(
    path: str,
    format: str | None = None,
    *,
    header: bool = True,
    features: int | None = None,
    delimiter: str | None = None,
) -> Table:
    """Open a file for reading.

    Parameters
    ----------
    path
        The file; ``"-"`` is standard input.
    format
        One of ``FORMATS``; by default what the name of the file says.
    header
        Whether the first line of CSV and TSV names the columns. If not, their names are
        0, 1, 2, ...
    features
        Number of columns of svmlight; by default one more than the largest index.
    delimiter
        Character between fields of CSV and TSV; by default a comma or a tab.
    """
    found = format_of(path) if format is None else format
    if found not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {found!r}")
    if path != STANDARD and not Path(path).is_file():
        if Path(path).exists():
            raise ValueError(
                f"{path} must be a file, got a pipe or a device; read a pipe as -"
            )
        raise ValueError(f"there is no file {path!r}")
    if found in ("csv", "tsv"):
        own = delimiter or ("," if found == "csv" else "\t")
        return Delimited(path, own, header=header)
    if found == "svmlight":
        return Svmlight(path, features)
    return {"parquet": Parquet, "arrow": Arrow, "npy": Npy}[found](path)
