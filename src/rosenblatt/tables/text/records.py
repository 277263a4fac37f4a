"""Text files, cut into pieces of a fixed number of records."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Place

__all__ = [
    "LARGEST",
    "LONGEST",
    "STANDARD",
    "Piece",
    "first_record",
    "open_bytes",
    "pieces",
]

STANDARD = "-"  # the name of standard input
LONGEST = 2**24  # bytes of one record; beyond this a quotation mark is missing
LARGEST = 2**27  # bytes of a piece: several are in memory, and each more than once
_PORTION = 2**20  # bytes read at once
_HEADER = 100  # lines of the first record; beyond this a quotation mark is missing
_BLANK = b"\r\n\xef\xbb\xbf"
_NEWLINE, _QUOTE = ord("\n"), ord('"')


class Piece(NamedTuple):
    """Some whole records of a file, and the position of the next one."""

    data: bytes
    ends: npt.NDArray[np.int64]  # of the records, newlines included
    first: Place
    end: Place

    @property
    def records(self) -> list[bytes]:
        """The records one by one, without their newlines."""
        starts = [0, *self.ends[:-1].tolist()]
        ends = self.ends.tolist()
        return [
            self.data[a:b].rstrip(b"\r\n") for a, b in zip(starts, ends, strict=True)
        ]

    @property
    def lines(self) -> npt.NDArray[np.int64]:
        """The line on which each record starts, from 1."""
        newlines = np.frombuffer(self.data, np.uint8) == _NEWLINE
        before = np.concatenate([[0], np.cumsum(newlines)])
        starts = np.concatenate([[0], self.ends[:-1]])
        return np.asarray(self.first.line + 1 + before[starts], np.int64)


_readers: list[tuple[Any, BinaryIO]] = []  # of standard input, with what it was


def _standard() -> BinaryIO:
    """Return the reader of standard input, always the same one.

    It is not ``sys.stdin.buffer``: Python closes that one when it ends, and fails if a
    thread is waiting there for more.
    """
    for given, reader in _readers:
        if given is sys.stdin:
            return reader
    buffer: Any = getattr(sys.stdin, "buffer", sys.stdin)
    raw = getattr(buffer, "raw", None)
    if isinstance(raw, io.FileIO):
        plain = io.FileIO(raw.fileno(), closefd=False)
        buffer = io.BufferedReader(plain, _PORTION)
    _readers[:] = [(sys.stdin, buffer)]
    return cast(BinaryIO, buffer)


def open_bytes(path: str, place: Place, consumed: int = 0) -> BinaryIO:
    """Open a file, also a compressed one, or standard input, at a position.

    ``consumed`` bytes of standard input have been read before.
    """
    if path == STANDARD:
        stream = _standard()
        left = max(place.offset - consumed, 0)
        while left:  # a pipe cannot be wound forward
            skipped = len(stream.read(min(left, _PORTION)))
            if not skipped:
                raise ValueError(
                    f"standard input must be the same stream again: it ended "
                    f"{left} bytes before the position to resume from"
                )
            left -= skipped
        return stream
    opened: Any = {".gz": gzip.open, ".bz2": bz2.open}.get(
        Path(path).suffix.lower(), open
    )
    file = cast(BinaryIO, opened(path, "rb"))
    file.seek(place.offset)
    return file


class _Splitter:
    """Finds the ends of records; newlines between quotation marks do not end one."""

    def __init__(self, delimiter: str | None) -> None:
        self.delimiter = delimiter

    @cached_property
    def _quoted(self) -> re.Pattern[bytes]:
        before = re.escape(str(self.delimiter)).encode()
        first = rb'(?<=\A")|(?<=\A\xef\xbb\xbf")'  # also after a byte order mark
        start = rb'"(?:(?<=[\n\r' + before + rb']")|' + first + rb")"  # one byte first
        return re.compile(start + rb'[^"]*(?:""[^"]*)*("|\Z)')

    def ends(self, data: bytes) -> npt.NDArray[np.int64]:
        """Return the ends of the records in data that start with a record."""
        letters = np.frombuffer(data, np.uint8)
        found = np.flatnonzero(letters == _NEWLINE)
        if self.delimiter is None or self._within_lines(letters, found):
            return np.asarray(found + 1, np.int64)
        spans = [match.span() for match in self._quoted.finditer(data)]
        if spans:
            starts, stops = np.array(spans).T
            nearest = np.searchsorted(starts, found, side="right") - 1
            open_ = (nearest >= 0) & (found < stops[np.maximum(nearest, 0)])
            found = found[~open_]
        return np.asarray(found + 1, np.int64)

    def unclosed(self, record: bytes) -> bool:
        """Return whether a quotation mark of a record is never closed."""
        if self.delimiter is None:
            return False
        return any(not match.group(1) for match in self._quoted.finditer(record))

    def _within_lines(
        self, letters: npt.NDArray[np.uint8], newlines: npt.NDArray[np.int64]
    ) -> bool:
        """Return whether quoted fields end on their line, and have no quotes inside.

        It looks at all quotation marks at once, and is false in cases of doubt.
        """
        quotes = np.flatnonzero(letters == _QUOTE)
        if len(quotes) % 2:
            return False
        opening, closing = quotes[::2], quotes[1::2]
        before = np.zeros(256, bool)
        before[[*b"\n\r", *str(self.delimiter).encode()]] = True
        begins = before[letters[opening - 1]] | (opening == 0)
        first, last = (np.searchsorted(newlines, each) for each in (opening, closing))
        return bool(begins.all()) and np.array_equal(first, last)


def first_record(stream: BinaryIO, delimiter: str) -> bytes:
    """Return the first record that is not blank, with all bytes before it."""
    splitter, before, record = _Splitter(delimiter), bytearray(), bytearray()
    lines = 0
    while line := stream.readline(LONGEST):
        if not lines and not line.strip(_BLANK):
            before += line
        else:
            record += line
            lines += 1
            if len(splitter.ends(bytes(record))):
                break
        if len(before) + len(record) > LONGEST or lines > _HEADER:
            raise ValueError(
                f"its first row must not have more than {_HEADER} lines or {LONGEST} "
                "bytes; a quotation mark may be missing"
            )
    return bytes(before + record)


def _portions(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a stream; a pipe gives what has arrived."""
    packed = isinstance(stream, gzip.GzipFile | bz2.BZ2File)
    read = stream.read if packed else getattr(stream, "read1", stream.read)
    while portion := read(_PORTION):
        yield portion


