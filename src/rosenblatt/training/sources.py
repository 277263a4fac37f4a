"""Sources of a run: the columns of its tables, and batches of encoded rows."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators.base import takes_sparse
from rosenblatt.tables import (
    STANDARD,
    Bad,
    BadRowError,
    Column,
    Columns,
    Encoded,
    Encoder,
    Place,
    Rows,
    Table,
    check_columns,
    choose,
    class_array,
    encode,
    first_encoder,
    open_table,
    sorted_labels,
    target_of,
)
from rosenblatt.training.options import Options, make

_ROWS = 2**13  # of a batch of few columns
_ENTRIES = 2**20  # of a batch of many
_LEAST = 2**6  # rows of a batch of very many
_SPARSE = 2**12  # rows of a batch of sparse rows
_HEAD = 2**16  # bytes from the start of a file by which it is known again
_MOST_CLASSES = 1000  # of more a target is taken for something else than a label


class Position(NamedTuple):
    """Position of a run: pass, file, and position in the file."""

    turn: int = 0
    file: int = 0
    offset: int = 0
    line: int = 0


_START = Position()


class Batch(NamedTuple):
    """Some rows, and the position after them."""

    rows: Encoded
    end: Position


class Parted(NamedTuple):
    """Rows of a batch to learn, those held out, and position and work done after it."""

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
        self.options = options
        self._tables: dict[int, Table] = {} if table is None else {0: table}
        self.count = len(options.files) or 1
        self._begun: Iterator[Any] | None = None  # the first table, once looked at
        self._width = width
        if width is None and hasattr(self.table(0), "width"):
            tables = map(self.table, range(self.count))
            self._width = max(getattr(one, "width", 0) for one in tables)
            self._tables.clear()
        self.target = target_of(self.table(0), options.target)

    def table(self, index: int) -> Table:
        """Open a table."""
        if index not in self._tables:
            given = self.options
            self._tables[index] = open_table(
                given.files[index],
                given.format,
                header=given.header,
                features=self._width,
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
        if hasattr(self.table(0), "width"):
            return _SPARSE
        fit = _ENTRIES // max(len(self.table(0).columns), 1)
        return min(max(1 << max(fit.bit_length() - 1, 0), _LEAST), _ROWS)

    def pieces(
        self, index: int, place: Place, names: list[str] | None
    ) -> Iterator[Any]:
        """Return pieces of a table."""
        return self.table(index).pieces(place, self.batch_rows, names)

    @cached_property
    def first(self) -> tuple[Rows, Encoder]:
        """The first batch, and the encoder that it determines."""
        table, given = self.table(0), self.options
        chosen = None
        if all(column.kind for column in table.columns):  # the file says what they are
            chosen = self._chosen(table.columns)
        opened = self.pieces(0, Place(), chosen.columns.names if chosen else None)
        first = next(opened, None)
        if first is None:
            raise ValueError(f"{table.name} has no rows")
        chosen = chosen or self._chosen(table.kinds(first, given.missing))
        self._begun = itertools.chain([first], opened)
        rows = table.parse(first, chosen.columns)
        sparse = takes_sparse(make(given.model))
        encoder = first_encoder(
            rows,
            chosen.columns,
            (),
            kinds=chosen.kinds,
            categories="auto" if sparse else "one-hot",
            standardise=True if given.model_name == "perceptron" else None,
            weighted="weight" in given.columns.values(),
        )
        if encoder.hashed and not sparse:
            raise ValueError(
                f"model {given.model} takes dense rows, and hashed categories and text "
                "are sparse; take bayes, bayes-diagonal or perceptron, or ignore "
                f"{', '.join(encoder.hashed_columns)}"
            )
        labels = given.classes or (rows.label_values if rows.labels else ())
        self._check_first(labels, rows.bad)
        return rows, replace(encoder, classes=tuple(sorted_labels(labels)))

    def _check_first(self, labels: Sequence[str], bad: Sequence[Bad]) -> None:
        """Raise ValueError if learning cannot begin with these labels."""
        name = self.table(0).name
        check_labels(name, self.target, labels)
        if len(set(labels)) < (1 if self.options.open else 2):
            wrong = f"; the first bad row: {self.error(0, bad[0])}" if bad else ""
            raise ValueError(
                f"{name}: target {self.target!r} must have two labels or more, got "
                f"{sorted(labels)}; give all labels with classes{wrong}"
            )

    def _chosen(self, kinds: Sequence[Column]) -> Any:
        """Return the columns to learn from."""
        given = self.options
        return choose(self.table(0), kinds, self.target, given.columns, given.missing)

    def labels(self, index: int, place: Place) -> Iterator[tuple[list[str], Place]]:
        """Yield labels of a table, piece by piece, with the position after each."""
        table = self.table(index)
        check_columns(table, [self.target])
        only = Columns((), (), self.target, self.options.missing)
        for piece in self.pieces(index, place, [self.target]):
            rows = table.parse(piece, only)
            yield rows.label_values, rows.end

    def batches(self, encoder: Encoder, start: Position) -> Iterator[Batch]:
        """Return all batches from a position on."""
        names, new_labels = encoder.columns.names, self.options.open
        for turn in range(start.turn, self.options.passes):
            for index in range(start.file if turn == start.turn else 0, self.count):
                table = self.table(index)
                check_columns(table, names)
                here = (turn, index) == start[:2]
                place = Place(start.offset, start.line) if here else Place()
                pieces = self.pieces(index, place, names)
                if not turn and not index and place == Place() and self._begun:
                    pieces, self._begun = self._begun, None

                def batch(
                    piece: Any,
                    table: Table = table,
                    at: tuple[int, int] = (turn, index),
                ) -> Batch:
                    rows = table.parse(piece, encoder.columns)
                    found = encode(encoder, rows, new_labels)
                    return Batch(found, Position(at[0], at[1], *rows.end))

                yield from map(batch, pieces)

    def parted(self, encoder: Encoder, start: Position = _START) -> Iterator[Parted]:
        """Yield batches from a position on, without the rows that are held out.

        The choice of these depends on the position of a batch only, so that a second
        reading finds the same rows.
        """
        before = self.fraction_done(start)
        for rows, end in self.batches(encoder, start):
            done, held = self.fraction_done(end), None
            if self.options.holds_out:
                mask = self._held_out(len(rows.codes), end, before, done)
                held = rows.part(np.flatnonzero(mask))
                rows = rows.part(np.flatnonzero(~mask))
            before = done
            yield Parted(rows, held, end, done)

    def _held_out(
        self, rows: int, end: Position, before: float | None, done: float | None
    ) -> npt.NDArray[np.bool_]:
        """Return a mask of the rows of a batch to hold out, for a run that does."""
        given = self.options
        if given.holdout is not None:
            draws = np.random.default_rng([end.file, end.offset]).random(rows)
            return np.asarray(draws < given.holdout)
        assert given.holdout_last is not None  # options: one of the two
        if done is None:
            raise ValueError(
                "holdout_last needs files of known length, which compressed ones and "
                "Arrow streams have not; take holdout"
            )
        reached = np.linspace(before or 0.0, done, rows, endpoint=False)
        return np.asarray(reached * given.passes - end.turn >= 1.0 - given.holdout_last)

    def labels_of(self, encoder: Encoder, rows: Encoded) -> Any:
        """Return the labels of rows, whole numbers if all are, else text."""
        return class_array((*encoder.classes, *rows.new))[rows.codes]

    def error(self, index: int, bad: Bad) -> BadRowError:
        """Return the error of a bad row."""
        table = self.table(index)
        return BadRowError(table.name, table.unit, bad)

    @cached_property
    def _sizes(self) -> list[int]:
        """Sizes of the files in bytes."""
        return [Path(file).stat().st_size for file in self.options.files] or [1]

    def fraction_done(self, position: Position) -> float | None:
        """Return the fraction of the work that is done; None if unknown."""
        given = self.options
        if self.once:
            return None
        sizes, whole = self._sizes, self.table(position.file).size
        if whole is None and self.count == given.passes == 1:
            return None
        share = 0.0 if whole is None else position.offset / max(whole, 1)
        now = sum(sizes[: position.file]) + share * sizes[position.file]
        return (position.turn + now / max(sum(sizes), 1)) / given.passes


def fingerprint(files: Sequence[str]) -> list[list[Any] | None]:
    """Return size and digest of the first bytes of each file."""
    found: list[list[Any] | None] = []
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
