"""Tables in batches of rows: CSV, Parquet, Arrow, svmlight and frames.

pyarrow reads all but svmlight. Rows of CSV are text at first: numbers are converted
batch by batch, so that the row of a bad one is known. Files are not mapped into memory:
one that is cut while it is read would end the process. From top to bottom: what readers
return, the formats, the rows of a record batch, and the columns to learn from.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import itertools
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, issparse, vstack

from rosenblatt.system.extras import missing

try:
    import pyarrow
    import pyarrow.compute as compute
    import pyarrow.csv
    import pyarrow.ipc
except ImportError:
    pyarrow = None

# Reasons for rejecting a row, as they are counted and said.
FIELDS = "wrong number of fields"
NUMBER = "not a number"
NAN = "NaN"
INFINITE = "infinite"
ENCODING = "not UTF-8"
FORM = "not index:value"
NO_LABEL = "missing label"
LABEL = "unseen label"
LONG_LABEL = "label of more than 1000 characters"
WEIGHT = "weight that is not a number from 0"
REFUSED = "refused by the model"  # such as numbers whose squares overflow

STANDARD = "-"  # the name of standard input
# Words that stand for a missing value, besides nothing at all, unless others are given.
GAPS = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>", "#N/A")
LONGEST_LABEL = 1000  # characters
LONGEST = 2**22  # bytes of a row of text; beyond this a quotation mark is missing
MOST_COLUMNS = 2**16  # of a table; svmlight has more
_SHOWN = 200  # characters of a value that a message shows
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
}
FORMATS = tuple(ENDINGS)
TEXTS = ("category", "one-hot", "hash", "date", "text")  # roles of columns of text
ROLES = ("number", *TEXTS, "ignore", "id", "weight")  # of a column, if a user says so
_OTHERS = (";", "\t", "|", ",")  # delimiters that a table may have
_FIGURES = re.compile(r"[+-]?\d+(\.\d*)?")  # in a first line that is no header


class Column(NamedTuple):
    """A column of a file, with its kind if that is known."""

    name: str
    kind: str | None  # "number", "text", "date", None, or a type that is not learned


class Columns(NamedTuple):
    """The columns to read: numbers, texts, target, and weight of a row."""

    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    target: str | None = None
    weight: str | None = None
    missing: tuple[str, ...] = ()  # what stands for a missing value, besides nothing
    numeric: bool = False  # the target is a number

    @property
    def names(self) -> list[str]:
        """All columns that are read."""
        more = (name for name in (self.target, self.weight) if name is not None)
        return [*self.numbers, *self.texts, *more]


class Texts(NamedTuple):
    """A column of text: entry i is ``values[codes[i]]``, or missing if it is -1."""

    values: list[str]
    codes: npt.NDArray[np.int32]

    @property
    def present(self) -> list[str]:
        """The values that occur, in the order of their codes."""
        return [self.values[i] for i in np.unique(self.codes[self.codes >= 0])]

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The entries as numbers; NaN for other text and what is missing."""
        found = np.full(len(self.values) + 1, np.nan)
        for i, value in enumerate(self.values):
            with contextlib.suppress(ValueError):
                found[i] = _number_in(value)
        return found[self.codes]


class Bad(NamedTuple):
    """A bad row: its line, the reason, the column and the value."""

    line: int
    kind: str
    column: str | None = None
    value: str | None = None


class BadRowError(ValueError):
    """The error of a bad row; it names file, line and column."""


class Piece(NamedTuple):
    """Some rows of a file, before they are parsed; of svmlight its lines."""

    batch: Any
    lines: npt.NDArray[np.int64]  # the number of each row, from 1
    bad: Sequence[Bad] = ()

    @property
    def end(self) -> int:
        """The number of the last row."""
        return int(max([*self.lines[-1:], *(bad.line for bad in self.bad)], default=0))


class Rows(NamedTuple):
    """A batch of rows.

    ``numbers`` is a block in the order of rows, or a sparse matrix. Missing numbers are
    NaN, and ``missing`` has their rows, for each column with any. ``finite`` is true if
    all numbers are known to be finite.
    """

    columns: Columns
    numbers: Any
    missing: dict[int, npt.NDArray[np.intp]]
    texts: list[Texts]
    labels: Any  # Texts, or numbers with NaN for missing ones; None without a target
    weights: npt.NDArray[np.float64] | None  # how often each row counts
    lines: npt.NDArray[np.int64]
    bad: Sequence[Bad] = ()
    finite: bool = False  # for certain

    @property
    def size(self) -> int:
        """The number of rows."""
        return int(self.numbers.shape[0])

    @property
    def label_values(self) -> list[str]:
        """The labels that occur, without those that are too long."""
        known = [] if self.labels is None else self.labels.present
        return [label for label in known if len(label) <= LONGEST_LABEL]