def pieces(
    stream: BinaryIO,
    rows: int,
    place: Place,
    *,
    delimiter: str | None,
    name: str,
    already: bytes = b"",
) -> Iterator[Piece]:
    r"""Cut a stream into pieces of this many records; the last may have fewer.

    Parameters
    ----------
    delimiter
        Character between fields that may have quotation marks; None without such
        fields.
    already
        Bytes from here on that have been read already.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO(b'a,1\n"b\nc",2\nd,3\n')
    >>> for piece in pieces(stream, 2, Place(), delimiter=",", name="x"):
    ...     piece.records, piece.lines.tolist()
    ([b'a,1', b'"b\nc",2'], [1, 2])
    ([b'd,3'], [4])
    """
    splitter = _Splitter(delimiter)
    data, ends = bytearray(already), np.empty(0, np.int64)
    scanned = looked = 0  # data are whole records up to scanned, none up to looked
    for portion in itertools.chain(_portions(stream), [b""]):
        data += portion
        long = len(data) - scanned > LONGEST
        if long or len(data) > LARGEST:
            line = place.line + 1 + data.count(b"\n", 0, scanned)
            fault = (
                f"a row must not be longer than {LONGEST} bytes; a quotation mark may "
                "be missing"
                if long
                else f"{rows} rows must not have more than {LARGEST} bytes; take fewer "
                "rows at a time (batch_rows)"
            )
            raise ValueError(f"{name}, line {line}: {fault}")
        # a long row is looked at whenever it has doubled, and at the end
        if portion and _PORTION < len(data) - scanned < 2 * (looked - scanned):
            continue
        found = splitter.ends(bytes(data[scanned:]))
        ends, looked = np.concatenate([ends, scanned + found]), len(data)
        scanned = int(ends[-1]) if ends.size else 0
        while ends.size >= rows:
            piece = _piece(data, ends[:rows], place)
            yield piece
            cut = int(ends[rows - 1])
            del data[:cut]
            ends, place = ends[rows:] - cut, piece.end
            scanned, looked = scanned - cut, looked - cut
    last = bytes(data[scanned:])  # it has no newline, or an open quotation mark
    swallowed = last.count(b"\n") if splitter.unclosed(last) else 0
    if last and not swallowed:
        ends = np.append(ends, len(data))
    if ends.size:
        yield _piece(data, ends, place)
    if swallowed:
        line = place.line + 1 + data.count(b"\n", 0, scanned)
        raise ValueError(
            f"{name}, line {line}: a quotation mark opens here and is never closed"
        )


def _piece(data: bytearray, ends: npt.NDArray[np.int64], place: Place) -> Piece:
    part = bytes(data[: int(ends[-1])])
    end = Place(place.offset + len(part), place.line + part.count(b"\n"))
    return Piece(part, ends, place, end)
