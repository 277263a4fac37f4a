"""Reader of CSV and TSV files, plain, compressed, or from standard input."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.arrow import check_pyarrow, rows_of, text_of
from rosenblatt.tables.batches import (
    ENCODING,
    FIELDS,
    NUMBER,
    Bad,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    check_names,
    reading,
)
from rosenblatt.tables.text.records import (
    STANDARD,
    Piece,
    first_record,
    open_bytes,
    pieces,
)

try:
    import pyarrow
    import pyarrow.csv
except ImportError:
    pyarrow = None

__all__ = ["Delimited", "number"]

_BLOCK = 2**30  # bytes that pyarrow takes at once: all that it is given
_MOSTLY = 0.5  # a column of which more than this are numbers is one of numbers


def number(text: str) -> float:
    """Convert text to a number, or raise ValueError; underscores are not allowed.

    Examples
    --------
    >>> number(" 1e3"), number("abc")
    Traceback (most recent call last):
    ValueError: not a number: 'abc'
    """
    try:
        if "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise ValueError(f"not a number: {text!r}")


def _is_number(text: str) -> bool:
    try:
        number(text)
    except ValueError:
        return False
    return True


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _are_numbers(texts: Texts) -> bool:
    """Return whether most entries are numbers, or there are none."""
    values = pyarrow.array(texts.values, pyarrow.string())
    try:
        values.cast(pyarrow.float64())
    except pyarrow.ArrowInvalid:
        there = texts.codes[texts.codes >= 0]
        numbers = np.array([_is_number(value) for value in texts.values])
        return bool(numbers[there].sum() >= _MOSTLY * len(there))
    return True


class Delimited:
    """A CSV or TSV file, with the names of its columns on the first line.

    Records are cut off by their number, so that a batch is the same rows each time, and
    parsed by pyarrow. Only if that fails are they looked at one by one: this is slower,
    and names the row that is wrong.
    """

    unit = "line"
    rows: int | None = None

    def __init__(self, path: str, delimiter: str, *, header: bool = True) -> None:
        check_pyarrow()
        self.path, self.delimiter = path, delimiter
        self.name = "standard input" if path == STANDARD else path
        with reading(self.name):
            record = self._first()
        if not record.strip(b"\r\n\xef\xbb\xbf \t"):
            raise ValueError(f"{self.name} cannot be read: it is empty")
        if b"\0" in record:
            raise ValueError(
                f"{self.name} must be text in UTF-8; its first line is not: is it "
                "packed, or in another format or encoding?"
            )
        self._consumed = len(record)
        self._already = b"" if header or path != STANDARD else record
        self._start = Place(len(record), record.count(b"\n")) if header else Place()
        text = record.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        with reading(self.name):
            fields = self._split(text.strip("\r\n"))
        self._names = fields if header else list(map(str, range(len(fields))))
        check_names(f"{self.name}, line 1", self._names)
        self.columns = [Column(name, None) for name in self._names]

    def _first(self) -> bytes:
        """Return the first record."""
        stream = open_bytes(self.path, Place())
        try:
            return first_record(stream, self.delimiter)
        finally:
            if self.path != STANDARD:
                stream.close()

    def _split(self, text: str) -> list[str]:
        """Return the fields of a record."""
        given = io.StringIO(text, newline="")
        return next(csv.reader(given, delimiter=self.delimiter), [])

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield this number of records at a time."""
        place = max(place, self._start)
        already = self._already if not place.offset else b""
        with reading(self.name):
            stream = open_bytes(self.path, place, self._consumed)
            try:
                yield from pieces(
                    stream,
                    rows,
                    place,
                    delimiter=self.delimiter,
                    name=self.name,
                    already=already,
                )
            finally:
                if self.path != STANDARD:
                    stream.close()

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns, by most of their entries in a piece."""
        batch = self._parsed(piece, Columns((), tuple(self._names), None), skip=True)
        if batch is not None and batch.num_rows:
            texts = (text_of(column, tuple(missing)) for column in batch.columns)
            return [
                Column(name, "number" if _are_numbers(each) else "text")
                for name, each in zip(self._names, texts, strict=True)
            ]
        gaps = {"", *missing}
        read = [r for _, r in self._fields(piece) if not isinstance(r, Bad)]
        rows = [r for r in read if len(r) == len(self._names)]
        if not rows:
            return [Column(name, "number") for name in self._names]
        found = []
        for name, entries in zip(self._names, zip(*rows, strict=True), strict=True):
            given = [entry for entry in entries if entry not in gaps]
            numbers = sum(map(_is_number, given))
            kind = "number" if numbers >= _MOSTLY * len(given) else "text"
            found.append(Column(name, kind))
        return found

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        batch = self._parsed(piece, columns)
        if batch is not None:
            full = batch.num_rows == len(piece.ends)
            if full or batch.num_rows == sum(1 for r in piece.records if r):
                return rows_of(batch, columns, lambda: self._lines(piece), piece.end)
        return self._one_by_one(piece, columns)

    def _lines(self, piece: Piece) -> npt.NDArray[np.int64]:
        """Return the lines of records that are not blank."""
        there = [bool(record) for record in piece.records]
        return np.asarray(piece.lines[np.array(there)])

    def _parsed(self, piece: Piece, columns: Columns, skip: bool = False) -> Any:
        """Parse a piece with pyarrow; return None if that fails."""
        text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        types = dict.fromkeys(columns.names, text)
        types |= dict.fromkeys(columns.numbers, pyarrow.float64())
        handler = (lambda row: "skip") if skip else None
        if skip and not _is_text(
            piece.data
        ):  # pyarrow prints a traceback for such rows
            return None
        try:
            table = pyarrow.csv.read_csv(
                pyarrow.BufferReader(piece.data),
                read_options=pyarrow.csv.ReadOptions(
                    column_names=self._names, block_size=_BLOCK
                ),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=self.delimiter,
                    newlines_in_values=True,
                    invalid_row_handler=handler,
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    include_columns=columns.names,
                    column_types=types,
                    null_values=["", *columns.missing],
                    strings_can_be_null=True,
                ),
            )
        except pyarrow.ArrowException:
            return None
        batches = table.combine_chunks().to_batches()
        return batches[0] if len(batches) == 1 else None

    def _fields(self, piece: Piece) -> Iterator[tuple[int, list[str] | Bad]]:
        """Yield line and fields of each record that is not blank."""
        for line, record in zip(piece.lines.tolist(), piece.records, strict=True):
            if not record:
                continue
            try:
                text = record.decode("utf-8-sig" if line == 1 else "utf-8")
            except UnicodeDecodeError:
                yield line, Bad(line, ENCODING)
                continue
            try:
                yield line, self._split(text)
            except csv.Error as failure:  # a field is too long
                yield line, Bad(line, FIELDS, None, str(failure))

    def _one_by_one(self, piece: Piece, columns: Columns) -> Rows:
        """Parse records one by one; return the good rows and the bad ones."""
        gaps = {"", *columns.missing}
        place = {name: self._names.index(name) for name in columns.names}
        entries: dict[str, list[Any]] = {name: [] for name in columns.names}
        lines, bad = [], []
        for line, fields in self._fields(piece):
            if isinstance(fields, Bad):
                bad.append(fields)
                continue
            wrong = self._wrong(line, fields, columns, place, gaps)
            if wrong is not None:
                bad.append(wrong)
                continue
            lines.append(line)
            for name, values in entries.items():
                text = fields[place[name]]
                values.append(None if text in gaps else text)
        arrays = {}
        for name, values in entries.items():
            if name in columns.numbers:
                found = [None if v is None else number(v) for v in values]
                arrays[name] = pyarrow.array(found, pyarrow.float64())
            else:
                arrays[name] = pyarrow.array(values, pyarrow.string())
        batch = pyarrow.RecordBatch.from_pydict(arrays)
        numbered = np.array(lines, np.int64)
        return rows_of(batch, columns, lambda: numbered, piece.end, tuple(bad))

    def _wrong(
        self,
        line: int,
        fields: list[str],
        columns: Columns,
        place: dict[str, int],
        gaps: set[str],
    ) -> Bad | None:
        """Return the fault of a row, or None."""
        if len(fields) != len(self._names):
            return Bad(line, FIELDS, None, f"{len(fields)}, not {len(self._names)}")
        for name in columns.numbers:
            text = fields[place[name]]
            if text not in gaps and not _is_number(text):
                return Bad(line, NUMBER, name, repr(text))
        return None
