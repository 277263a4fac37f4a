"""Sources of a run: the columns of its tables, their preview, and encoded batches."""

from __future__ import annotations

import hashlib
import itertools
import re
import shlex
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
    Texts,
    check_columns,
    choose,
    class_array,
    encode,
    first_encoder,
    is_sparse,
    open_table,
    sorted_labels,
    target_of,
)
from rosenblatt.training.options import Options, make, options_of

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


_WIDE = 40  # columns of a table that are listed one by one
_NAMED = 8  # hashed columns that are named
_SURE = 0.995  # AUC of a single column that tells the target
_ENOUGH = 30  # rows of a class before a column is suspected
_ID = "looks like an id"
_EMPTY = "has no value"
_COMMAS = "has decimal commas, so its numbers are taken as categories: write points"
_LEAK = "predicts the target almost alone, and may be known only after it"
_BINARY = ("binary", "clipped")  # models of columns of two levels, by their names
_DECIMAL = re.compile(r"[+-]?\d+,\d+")
_USES = {
    "one-hot": ("category", "one-hot"),
    "hash": ("category", "hashed"),
    "text": ("text", "hashed words and pairs of words"),
    "date": ("date", "parts of the date"),
}
_OTHERS = {"weight": "counts rows", "id": "left out", "ignore": "left out"}
_RIGHT = (2, 3, 4)  # cells of a line that are numbers


def _readable(name: str) -> str:
    """Return the name of a column; in quotes if it is empty or begins with a space."""
    return name if name.strip() == name != "" else repr(name)


