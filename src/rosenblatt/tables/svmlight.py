"""Svmlight files: a label, and ``index:value`` for what is not zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from rosenblatt.tables.delimited import number
from rosenblatt.tables.records import STANDARD, Piece, open_bytes, pieces
from rosenblatt.tables.vocabulary import (
    FORM,
    NUMBER,
    Bad,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
)

__all__ = ["Svmlight"]


class Svmlight:
    """Sparse rows; columns are named by their index, as it is written.

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
        self.width = width
        self.columns = [Column(str(j), "number") for j in range(width)]

    def pieces(
        self,
        place: Place,
        rows: int,
        names: Sequence[str] | None = None,
        numbers: Sequence[str] = (),
    ) -> Iterator[Piece]:
        """Return lines that number of rows at a time."""
        stream = open_bytes(self.path, place)
        try:
            yield from pieces(stream, rows, place, delimiter=None, name=self.name)
        finally:
            if self.path != STANDARD:
                stream.close()

    def kinds(self, piece: Piece, missing: Sequence[str] = ()) -> list[Column]:
        """Return what columns are: numbers."""
        return self.columns

    def labels(self, piece: Piece, columns: Columns) -> list[str]:
        """Return the labels in a piece."""
        return sorted({_label(words[0]) for _, words in _words(piece)})

    def parse(self, piece: Piece, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        labels: list[str] = []
        lines: list[int] = []
        bad: list[Bad] = []
        indices: list[int] = []
        values: list[float] = []
        ends = [0]
        for line, words in _words(piece):
            found = self._entries(line, words[1:])
            if isinstance(found, Bad):
                bad.append(found)
                continue
            indices += found[0]
            values += found[1]
            ends.append(len(indices))
            labels.append(_label(words[0]))
            lines.append(line)
        matrix = csr_matrix(
            (np.array(values), np.array(indices, np.int32), np.array(ends, np.int32)),
            shape=(len(labels), self.width),
        )
        known = sorted(set(labels))
        code = {label: i for i, label in enumerate(known)}
        codes = np.array([code[label] for label in labels], np.int32)
        kept = np.array(lines, np.int64)
        return Rows(
            matrix, {}, [], Texts(known, codes), lambda: kept, tuple(bad), piece.end
        )

    def _entries(
        self, line: int, words: list[str]
    ) -> tuple[list[int], list[float]] | Bad:
        """Return indices and values of a row, or what is wrong with it."""
        indices: list[int] = []
        values: list[float] = []
        last = -1
        for word in words:
            index, colon, value = word.partition(":")
            if index == "qid":
                continue
            if not (colon and index.isdecimal()):
                return Bad(line, FORM, None, repr(word))
            column = int(index)
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
        """Return the largest index of the file; what is wrong is found later."""
        largest = 0
        for piece in self.pieces(Place(), 4096):
            for _, words in _words(piece):
                index = words[-1].partition(":")[0] if len(words) > 1 else ""
                if index.isdecimal():
                    largest = max(largest, int(index))
        return largest


def _words(piece: Piece) -> Iterator[tuple[int, list[str]]]:
    """Return line and words of each record that has any; comments are none."""
    for line, record in zip(piece.lines.tolist(), piece.records, strict=True):
        words = record.partition(b"#")[0].decode("utf-8", "replace").split()
        if words:
            yield line, words


def _label(word: str) -> str:
    """Return a label; whole numbers as others write them, +1 and 1.0 as 1."""
    try:
        value = number(word)
    except ValueError:
        return word
    return str(int(value)) if value.is_integer() else word
