"""Reader of svmlight files: a label, and ``index:value`` for nonzero entries.

scikit-learn parses the lines. If it refuses any, or if labels are no whole numbers, the
lines are looked at one by one: this is slower, and names the row that is wrong.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file

from rosenblatt.tables.batches import (
    FORM,
    NUMBER,
    Bad,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    integer_texts,
    reading,
)
from rosenblatt.tables.text.delimited import number
from rosenblatt.tables.text.records import STANDARD, Piece, open_bytes, pieces

__all__ = ["Svmlight"]

_EXACT = 2**53  # doubles tell smaller integers apart
_MOST = 2**24  # columns: what a model keeps for each of them must fit into memory
_DIGITS = 9  # of an index that may be a column


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
        found = _loaded(piece.data, self.width)
        labels = None if found is None else integer_texts(found[1])
        if found is None or labels is None:
            return self._one_by_one(piece)
        return Rows(found[0], {}, [], labels, lambda: self._lines(piece), (), piece.end)

    def _lines(self, piece: Piece) -> npt.NDArray[np.int64]:
        """Return the lines of rows, without those that are blank or comments."""
        there = [bool(_words(record)) for record in piece.records]
        return np.asarray(piece.lines[np.array(there, bool)])

    def _one_by_one(self, piece: Piece) -> Rows:
        """Parse lines one by one; return the good rows and the bad ones."""
        indices: list[int] = []
        values: list[float] = []
        ends, lines, labels, bad = [0], [], [], []
        for line, record in zip(piece.lines.tolist(), piece.records, strict=True):
            words = _words(record)
            if not words:
                continue
            found = self._entries(line, words[1:])
            if isinstance(found, Bad):
                bad.append(found)
                continue
            indices += found[0]
            values += found[1]
            ends.append(len(indices))
            lines.append(line)
            labels.append(_label(words[0]))
        known = sorted(set(labels))
        for label in known:
            if "," in label:
                raise ValueError(
                    f"{self.name} must have one label at the start of each line of "
                    f"svmlight, got {label[:40]!r}; a CSV file needs format 'csv'"
                )
        place = {label: i for i, label in enumerate(known)}
        arrays = np.array(values), np.array(indices, np.int32), np.array(ends, np.int32)
        numbered = np.array(lines, np.int64)
        return Rows(
            csr_matrix(arrays, (len(labels), self.width)),
            {},
            [],
            Texts(known, np.array([place[label] for label in labels], np.int32)),
            lambda: numbered,
            tuple(bad),
            piece.end,
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
        largest = 0
        for piece in self.pieces(Place(), 4096):
            found = _loaded(piece.data, None)
            if found is not None and found[0].shape[1] <= _MOST:
                largest = max(largest, found[0].shape[1] - 1)
                continue
            for record in piece.records:
                for word in _words(record)[1:]:
                    index = word.partition(":")[0]
                    if index.isdecimal() and _column(index) < _MOST:
                        largest = max(largest, _column(index))
        return largest


def _loaded(data: bytes, width: int | None) -> tuple[Any, npt.NDArray[Any]] | None:
    """Return entries and labels of lines, or None if scikit-learn refuses any.

    Python's numbers may have underscores, and ``+`` before an index; ours may not.
    """
    if b"_" in data or b" +" in data:
        return None
    try:
        X, labels = load_svmlight_file(
            io.BytesIO(data), n_features=width, zero_based=True
        )
    except (ValueError, OverflowError):
        return None
    if not (np.abs(labels) < _EXACT).all():
        return None
    X.eliminate_zeros()
    parts = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return csr_matrix(parts, X.shape), labels


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