class ColumnPreview(NamedTuple):
    """A column, as the first batch shows it."""

    name: str
    kind: str  # number, category, date, text, target, weight, id, ignore
    gaps: float | None  # share of missing values
    levels: int | None  # distinct values, of text
    features: int  # that the column becomes
    use: str  # what happens to it, in words
    warning: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The column as a line of a table."""
        return (
            _readable(self.name),
            self.kind,
            f"{self.gaps:.1%}" if self.gaps else "",
            "" if self.levels is None else f"{self.levels:,}",
            f"{self.features:,}" if self.features else "",
            self.use,
        )

    def option(self, role: str) -> str:
        """Return the option that gives the column a role, as one types it in a shell.

        Examples
        --------
        >>> ColumnPreview("price, net", "number", None, None, 1, "").option("ignore")
        "--column 'price, net=ignore'"
        """
        return f"--column {shlex.quote(f'{self.name}={role}')}"


class Preview(NamedTuple):
    """A table, as its first batch shows it; ``str`` returns it as text."""

    rows: int  # of the first batch
    features: int
    hashed: bool
    columns: list[ColumnPreview]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        headers = ("column", "kind", "gaps", "levels", "features", "use")
        rows = [column.cells for column in self.columns[:_WIDE]]
        sizes = [max(map(len, each)) for each in zip(headers, *rows, strict=True)]
        for row in (headers, *rows) if rows else ():
            cells = [
                cell.rjust(size) if k in _RIGHT else cell.ljust(size)
                for k, (cell, size) in enumerate(zip(row, sizes, strict=True))
            ]
            yield "  ".join(cells).rstrip()
        if len(self.columns) > _WIDE:
            yield f"and {len(self.columns) - _WIDE} columns more"
        kind = "sparse" if self.hashed or not self.columns else "dense"  # svmlight
        kind += " feature" if self.features == 1 else " features"
        yield f"{self.features:,} {kind}, from the first {self.rows:,} rows"
        hashed = [c for c in self.columns if c.use.startswith("hashed")]
        if hashed:
            more = f" and {len(hashed) - _NAMED} more" if len(hashed) > _NAMED else ""
            hashed = hashed[:_NAMED]
            roles = ["ignore" if c.kind == "text" else "one-hot" for c in hashed]
            options = (c.option(r) for c, r in zip(hashed, roles, strict=True))
            yield (
                f"hashed: {', '.join(_readable(c.name) for c in hashed)}{more}; so "
                "features are sparse and the model keeps no correlations; "
                f"{' '.join(options)} avoids it"
            )
        for column in self.columns:
            if column.warning:
                name, avoided = _readable(column.name), column.option("ignore")
                yield f"warning: {name} {column.warning}; {avoided} leaves it out"


def preview(files: Any, target: str, **options: Any) -> Preview:
    r"""Return how ``train`` would encode the columns of a table.

    Only the first batch is read. Columns that look like an id, or that determine the
    target, are marked.

    Parameters
    ----------
    files, target, **options
        As for ``train``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("size,won", *("12,yes", ",no") * 9, sep="\n", file=file, flush=True)
    ...     found = preview(file.name, "won")
    >>> [(c.name, c.kind, c.gaps) for c in found.columns]
    [('size', 'number', 0.5), ('won', 'target', 0.0)]
    """
    given = files if isinstance(files, list | tuple) else [files]
    return preview_of(Sources(options_of(given, target, options)))


def preview_of(sources: Sources) -> Preview:
    """Return the preview of opened tables."""
    rows, encoder = sources.first
    columns = []
    if not is_sparse(rows.numbers):
        columns = _columns(rows, encoder, sources)
    return Preview(len(rows), encoder.features, encoder.hashed, columns)


def _columns(rows: Rows, encoder: Encoder, sources: Sources) -> list[ColumnPreview]:
    given, size = sources.options, max(len(rows), 1)
    features = {name: len(places) for name, places in encoder.groups()}
    binary = given.model_name.startswith(_BINARY)
    found: list[ColumnPreview] = []
    for j, name in enumerate(encoder.numbers):
        missing = len(rows.missing.get(j, ()))
        use = "cut into two levels" if binary else "standardised"
        use += " and a mark of gaps" if j in encoder.indicators else ""
        warning = _ID if name in encoder.ids else ""
        if missing == size:
            warning = _EMPTY
        warning = warning or _leak(np.asarray(rows.numbers[:, j], float), rows)
        gaps, many = missing / size, features[name]
        found.append(ColumnPreview(name, "number", gaps, None, many, use, warning))
    for (name, coding), texts in zip(encoder.coded, rows.texts, strict=True):
        kind, use = _USES[coding.kind]
        gaps, levels = float(np.sum(texts.codes < 0)) / size, len(texts.present)
        id_like, many = name in encoder.ids, features[name]
        warning = _suspect(texts, rows, id_like) if kind == "category" else ""
        found.append(ColumnPreview(name, kind, gaps, levels, many, use, warning))
    if rows.labels is not None:
        codes, levels = rows.labels.codes, len(rows.labels.values)
        gaps, name = float(np.sum(codes < 0)) / size, sources.target
        found.append(ColumnPreview(name, "target", gaps, levels, 0, "predicted"))
    for name, role in given.columns.items():
        if role in _OTHERS:
            found.append(ColumnPreview(name, role, None, None, 0, _OTHERS[role]))
    order = [column.name for column in sources.table(0).columns]
    return sorted(found, key=lambda column: order.index(column.name))


def _suspect(texts: Texts, rows: Rows, id_like: bool) -> str:
    """Return a warning about a column of categories."""
    codes, levels = texts.codes, texts.present
    if not levels:
        return _EMPTY
    if all(map(_DECIMAL.fullmatch, levels)):
        return _COMMAS
    if id_like:
        return _ID
    if rows.labels is None or len(levels) > np.sum(codes >= 0) / 10:
        return ""
    # of each level the share of the last label, as a score
    labels = rows.labels.codes
    positive = labels == np.max(labels, initial=0)
    seen = np.bincount(codes + 1, minlength=2)
    rate = np.bincount(codes + 1, positive, len(seen)) / np.maximum(seen, 1)
    return _leak(rate[codes + 1], rows)


def _leak(scores: npt.NDArray[np.float64], rows: Rows) -> str:
    """Return a warning if scores tell one class from all others."""
    if rows.labels is None:
        return ""
    use = np.isfinite(scores) & (rows.labels.codes >= 0)
    codes, scores = rows.labels.codes[use], scores[use]
    counts = np.bincount(codes, minlength=2)
    if len(counts) > 20 or counts.min() < _ENOUGH:  # chance, or too many to try
        return ""
    _, ranks, many = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(many) - 0.5 * (many - 1)
    for k, yes in enumerate(counts.tolist()):
        no = len(codes) - yes
        area = (middle[ranks][codes == k].sum() - yes * (yes + 1) / 2) / (yes * no)
        if max(area, 1.0 - area) >= _SURE:
            return _LEAK
    return ""
