"""Reader of svmlight files: a label, and ``index:value`` for nonzero entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from rosenblatt.tables.batches import (
    FORM,
    NUMBER,
    Bad,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    reading,
)
from rosenblatt.tables.text.delimited import number
from rosenblatt.tables.text.records import STANDARD, Piece, open_bytes, pieces
from rosenblatt.tables.text.svmlight_lines import (
    AT,
    ENTRIES,
    LARGEST,
    LATE,
    LINE,
    ROW_END,
    ROW_LABEL,
    ROW_LINE,
    ROWS,
    STATE,
    WORDS,
    parse_lines,
)

__all__ = ["Svmlight"]

_LABELS = 256  # of a piece that are quick
_EXACT = 2**53  # doubles tell smaller integers apart
_MOST = 2**24  # columns: what a model keeps for each of them must fit into memory
_DIGITS = 9  # of an index that may be a column


class _Lines(NamedTuple):
    """The parsed lines of a piece."""

    matrix: csr_matrix
    labels: list[str]  # those that there are, some twice
    codes: npt.NDArray[np.int64]  # of each row: a label, from the end if negative
    lines: npt.NDArray[np.int64]
    bad: list[Bad]
    odd: list[list[str]]  # words of lines that are not quick
    largest: int  # index of others


class Svmlight:
    """An svmlight file: sparse rows, with columns named by their index.

    Without ``width`` a file is read once to find the largest index.
    """

    unit = "line"
    rows: int | None = None

    def __init__(self, path: str, width: int | None = None) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD else path
        if width is None:
            if path == STANDARD:
                raise ValueError(
                    "features must be given for svmlight from standard input: "
                    "one more than the largest index"
                )
            width = self._widest() + 1
        if width > _MOST:
            raise ValueError(f"features must be at most {_MOST}, got {width}")
        self.width = width
        self.columns: list[Column] = []  # they have numbers for names

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Piece]:
        """Yield this number of lines at a time."""
        with reading(self.name):
            stream = open_bytes(self.path, place)
            try:
                yield from pieces(stream, rows, place, delimiter=None, name=self.name)
            finally:
                if self.path != STANDARD:
                    stream.close()

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns: all are numbers."""
        return self.columns

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        found = self._lines(piece)
        known = sorted(set(found.labels))
        for label in known:
            if "," in label:
                raise ValueError(
                    f"{self.name} must have one label at the start of each line of "
                    f"svmlight, got {label[:40]!r}; a CSV file needs format 'csv'"
                )
        number = {label: i for i, label in enumerate(known)}
        codes = np.array([number[label] for label in found.labels], np.int32)
        return Rows(
            found.matrix,
            {},
            [],
            Texts(known, codes[found.codes]),
            lambda: found.lines,
            tuple(found.bad),
            piece.end,
        )

    def _lines(self, piece: Piece) -> _Lines:
        """Parse the lines of a piece.

        Those that a kernel does not understand are looked at here, and it goes on.
        """
        room = piece.data.count(b":")
        entries = np.empty(room, np.int32), np.empty(room)
        rows = np.zeros((len(piece.ends) + 1, 3), np.int64)
        words, late = np.empty((_LABELS, 2), np.int64), np.empty((room, 3), np.int64)
        state = np.zeros(STATE, np.int64)
        data = np.frombuffer(piece.data, np.uint8)
        labels: list[str] = []  # of lines that are looked at here
        odd: list[list[str]] = []
        bad: list[Bad] = []
        while not parse_lines(data, self.width, *entries, rows, words, late, state):
            line, stop = int(state[LINE]), int(piece.ends[state[LINE]])
            given = _words(piece.data[state[AT] : stop])
            state[AT], state[LINE] = stop, line + 1
            if not given:
                continue
            odd.append(given)
            found = self._entries(piece.first.line + 1 + line, given[1:])
            if isinstance(found, Bad):
                bad.append(found)
                continue
            row, end = int(state[ROWS]), int(state[ENTRIES]) + len(found[0])
            entries[0][state[ENTRIES] : end] = found[0]
            entries[1][state[ENTRIES] : end] = found[1]
            rows[row, ROW_LABEL], rows[row, ROW_LINE] = -1 - len(labels), line
            rows[row + 1, ROW_END] = end
            labels.append(_label(given[0]))
            state[ROWS], state[ENTRIES] = row + 1, end
        size, count = int(state[ROWS]), int(state[ENTRIES])
        indices, values = (each[:count] for each in entries)
        late = late[: state[LATE]]
        values[late[:, 0]] = [float(piece.data[a:b]) for _, a, b in late.tolist()]
        ends, rows = rows[: size + 1, ROW_END], rows[:size]
        if not values.all():  # numbers too small not to be zero
            ends = np.concatenate([[0], np.cumsum(values != 0.0)])[ends]
            indices, values = indices[values != 0.0], values[values != 0.0]
        known = words[: state[WORDS]].tolist()
        return _Lines(
            csr_matrix((values, indices, ends.astype(np.int32)), (size, self.width)),
            [*(_label(piece.data[a:b].decode()) for a, b in known), *labels[::-1]],
            rows[:, ROW_LABEL],
            piece.first.line + 1 + rows[:, ROW_LINE],
            bad,
            odd,
            int(state[LARGEST]),
        )

    def _entries(
        self, line: int, words: list[str]
    ) -> tuple[list[int], list[float]] | Bad:
        """Return indices and values of a row, or its fault."""
        indices: list[int] = []
        values: list[float] = []
        last = -1
        for word in words:
            index, colon, value = word.partition(":")
            if index == "qid":
                continue
            if not (colon and index.isdecimal()):
                return Bad(line, FORM, None, repr(word))
            column = _column(index)
            if column <= last:
                return Bad(line, FORM, index, "indices must increase")
            if column >= self.width:
                return Bad(line, FORM, index, f"an index above {self.width - 1}")
            last = column
            try:
                entry = number(value)
            except ValueError:
                return Bad(line, NUMBER, index, repr(value))
            if entry != 0.0:
                indices.append(column)
                values.append(entry)
        return indices, values

    def _widest(self) -> int:
        """Return the largest index of the file; faults are reported later."""
        largest, self.width = 0, _MOST
        for piece in self.pieces(Place(), 4096):
            found = self._lines(piece)
            largest = max(largest, found.largest)
            for words in found.odd:
                for word in words[1:]:
                    index = word.partition(":")[0]
                    if index.isdecimal() and _column(index) < _MOST:
                        largest = max(largest, _column(index))
        return largest


def _column(index: str) -> int:
    """Return the column of an index; too many digits give one beyond all columns."""
    digits = index.lstrip("0") or "0"
    return int(digits) if len(digits) <= _DIGITS else 10**_DIGITS


def _words(line: bytes) -> list[str]:
    """Return the words of a line, without comments."""
    return line.partition(b"#")[0].decode("utf-8", "replace").split()


def _label(word: str) -> str:
    """Return a label; integers in their usual form, +1 and 1.0 as 1.

    Larger ones than doubles tell apart stay as they are written.
    """
    try:
        value = number(word)
    except ValueError:
        return word
    exact = abs(value) < _EXACT and value.is_integer()
    return str(int(value)) if exact else word
