"""Sources of a run: its files, their columns and labels, and batches of rows."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt.tables import (
    STANDARD,
    Bad,
    BadRowError,
    Chosen,
    Column,
    Columns,
    Encoded,
    Encoder,
    Place,
    Rows,
    Table,
    check_columns,
    choose,
    encode,
    first_encoder,
    open_table,
    piece_by_piece,
    sorted_labels,
    target_of,
)
from rosenblatt.training.models import check_memory, takes_sparse
from rosenblatt.training.settings import Settings

__all__ = ["MOST_CLASSES", "Batch", "Position", "Sources", "fingerprint"]

_ROWS = 2**13  # of a batch of few columns
_ENTRIES = 2**20  # of a batch of many
_LEAST = 2**6  # rows of a batch of very many
_SPARSE = 2**12  # rows of a batch of sparse rows
_HEAD = 2**16  # bytes from the start of a file by which it is known again
MOST_CLASSES = 1000  # of more a target is taken for something else than a label


class Position(NamedTuple):
    """Position of a run: pass, file, and position in the file."""

    turn: int = 0
    file: int = 0
    offset: int = 0
    line: int = 0

    @property
    def place(self) -> Place:
        """Position in the file."""
        return Place(self.offset, self.line)


class Batch(NamedTuple):
    """Some rows, and the position after them."""

    rows: Encoded
    end: Position


class Sources:
    """The files of a run."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._tables: dict[int, Table] = {}
        self._begun: Iterator[Any] | None = None  # the first file, once it is looked at
        self._first: tuple[Rows, Encoder] | None = None  # until ``encoder`` takes it
        self._bad: Bad | None = None  # of the first batch, the first
        self.labelled = False  # all files have been read for their labels
        self._features = settings.features
        if hasattr(self.table(0), "width") and settings.features is None:
            files = range(len(settings.files))
            self._features = max(getattr(self.table(i), "width", 0) for i in files)
            self._tables.clear()
        self.target = target_of(self.table(0), settings.target)

    def table(self, index: int) -> Table:
        """Open a file."""
        if index not in self._tables:
            given = self.settings
            self._tables[index] = open_table(
                given.files[index],
                given.format,
                header=given.header,
                features=self._features,
                delimiter=given.delimiter,
            )
        return self._tables[index]

    @property
    def batch_rows(self) -> int:
        """Number of rows of a batch."""
        if self.settings.batch_rows is not None:
            return self.settings.batch_rows
        if hasattr(self.table(0), "width"):
            return _SPARSE
        fit = _ENTRIES // max(len(self.table(0).columns), 1)
        return min(max(1 << max(fit.bit_length() - 1, 0), _LEAST), _ROWS)

    def pieces(
        self, index: int, place: Place, names: list[str] | None
    ) -> Iterator[Any]:
        """Return pieces of a file."""
        return self.table(index).pieces(place, self.batch_rows, names)

    def first(self) -> tuple[Rows, Encoder]:
        """Return the first batch, and the encoder of rows, without classes."""
        self._first = self._first or self._read_first()
        return self._first

    def _read_first(self) -> tuple[Rows, Encoder]:
        table, given = self.table(0), self.settings
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
        self._bad = rows.bad[0] if rows.bad else None
        sparse = takes_sparse(given.model)
        one_hot = given.categories == "auto" and not sparse
        categories = "one-hot" if one_hot else given.categories
        encoder = first_encoder(
            rows,
            chosen.columns,
            (),
            kinds=chosen.kinds,
            categories=categories,
            hash_bits=given.hash_bits,
            standardise=given.standardised,
            weighted=given.weight is not None,
        )
        if encoder.hashed and not sparse:
            raise ValueError(
                f"model {given.model} takes dense rows, and hashed categories and text "
                "are sparse; take bayes, bayes-diagonal or perceptron, or ignore "
                f"{', '.join(encoder.hashed_columns)}"
            )
        self._check_memory(encoder, len(given.classes or ()))
        return rows, encoder

    def encoder(self) -> Encoder:
        """Return the encoder of rows, from the first batch.

        Labels are those of the first batch, if it has two or more, and all that costs
        are given for. ``all_labels`` finds the others, if there are any.
        """
        (rows, encoder), self._first = self.first(), None
        given, labels = self.settings, rows.labels
        found = set(given.classes or ())
        if not found and labels is not None:
            found = set(rows.label_values)
        rare = {text.rpartition("=")[0] for text in given.costs} - found
        unseen = len(found) < 2 or (rare and not given.classes)
        if unseen and given.files != (STANDARD,):
            return self.all_labels(encoder)
        return self._with_classes(encoder, given.classes or self.checked_labels(found))

    def all_labels(self, encoder: Encoder) -> Encoder:
        """Return the encoder with the labels of all files, which are read for it."""
        self.labelled, found = True, set[str]()
        for index in range(len(self.settings.files)):
            for labels, _ in self.labels(index, Place()):
                found.update(labels)
                if len(found) > MOST_CLASSES:
                    break
        return self._with_classes(encoder, self.checked_labels(found))

    def _with_classes(self, encoder: Encoder, classes: Collection[str]) -> Encoder:
        self._check_memory(encoder, len(classes))
        return replace(encoder, classes=tuple(sorted_labels(classes)))

    def _check_memory(self, encoder: Encoder, classes: int) -> None:
        """Raise ValueError if the model would need too much memory for the table."""
        sparse = encoder.hashed or encoder.width is not None
        sizes = encoder.features, max(classes, 2), self.batch_rows
        check_memory(self.settings.model, *sizes, sparse)

    def _chosen(self, kinds: Sequence[Column]) -> Chosen:
        """Return the columns to learn from."""
        given = self.settings
        return choose(self.table(0), kinds, self.target, given.roles, given.missing)

    def labels(self, index: int, place: Place) -> Iterator[tuple[list[str], Place]]:
        """Yield labels of a file, piece by piece, with the position after each."""
        table = self.table(index)
        check_columns(table, [self.target])
        only = Columns((), (), self.target, self.settings.missing)
        for piece in self.pieces(index, place, [self.target]):
            rows = table.parse(piece, only)
            assert rows.labels is not None  # of the target
            yield rows.label_values, rows.end

    def checked_labels(self, found: set[str]) -> set[str]:
        """Return labels; raise ValueError if they are too few or too many to learn."""
        files = self.settings.files
        where = f"{files[0]}" + (f" and {len(files) - 1} more" if files[1:] else "")
        if len(found) > MOST_CLASSES:
            raise ValueError(
                f"{where}: target {self.target!r} must have at most {MOST_CLASSES} "
                "different values, got more; these models learn classes, not numbers"
            )
        if len(found) < 2 and not (found and self.settings.new_classes):
            wrong = self._bad and f"; the first bad row: {self.error(0, self._bad)}"
            raise ValueError(
                f"{where}: target {self.target!r} must have two labels or more, got "
                f"{sorted(found)}; name all that will come as classes{wrong or ''}"
            )
        for label in sorted(label for label in found if label.endswith("\0")):
            raise ValueError(
                f"{where}: target {self.target!r} must not have labels that end in a "
                f"NUL character, got {label!r}"
            )
        return found

    def batches(self, encoder: Encoder, start: Position) -> Iterator[Batch]:
        """Return all batches from a position on."""
        names = encoder.columns.names
        for turn in range(start.turn, self.settings.passes):
            begin = start.file if turn == start.turn else 0
            for index in range(begin, len(self.settings.files)):
                table = self.table(index)
                check_columns(table, names)
                here = (turn, index) == start[:2]
                place = start.place if here else Place()
                pieces = self.pieces(index, place, names)
                if not turn and not index and place == Place() and self._begun:
                    pieces, self._begun = self._begun, None
                yield from self._encoded(encoder, table, pieces, (turn, index))

    def _encoded(
        self,
        encoder: Encoder,
        table: Table,
        pieces: Iterator[Any],
        at: tuple[int, int],
    ) -> Iterator[Batch]:
        """Return the encoded batches of pieces of a file."""
        new_labels = self.settings.new_classes

        def batch(piece: Any) -> Batch:
            rows = table.parse(piece, encoder.columns)
            return Batch(encode(encoder, rows, new_labels), Position(*at, *rows.end))

        return piece_by_piece(table, batch, pieces)

    def error(self, index: int, bad: Bad) -> BadRowError:
        """Return the error of a bad row."""
        table = self.table(index)
        return BadRowError(table.name, table.unit, bad)

    @cached_property
    def _sizes(self) -> list[int]:
        """Sizes of the files in bytes."""
        return [Path(file).stat().st_size for file in self.settings.files]

    def fraction_done(self, position: Position) -> float | None:
        """Return the fraction of the work that is done; None if unknown."""
        given = self.settings
        if given.files == (STANDARD,):
            return None
        sizes, table = self._sizes, self.table(position.file)
        whole = table.rows
        if whole is None:
            packed = given.files[position.file].endswith(".gz")
            whole = None if packed or table.unit == "row" else sizes[position.file]
        if whole is None:
            if len(given.files) == given.passes == 1:
                return None
            share = 0.0
        else:
            share = position.offset / max(whole, 1)
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
