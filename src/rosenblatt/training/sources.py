"""Sources of a run: the tables, the encoder of their first batch, encoded batches."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators.base import takes_sparse
from rosenblatt.tables.encoding import (
    Encoded,
    Encoder,
    encode,
    first_encoder,
    sorted_labels,
)
from rosenblatt.tables.reading import (
    STANDARD,
    Columns,
    Piece,
    Rows,
    Table,
    check_columns,
    choose,
    open_table,
)
from rosenblatt.training.options import Options, make

_ROWS = 2**13  # of a batch of few columns
_ENTRIES = 2**20  # of a batch of many
_LEAST = 2**6  # rows of a batch of very many
_SPARSE = 2**12  # rows of a batch of sparse rows
_HEAD = 2**16  # bytes from the start of a file by which it is known again
_MOST_CLASSES = 1000  # of more a target is taken for something else than a label


class Position(NamedTuple):
    """Position of a run: the file, and the number of the last row read there.

    Of a run in pieces it is the number of pieces that were learned.
    """

    file: int = 0
    line: int = 0


_START = Position()


class Batch(NamedTuple):
    """Rows to learn, those held out, the position after them, share of work done."""

    rows: Encoded
    held: Encoded | None
    end: Position
    done: float | None


def check_labels(where: str, target: str, found: Collection[str]) -> None:
    """Raise ValueError if labels are too many, or cannot be learned."""
    if len(found) > _MOST_CLASSES:
        raise ValueError(
            f"{where}: target {target!r} must have at most {_MOST_CLASSES} different "
            "values, got more; these models learn classes, not numbers"
        )
    for label in sorted(label for label in found if label.endswith("\0")):
        raise ValueError(
            f"{where}: target {target!r} must not have labels that end in a NUL "
            f"character, got {label!r}"
        )


class Sources:
    """The tables of a run, in the order in which they are learned.

    Parameters
    ----------
    options
        Options of the run.
    table
        A table in memory, instead of files.
    width
        Number of columns of svmlight; by default what its files have.
    """

    def __init__(
        self, options: Options, table: Table | None = None, width: int | None = None
    ) -> None:
        self.options, self.width = options, width
        self._tables: dict[int, Table] = {} if table is None else {0: table}
        self.count = len(options.files) or 1
        self._begun: Iterator[Piece] | None = None  # the first table, once looked at
        if width is None and hasattr(self.table(0), "width"):
            tables = map(self.table, range(self.count))
            self.width = max(getattr(one, "width", 0) for one in tables)
            self._tables.clear()
        check_columns(self.table(0), [options.target])

    def table(self, index: int) -> Table:
        """Open a table."""
        if index not in self._tables:
            given = self.options
            self._tables[index] = open_table(
                given.files[index],
                given.format,
                header=given.header,
                features=self.width,
                delimiter=given.delimiter,
            )
        return self._tables[index]

    @property
    def once(self) -> bool:
        """True if rows can be read once only, and may never end."""
        return self.table(0).path == STANDARD

    @property
    def batch_rows(self) -> int:
        """Number of rows of a batch."""
        if self.options.batch_rows is not None:
            return self.options.batch_rows
        if self.width is not None:
            return _SPARSE
        fit = _ENTRIES // max(len(self.table(0).columns), 1)
        return min(max(1 << max(fit.bit_length() - 1, 0), _LEAST), _ROWS)

    @cached_property
    def first(self) -> tuple[Rows, Encoder, tuple[str, ...]]:
        """The first batch, and encoder and labels that it determines."""
        table, given = self.table(0), self.options

        def chosen(kinds: Any) -> tuple[Columns, list[str]]:
            own = given.target, given.columns, given.missing
            return choose(table, kinds, *own)

        names = None
        if all(column.kind for column in table.columns):  # the file says what they are
            names = chosen(table.columns)[0].names
        opened = table.pieces(0, self.batch_rows, names)
        first = next(opened, None)
        if first is None:
            raise ValueError(f"{table.name} has no rows")
        columns, kinds = chosen(table.kinds(first, given.missing))
        self._begun = itertools.chain([first], opened)
        rows = table.parse(first, columns)
        sparse = takes_sparse(make(given.model))
        encoder = first_encoder(
            rows,
            kinds=kinds,
            categories="auto" if sparse else "one-hot",
            standardise=True if given.model_name == "perceptron" else None,
        )
        if encoder.hashed_columns and not sparse:
            raise ValueError(
                f"model {given.model} takes dense rows, and hashed categories and text "
                "are sparse; take bayes, bayes-diagonal or perceptron, or ignore "
                f"{', '.join(encoder.hashed_columns)}"
            )
        labels = sorted_labels(given.classes or rows.label_values)
        check_labels(table.name, given.target, labels)
        if len(labels) < (1 if given.open else 2):
            wrong = f"; the first bad row: {table.error(rows.bad[0])}" * bool(rows.bad)
            raise ValueError(
                f"{table.name}: target {given.target!r} must have two labels or more, "
                f"got {labels}; give all labels with classes{wrong}"
            )
        return rows, encoder, tuple(labels)

    def labels(self, index: int, after: int = 0) -> Iterator[tuple[list[str], int]]:
        """Yield labels of a table, piece by piece, with the line of the last one."""
        table, target = self.table(index), self.options.target
        check_columns(table, [target])
        only = Columns((), (), target, missing=self.options.missing)
        for piece in table.pieces(after, self.batch_rows, [target]):
            yield table.parse(piece, only).label_values, piece.end

    def batches(
        self,
        encoder: Encoder,
        classes: Sequence[str],
        start: Position = _START,
        stop: Position | None = None,
    ) -> Iterator[Batch]:
        """Yield batches from a position to another, apart from rows that are held out.

        The choice of these depends on the position of a batch only, so that a second
        reading finds the same rows.
        """
        given = self.options
        columns = encoder.columns(given.target, given.weight)
        for index in range(start.file, self.count):
            if stop is not None and (index, 0) >= stop:
                return
            table = self.table(index)
            check_columns(table, columns.names)
            line = start.line if index == start.file else 0
            pieces = table.pieces(line, self.batch_rows, columns.names)
            if not index and not line and self._begun:
                pieces, self._begun = self._begun, None
            for piece in pieces:
                rows = encode(encoder, table.parse(piece, columns), classes, given.open)
                end, held = Position(index, piece.end), None
                mask = self._held_out(rows.lines, end)
                if mask is not None:
                    rows, held = rows.part(~mask), rows.part(mask)
                yield Batch(rows, held, end, self._done(end))
                if stop is not None and end >= stop:
                    return

    def _held_out(
        self, lines: npt.NDArray[np.int64], end: Position
    ) -> npt.NDArray[np.bool_] | None:
        """Return a mask of the rows of a batch to hold out; None for none."""
        given = self.options
        if given.holdout is not None:
            draws = np.random.default_rng(end).random(len(lines))
            return np.asarray(draws < given.holdout)
        if given.holdout_last is None:
            return None
        before, total = sum(self._lengths[: end.file]), sum(self._lengths)
        rows = before + lines - self.table(end.file).first
        return np.asarray(rows >= (1.0 - given.holdout_last) * total)

    @cached_property
    def _lengths(self) -> list[int]:
        """Numbers of rows of the tables; most formats have to be read for it."""
        found = []
        for index in range(self.count):
            table = self.table(index)
            rows = table.rows
            if rows is None:
                ends = (end for _, end in self.labels(index))
                rows = max(ends, default=0) + 1 - table.first
            found.append(rows)
        return found

    @cached_property
    def _sizes(self) -> list[int]:
        """Sizes of the files in bytes."""
        return [Path(file).stat().st_size for file in self.options.files] or [1]

    def _done(self, position: Position) -> float | None:
        """Return the share of the work that is done; None if unknown."""
        share = self.table(position.file).share(position.line)
        if self.once or share is None:
            return None
        now = sum(self._sizes[: position.file]) + share * self._sizes[position.file]
        return now / max(sum(self._sizes), 1)


def fingerprint(files: Sequence[str]) -> list[list[int | str] | None]:
    """Return size and digest of the first bytes of each file."""
    found: list[list[int | str] | None] = []
    for name in files:
        if name == STANDARD:
            found.append(None)
            continue
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"there is no file {name!r}")
        with path.open("rb") as file:
            start = hashlib.blake2b(file.read(_HEAD), digest_size=16).hexdigest()
        found.append([path.stat().st_size, start])
    return found