def is_sparse(numbers: Any) -> bool:
    """Return whether numbers are a sparse matrix."""
    return bool(issparse(numbers))


# What the readers of formats are documented to raise for bad files.
_DOCUMENTED: tuple[type[Exception], ...] = (
    ValueError,
    OSError,
    EOFError,
    OverflowError,
    MemoryError,
    zlib.error,
    *(() if pyarrow is None else (pyarrow.ArrowException,)),
)


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise errors of a reader as one line with the name of the file.

    Examples
    --------
    >>> with reading("rows.csv.gz"):
    ...     _ = gzip.decompress(b"no")
    Traceback (most recent call last):
    ValueError: rows.csv.gz cannot be read: Not a gzipped file (b'no')
    """
    try:
        yield
    except _DOCUMENTED as failure:
        text = " ".join(str(failure).split()) or type(failure).__name__
        own = isinstance(failure, ValueError) and text.startswith(name)
        if own or getattr(failure, "filename", None) is not None:  # it names the file
            raise
        if "straddling" in text:  # two blocks, as pyarrow says
            text = "a row is too long; a quotation mark may be missing"
        raise ValueError(f"{name} cannot be read: {_cut_off(text)}") from None


def _cut_off(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def check_pyarrow(purpose: str = "reading files") -> None:
    """Raise ImportError if pyarrow is not installed."""
    if pyarrow is None:
        raise missing("pyarrow", purpose)


class Table:
    """A file that is read in batches of a fixed number of rows.

    ``rows`` is their number, or None if the file does not say.
    """

    unit = "row"  # of line numbers in messages
    first = 1  # the number of the first row
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

    def _opened(self) -> list[Column]:
        """Open the file; return its columns."""
        raise NotImplementedError

    def _start(self, after: int) -> int:
        """Return the number of rows to pass by before reading those after a row."""
        return 0

    def _batches(self, start: int, rows: int, names: list[str]) -> Iterator[Any]:
        """Yield record batches with these columns, from a start on."""
        raise NotImplementedError

    def _numbered(self, after: int, rows: int, names: list[str]) -> Iterator[Piece]:
        """Yield pieces of any size."""
        start = self._start(after)
        for batch in self._batches(start, rows, names):
            batch.validate(full=True)
            stop, first = start + batch.num_rows, max(after, start)
            if first < stop:
                lines = np.arange(first + 1, stop + 1)
                yield Piece(batch.slice(first - start), lines)
            start = stop
        if self.rows not in (None, start):
            raise ValueError(f"it must have {self.rows} rows, got {start}")

    def pieces(
        self, after: int = 0, rows: int = 4096, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield this number of rows at a time; the last may be fewer.

        Parameters
        ----------
        after
            The number of the row after which to begin.
        rows
            Number of rows.
        names
            The columns that are wanted; by default all columns.
        """
        wanted = [column.name for column in self.columns] if names is None else names
        with reading(self.name):
            yield from _cut(self._numbered(after, rows, list(wanted)), rows)

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return the columns with their kinds, from the first piece."""
        return self.columns

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        with reading(self.name):
            return rows_of(piece.batch, columns, piece.lines, piece.bad)

    def share(self, line: int) -> float | None:
        """Return the share of the file up to a row; None if it is not known."""
        return None if self.rows is None else line / max(self.rows, 1)

    def error(self, bad: Bad) -> BadRowError:
        """Return the error of a bad row."""
        where = "" if bad.column is None else f", column {bad.column!r}"
        what = "" if bad.value is None else f": {_cut_off(bad.value)}"
        return BadRowError(
            f"{self.name}, {self.unit} {bad.line}{where}: {bad.kind}{what}"
        )


def _check_width(columns: int) -> None:
    """Raise ValueError for too many columns, before memory is taken for them."""
    if columns > MOST_COLUMNS:
        raise ValueError(
            f"a table must have at most {MOST_COLUMNS} columns, got {columns}; "
            "svmlight files may have more"
        )


def _cut(parts: Iterator[Piece], rows: int) -> Iterator[Piece]:
    """Yield pieces of this many rows; the bad rows are those before the last one."""
    batches: list[Any] = []
    lines, bad = np.empty(0, np.int64), list[Bad]()
    for batch, new, found in parts:
        batches.append(batch)
        lines = np.concatenate([lines, new])
        bad += found
        while len(lines) >= rows:
            whole, end = _joined(batches), lines[rows - 1]
            before = [one for one in bad if one.line < end]
            yield Piece(whole.slice(0, rows), lines[:rows], before)
            batches, lines = [whole.slice(rows)], lines[rows:]
            bad = bad[len(before) :]
    if len(lines) or bad:
        yield Piece(_joined(batches), lines, bad)


def _joined(batches: list[Any]) -> Any:
    return batches[0] if len(batches) == 1 else pyarrow.concat_batches(batches)


class _Bytes:
    """Bytes of a file, also a packed one, or of standard input, for pyarrow.

    Standard input gives what has arrived. It is not ``sys.stdin.buffer``: Python closes
    that one when it ends, and fails if a thread is waiting there for more.
    """

    closed = False

    def __init__(self, path: str) -> None:
        self.quotes, self.ended, self._head = 0, False, b""
        self._size = None
        if path != STANDARD:
            self._raw = io.BufferedReader(io.FileIO(path))
            self._size = Path(path).stat().st_size
            opened: Any = {".gz": gzip.open, ".bz2": bz2.open}
            packed = opened.get(Path(path).suffix.lower())
            self.file = packed(self._raw) if packed else self._raw
            self._read = self.file.read
            return
        buffer: Any = sys.stdin.buffer
        raw = getattr(buffer, "raw", None)
        if isinstance(raw, io.FileIO):
            buffer = io.BufferedReader(io.FileIO(raw.fileno(), closefd=False), LONGEST)
        self.file, self._read = buffer, buffer.read1

    def share(self) -> float | None:
        """Return the share of the file that is read; None for standard input."""
        if self._size is None:
            return None
        return 1.0 if self._raw.closed else self._raw.tell() / max(self._size, 1)

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
        if self._size is not None:
            self._raw.close()


class Delimited(Table):
    """A CSV or TSV file; its first row has the names of its columns.

    Rows are numbered as in a spreadsheet, without blank ones. A position is found again
    by reading from the start. Bytes are read as if they were Latin-1, which they
    always can be, since pyarrow says of a block only that a row in it is not UTF-8.
    """

    def __init__(self, path: str, delimiter: str, *, header: bool = True) -> None:
        check_pyarrow()
        self._header, self._delimiter, self.first = header, delimiter, 1 + header
        super().__init__(path)

    def share(self, line: int) -> float | None:
        """Return the share of the bytes that is read."""
        return self._bytes.share()

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

    def _numbered(self, after: int, rows: int, names: list[str]) -> Iterator[Piece]:
        final = next(reversed(self._written))  # an open quotation mark ends there
        names = list(dict.fromkeys([*names, final]))
        written = [self._written[name] for name in names]
        bad, first = list[Bad](), self.first
        if self.path != STANDARD:
            self._bytes = _Bytes(self.path)
            self._bytes.head()
        with contextlib.closing(self._bytes) as source:
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
                    first, new = int(lines[-1]) + 1, lines > after
                    found = [one for one in bad if after < one.line < first]
                    bad[:] = [one for one in bad if one.line >= first]
                    named = batch.rename_columns(names)
                    yield Piece(named.filter(new), lines[new], found)
        found = [one for one in bad if one.line > after]
        if found:
            nothing = [pyarrow.nulls(0, pyarrow.string()) for _ in names]
            batch = pyarrow.record_batch(nothing, names)
            yield Piece(batch, np.empty(0, np.int64), found)

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
            number = name in columns.numbers or name == columns.weight
            number = number or (columns.numeric and name == columns.target)
            read, kind = (_numbers, NUMBER) if number else (_words, ENCODING)
            found[name], wrong = read(piece.batch.column(name), columns.missing)
            for i, text in wrong:
                bad.setdefault(i, Bad(int(piece.lines[i]), kind, name, repr(text)))
        batch, lines = pyarrow.RecordBatch.from_pydict(found), piece.lines
        if bad:
            good = np.isin(np.arange(len(lines)), list(bad), invert=True)
            batch, lines = batch.filter(good), lines[good]
        return rows_of(batch, columns, lines, (*piece.bad, *bad.values()))


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
    return _each(column, _number_in, pyarrow.float64())


def _number_in(text: str) -> float:
    if "_" in text:  # which Python allows
        raise ValueError(text)
    return float(text)


def _words(column: Any, missing: Sequence[str]) -> tuple[Any, _Wrong]:
    """Decode text; return the entries that are not UTF-8, too."""
    if compute.all(compute.string_is_ascii(column)).as_py() is not False:
        return column, []
    return _each(column, _decoded, pyarrow.string())


def _decoded(text: str) -> str:
    """Return text in UTF-8 that was read as Latin-1."""
    return text.encode("latin-1").decode()


def _each(column: Any, convert: Any, kind: Any) -> tuple[Any, _Wrong]:
    """Convert the entries of a column; return those that cannot be, too."""
    values, wrong = [], []
    for i, text in enumerate(column.to_pylist()):
        try:
            values.append(None if text is None else convert(text))
        except ValueError:
            values.append(None)
            wrong.append((i, text))
    return pyarrow.array(values, kind), wrong


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
            starts = itertools.accumulate(sizes, initial=0)
            self._groups: list[int] = list(starts)  # their first rows
            return columns_of(file.schema_arrow)

    def _file(self, **more: Any) -> Any:
        check_pyarrow()
        return import_module("pyarrow.parquet").ParquetFile(
            self.path, memory_map=False, pre_buffer=False, **more
        )

    def _start(self, after: int) -> int:
        return max(row for row in self._groups if row <= after)

    def _batches(self, start: int, rows: int, names: list[str]) -> Iterator[Any]:
        groups = range(self._groups.index(start), len(self._groups) - 1)
        # text as dictionaries: else a long one would be copied for each row
        texts = [column.name for column in self.columns if column.kind == "text"]
        many = min(_DECODED, max(_ENTRIES // max(len(names), 1), 1))
        with self._file(read_dictionary=texts) as file:
            size = max(rows, many // rows * rows)
            yield from file.iter_batches(size, row_groups=groups, columns=names)


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
            return columns_of(self._source.schema)
        with self._stream() as stream:
            schema = stream.schema
        with Path(self.path).open("rb") as file:
            counted = file.read(len(_MAGIC)) == _MAGIC
        if counted:  # a stream does not say how many rows come
            datasets = import_module("pyarrow.dataset")  # on use
            self.rows = datasets.dataset(self.path, format="ipc").count_rows()
        return columns_of(schema)

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

    def _batches(self, start: int, rows: int, names: list[str]) -> Iterator[Any]:
        with self._stream() as stream:
            for batch in stream:
                yield batch.select(names)


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

    share = Delimited.share

    def _opened(self) -> list[Column]:
        if self.width is None:
            found = (self._loaded(piece, [])[0] for piece in self.pieces())
            self.width = max((X.shape[1] for X in found), default=0) or 1
        return []

    def pieces(
        self, after: int = 0, rows: int = 4096, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield this number of lines at a time."""
        self._bytes = _Bytes(self.path)
        with reading(self.name), contextlib.closing(self._bytes) as source:
            every = enumerate(iter(lambda: source.file.readline(LONGEST), b""), 1)
            left = itertools.islice(every, after, None)
            while some := list(itertools.islice(left, rows)):
                numbers, lines = zip(*some, strict=True)
                for number, line in some:
                    if len(line) == LONGEST:
                        raise ValueError(f"line {number} is longer than {LONGEST}")
                yield Piece(lines, np.array(numbers))

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        bad: list[Bad] = []
        X, labels, lines = self._loaded(piece, bad)
        if not columns.numeric:
            values, codes = np.unique(labels, return_inverse=True)
            written = [str(_written(value)) for value in values.tolist()]
            labels = Texts(written, codes.astype(np.int32))
        return Rows(columns, X, {}, [], labels, None, lines, bad)

    def _loaded(self, piece: Piece, bad: list[Bad]) -> _Loaded:
        """Return entries, labels and lines of rows; add lines that are none to bad."""
        lines, numbers = piece[:2]
        try:
            load = import_module("sklearn.datasets").load_svmlight_file  # on use
            X, labels = load(
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
                self._loaded(Piece(lines[half], numbers[half]), bad)
                for half in (slice(cut), slice(cut, None))
            )
            width = max(first[0].shape[1], second[0].shape[1])
            for X, *_ in (first, second):
                X.resize(X.shape[0], width)
            X = csr_matrix(vstack([first[0], second[0]]))
            return X, np.append(first[1], second[1]), np.append(first[2], second[2])
        X.eliminate_zeros()
        parts = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
        there = [bool(line.partition(b"#")[0].strip()) for line in lines]
        return csr_matrix(parts, X.shape), labels, numbers[there]


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
        return columns_of(self._first.schema)

    def pieces(
        self, after: int = 0, rows: int = 4096, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield at most this number of rows of a table at a time."""
        start = 0
        for batch in self._source:
            for name in set(names or ()).difference(batch.schema.names):
                raise ValueError(f"{self.name}, row {start + 1}: no column {name!r}")
            for first in range(max(after - start, 0), batch.num_rows, rows):
                part = batch.slice(first, rows)
                stop = start + first + part.num_rows
                yield Piece(part, np.arange(start + first + 1, stop + 1))
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
    except ValueError as failure:  # of pandas, with some names twice
        raise ValueError(f"X must have one column of each name: {failure}") from None
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


def columns_of(schema: Any) -> list[Column]:
    """Return the columns of a schema of Arrow."""
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
    bad: Sequence[Bad] = (),
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

    def numbers_of(name: str, gap: float) -> npt.NDArray[np.float64]:
        column = _number(batch.column(name), pyarrow.float64()).fill_null(gap)
        return np.asarray(column.to_numpy(zero_copy_only=False))

    labels: Any = None
    if columns.target is not None and columns.numeric:
        labels = numbers_of(columns.target, np.nan)
    elif columns.target is not None:
        labels = text_of(batch.column(columns.target), columns.missing)
    weight = columns.weight
    return Rows(
        columns,
        block,
        missing,
        [text_of(batch.column(name), columns.missing) for name in columns.texts],
        labels,
        None if weight is None else numbers_of(weight, 1.0),
        lines,
        bad,
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
    return {"parquet": Parquet, "arrow": Arrow}[found](path)


def check_columns(table: Table, names: Collection[str]) -> None:
    """Raise ValueError if a file lacks one of these columns; svmlight has no names."""
    if not hasattr(table, "width"):
        _check_names(table.name, table.columns, names)


def _check_names(where: str, columns: Sequence[Column], names: Collection[str]) -> None:
    there = [column.name for column in columns]
    for name in names:
        if name not in there:
            raise ValueError(f"{where} has no column {name!r}; {_listed(there)}")


def choose(
    where: str,
    columns: Sequence[Column],
    roles: Mapping[str, str],
    target: str | None = None,
    missing: Sequence[str] = (),
) -> tuple[Columns, list[str]]:
    """Return the columns to learn from, by their kinds and their roles.

    The kind of each text column comes too: category, one-hot, hash, date or text; or
    "", which leaves it to the first batch.

    Parameters
    ----------
    where
        Name of the table, for errors.
    columns
        All its columns, with the kinds that its reader found; none of svmlight.
    roles
        Roles of columns by name, one of ``ROLES``: what the user has said of them.
    target
        The column of labels.
    missing
        Words that stand for a missing value.
    """
    if not columns and target is not None:
        return Columns((), (), target, missing=tuple(missing)), []
    _check_names(where, columns, [*roles, *([] if target is None else [target])])
    weights = [name for name, role in roles.items() if role == "weight"]
    if len(weights) > 1:
        raise ValueError(f"weight must be one column, got {', '.join(weights)}")
    numbers, texts = [], {}
    for name, kind in columns:
        role = roles.get(name)
        if name == target or role in ("ignore", "id", "weight"):
            continue
        if role in TEXTS:
            texts[name] = role
        elif role == "number" or kind == "number":
            numbers.append(name)
        elif kind in ("text", "date"):
            texts[name] = "" if kind == "text" else "date"
        else:
            nested = "<" in (kind or "")  # such as struct<a: int64>
            raise ValueError(
                f"{where}, column {name!r}: {kind} is neither number nor text; "
                f"ignore it{'' if nested else ', or take it as category'}"
            )
    if not numbers and not texts:
        besides = "" if target is None else f" besides the target, {target!r}"
        raise ValueError(f"{where} has no column{besides} that is not ignored")
    weight = weights[0] if weights else None
    own = Columns(tuple(numbers), tuple(texts), target, weight, tuple(missing))
    return own, list(texts.values())


def _listed(names: Sequence[str], most: int = 20) -> str:
    """Return the names of columns for an error, with its likely reason."""
    more = ", ..." if len(names) > most else ""
    found = "it has " + (", ".join(map(repr, names[:most])) or "none") + more
    for mark in _OTHERS:
        if len(names) == 1 and mark in names[0]:
            return f"{found}; is {mark!r} its delimiter?"
    if any(map(_FIGURES.fullmatch, names)) and names[0] != "0":
        return f"{found}; is its first line a row? then take --no-header"
    return found
