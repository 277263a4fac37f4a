"""The training loop: read a batch, encode, predict, learn, record, checkpoint.

From top to bottom: the public call, the tables of a run and their preview, the loop,
learning in pieces, the end of a run, and its state, which model files keep.
"""

from __future__ import annotations

import _thread
import copy
import hashlib
import itertools
import math
import os
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self, TypeVar

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import number, whole
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryPerceptron,
    OnlinePerceptron,
)
from rosenblatt.estimators.base import takes_sparse
from rosenblatt.estimators.inputs import LabelRuns, set_open
from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.typed import plain, typed
from rosenblatt.tables.encoder import KINDS, TableEncoder
from rosenblatt.tables.encoding import Encoded, Encoder, encode, first_encoder
from rosenblatt.tables.reading import (
    REFUSED,
    STANDARD,
    Columns,
    Frames,
    Piece,
    Rows,
    Table,
    Texts,
    check_columns,
    choose,
    format_of,
    is_sparse,
    open_table,
)
from rosenblatt.training.options import (
    Options,
    check_on_error,
    check_same,
    make,
    options_of,
    parts_of,
)
from rosenblatt.training.parts import (
    FAULTS,
    Learned,
    check_model,
    classes_in,
    is_fitted,
    learn_piece,
    merged,
    results,
)
from rosenblatt.training.record import (
    Classify,
    Record,
    Regress,
    Task,
    check_labels,
    class_array,
    how_far,
    metric_text,
    sorted_labels,
)

Item = TypeVar("Item")
dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)
PIECE_ROWS = 2**20  # as many as pyarrow puts into a group of rows of Parquet
# Version of what is stored beside the model. A test pins a digest of its types: who
# changes them changes the version.
VERSION = 8
_GRACE = 10.0  # seconds to finish a block after Ctrl-C, since a rule may never return
_ROWS = 2**13  # of a batch of few columns
_ENTRIES = 2**20  # of a batch of many
_LEAST = 2**6  # rows of a batch of very many
_SPARSE = 2**12  # rows of a batch of sparse rows
_HEAD = 2**16  # bytes from the start of a file by which it is known again
_SPLIT = (
    BayesPerceptron,
    BayesRegressor,
    OnlinePerceptron,
)  # a batch in two is learned like one
_COLUMN = re.compile(r"\bcolumn (\d+)\b")  # models know only the numbers of columns


def train(
    source: Any,
    target: str | None = None,
    *,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    continued: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    on_error: str = "stop",
    checkpoint_every: float = 60.0,
    progress: bool | None = False,
    shown: Callable[[Preview], None] | None = None,
    **options: Any,
) -> Any:
    r"""Learn from tables of any size, in one pass.

    Batches have a fixed number of rows. So the result is the same, to the bit, whether
    or not the run was interrupted and resumed, and whenever checkpoints were taken.

    A target of numbers is regressed: the model is a ``BayesRegressor``, and learns
    classes otherwise. A column is one of numbers if the first batch has more than 20
    whole numbers in it, or more than two numbers of which one is not whole. ``task``
    says otherwise.

    With ``workers``, ``scheduler`` or ``piece_rows`` files are learned in pieces, each
    by a model of its own, and the models are merged as :func:`rosenblatt.fit_parts`
    describes, once. A piece is a file; Parquet files are cut into pieces of
    ``piece_rows`` rows. The result does not depend on the number of workers. Each row
    is predicted by a model that knows the rows before it in its piece only.

    Parameters
    ----------
    source
        Files to learn from, one after the other: a path, a pattern, a folder, or a list
        of these; ``"-"`` is standard input. Or a table: a DataFrame of pandas or
        polars, or anything else with the Arrow C stream protocol. Or an iterator over
        tables with the same columns, which is read once.
    target
        The column of labels or numbers; not needed with ``continued``.
    save
        Path of the model, which is written at the end, whole. Until then a checkpoint
        is beside it, with ``.checkpoint`` after the name.
    resume
        Whether to go on from the checkpoint, if there is one. A checkpoint or a model
        of other files or options is refused.
    continued
        A model file to go on learning from. Columns, classes and model are those of
        the file.
    workers, scheduler
        Number of processes to start on this machine, or the address of a running
        scheduler of Dask, whose workers find the files under the same names.
    on_error
        The treatment of a row that cannot be learned from.
        ``"stop"``: raise an error that names file, line and column. ``"skip"``: leave
        the row out and count it.
    checkpoint_every
        Seconds between two checkpoints.
    progress
        Whether to show a bar; None if standard error is a terminal.
    shown
        Called with the preview of the columns before a new model learns.
    **options
        See :class:`rosenblatt.training.Options`.

    Returns
    -------
    object
        The model. ``rosenblatt.training.report`` describes how it has learned, from its
        attribute ``training_record_``, which model files keep.

    Examples
    --------
    >>> import pyarrow
    >>> import rosenblatt as rb
    >>> size, side = list(range(100)), ["left", "right"] * 50
    >>> won = [name == "right" for name in side]
    >>> table = pyarrow.table({"size": size, "side": side, "won": won})
    >>> model = rb.train(table, "won")
    >>> found = rb.training.report(model)["progressive"]
    >>> found["rows"], found["error"] < 0.05
    (100, True)
    >>> model.encoder_.get_feature_names_out().tolist()
    ['size', 'side=left', 'side=right', 'side=(other)']
    >>> price = rb.train(table, "size", columns={"won": "ignore"})
    >>> price.predict_interval(table.select(["side"])).shape
    (100, 2)
    """
    check_on_error(on_error)
    number("checkpoint_every", checkpoint_every, low=0.0)
    where = None if save is None else Path(save)
    if where is not None and not where.parent.is_dir():
        raise ValueError(
            f"save must be a file in an existing folder, got {str(where)!r}"
        )
    if resume and where is None:
        raise ValueError("resume needs save, beside which checkpoints are")
    before = None
    if continued is not None:
        before = load(continued, options.get("rule"), options.get("schedule"))
    if workers is not None:
        whole("workers", workers, low=1)
    parallel = not (workers is scheduler is None)
    if parallel:
        options.setdefault("piece_rows", PIECE_ROWS)
    files, table = _opened(source)
    given = options_of(files, target, options, before.options if before else None)
    if continued is not None:
        content = Path(continued).read_bytes()
        given = replace(given, start=hashlib.sha256(content).hexdigest())
    model = make(given.model, given.rule, given.schedule, given.task)
    if given.piece_rows is not None:
        _check_pieces(model, given)
    known = fingerprint(given.files)
    run = None
    if resume and where is not None:
        run = _resumed(given, known, model, where)
    if run is not None and run.finished:
        return run.model
    bar = sys.stderr.isatty() if progress is None else progress
    with ExitStack() as stack:
        interrupts = stack.enter_context(Interrupts())
        work = _Work(on_error == "skip", interrupts, checkpoint_every, where)
        if bar:
            opened = ProgressBar(1.0, shown=progress, counted=False, keep=True)
            work.bar = stack.enter_context(opened)
        client = None
        if parallel:  # Dask must not be interrupted inside
            stack.enter_context(interrupts.held())
            client = stack.enter_context(dask.connected(workers, scheduler))
        sources = Sources(given, table, run.encoder if run else None)
        if run is None and before is not None:
            run = replace(before, options=given, files=known, position=Position())
            run.finished = False
        elif run is None:
            given = replace(given, task=sources.task)
            if given.piece_rows and given.classes is None and given.task == "classify":
                found = classes_in(_file_pieces(given), client, interrupts.noticed)
                labels = sorted_labels(found.tolist())
                sources = Sources(replace(given, classes=labels), table)
            if shown is not None:
                shown(preview_of(sources))
            run = Run(sources.model, *sources.first[1:], given, known)
        try:
            if given.piece_rows is None:
                _learn(run, sources, work)
            else:
                _learn_pieces(run, work, client)
            _finish(run, sources, work.skip)
        except KeyboardInterrupt:
            raise TrainingInterrupted(run.save_checkpoint(where)) from None
        except Exception:
            run.save_checkpoint(where)
            raise
        with interrupts.held():
            run.finished = True
            run.write()
            if where is not None:
                run.save(where)
                _checkpoint(where).unlink(missing_ok=True)
    return run.model


def _opened(source: Any) -> tuple[list[Any], Frames | None]:
    """Return files, or none and a table; an iterator is like standard input."""
    if hasattr(source, "__arrow_c_stream__"):
        return [], Frames(source)
    if isinstance(source, Iterator):
        return [STANDARD], Frames(source)
    files = list(source) if isinstance(source, list | tuple) else [source]
    for file in files:
        if not isinstance(file, str | os.PathLike):
            raise TypeError(
                "source must be paths, a table such as a DataFrame, or an iterator "
                f"over tables, got {type(file).__name__}"
            )
    return files, None


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


class Sources:
    """The tables of a run, in the order in which they are learned.

    Parameters
    ----------
    options
        Options of the run.
    table
        A table in memory, instead of files.
    encoder
        The encoder, if it is known; svmlight files have its width.
    """

    def __init__(
        self,
        options: Options,
        table: Table | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self.options, self.width = options, encoder.width if encoder else None
        self._tables: dict[int, Table] = {} if table is None else {0: table}
        self.count = len(options.files) or 1
        self._begun: Iterator[Piece] | None = None  # the first table, once looked at
        if self.width is None and hasattr(self.table(0), "width"):
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
    def _head(self) -> tuple[Piece, Columns, list[str], str, bool]:
        """The first piece, columns, kinds of texts, task, and if numbers are given."""
        table, given = self.table(0), self.options
        own = given.columns, given.target, given.missing
        names = None
        if all(column.kind for column in table.columns):  # the file says what they are
            names = choose(table.name, table.columns, *own)[0].names
        opened = table.pieces(0, self.batch_rows, names)
        first = next(opened, None)
        if first is None:
            raise ValueError(f"{table.name} has no rows")
        self._begun = itertools.chain([first], opened)
        every = table.kinds(first, given.missing)
        columns, kinds = choose(table.name, every, *own)
        alone = Columns((), (), given.target, missing=given.missing)
        labels = table.parse(first, alone).labels
        numeric = self.width is not None or (given.target, "number") in every
        numbers = labels.numbers[labels.codes >= 0]
        numeric = numeric and bool(np.isfinite(numbers).any())  # not of booleans
        task = given.task_of(numbers if numeric else numbers[:0])
        columns = columns._replace(numeric=task == Regress.name)
        return first, columns, kinds, task, numeric

    @property
    def task(self) -> str:
        """The task: classify or regress."""
        return self._head[3]

    @property
    def numeric(self) -> bool:
        """True if the target is a column of numbers, which may be regressed."""
        return self._head[4]

    @property
    def model(self) -> Any:
        """A new model."""
        given = self.options
        return make(given.model, given.rule, given.schedule, self.task)

    @cached_property
    def first(self) -> tuple[Rows, Encoder, tuple[str, ...]]:
        """The first batch, and encoder and labels that it determines."""
        piece, columns, kinds, task, _ = self._head
        table, given = self.table(0), self.options
        rows, sparse = table.parse(piece, columns), takes_sparse(self.model)
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
        if task == Regress.name:
            return rows, encoder, ()
        labels = sorted_labels(given.classes or rows.label_values)
        check_labels(f"{table.name}: target {given.target!r}", labels)
        if len(labels) < (1 if given.open else 2):
            wrong = "".join(f"; a bad row: {table.error(bad)}" for bad in rows.bad[:1])
            raise ValueError(
                f"{table.name}: target {given.target!r} must have two labels or more, "
                f"got {list(labels)}; give all labels with classes{wrong}"
            )
        return rows, encoder, labels

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
        task: Task,
        start: Position = _START,
        stop: Position | None = None,
    ) -> Iterator[Batch]:
        """Yield batches from a position to another, apart from rows that are held out.

        The choice of these depends on the position of a batch only, so that a second
        reading finds the same rows.
        """
        given = self.options
        columns = encoder.columns(given.target, given.weight)
        columns = columns._replace(numeric=task.name == Regress.name)
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
                rows = encode(encoder, table.parse(piece, columns), task)
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

    def _done(self, position: Position) -> float | None:
        """Return the share of the files that is done; None if unknown."""
        share = self.table(position.file).share(position.line)
        if self.once or share is None:
            return None
        return (position.file + share) / self.count


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


_WIDE = 40  # columns of a table that are listed one by one
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
_HEADERS = ("column", "kind", "gaps", "levels", "features", "use")


def _readable(name: str) -> str:
    """Return the name of a column; in quotes if it is empty or begins with a space."""
    return name if name.strip() == name != "" else repr(name)


class ColumnPreview(NamedTuple):
    """A column, as the first batch shows it."""

    name: str
    kind: str  # number, category, date, text, target, weight, id, ignore
    use: str  # what happens to it, in words
    features: int = 0  # that the column becomes
    gaps: float | None = None  # share of missing values
    levels: int | None = None  # distinct values, of text
    warning: str = ""

    def lines(self) -> Iterator[str]:
        """Yield what should be known of the column, with options as one types them.

        Examples
        --------
        >>> list(ColumnPreview("a, b", "number", "", warning="has no value").lines())
        ["warning: a, b has no value; --column 'a, b=ignore' leaves it out"]
        """
        name = _readable(self.name)
        option, ignored = (
            f"--column {shlex.quote(f'{self.name}={role}')}"
            for role in ("ignore" if self.kind == "text" else "one-hot", "ignore")
        )
        if self.use.startswith("hashed"):
            yield (
                f"{name} is hashed, so features are sparse and the model keeps no "
                f"correlations; {option} avoids it"
            )
        if self.warning:
            yield f"warning: {name} {self.warning}; {ignored} leaves it out"


class Preview(NamedTuple):
    """A table, as its first batch shows it; ``str`` returns it as text."""

    task: str  # what is learned, and how to learn something else
    rows: int  # of the first batch
    features: int
    columns: list[ColumnPreview]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.task
        rows: list[tuple[Any, ...]] = [_HEADERS] if self.columns else []
        for one in self.columns[:_WIDE]:
            gaps = f"{one.gaps:.1%}" if one.gaps else ""
            levels = "" if one.levels is None else f"{one.levels:,}"
            many = f"{one.features:,}" if one.features else ""
            rows.append((_readable(one.name), one.kind, gaps, levels, many, one.use))
        name, kind = (max((len(row[k]) for row in rows), default=0) for k in (0, 1))
        for row in rows:
            yield "{:{}}  {:{}}  {:>6}  {:>6}  {:>8}  {}".format(
                row[0], name, row[1], kind, *row[2:]
            )
        if len(self.columns) > _WIDE:
            yield f"and {len(self.columns) - _WIDE} columns more"
        features = "feature" if self.features == 1 else "features"
        yield f"{self.features:,} {features}, from the first {self.rows:,} rows"
        for column in self.columns:
            yield from column.lines()


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
    rows, encoder, classes = sources.first
    target, regress = sources.options.target, sources.task == Regress.name
    said = f"{target} is a number; --task classify takes its values as classes"
    if not regress:
        said = f"{target} has {len(classes)} classes"
        said += "; --task regress takes it as a number" * sources.numeric
    columns: list[ColumnPreview] = []
    if not is_sparse(rows.numbers):
        order = [column.name for column in sources.table(0).columns]
        columns = list(_columns(rows, encoder, sources))
        columns.sort(key=lambda column: order.index(column.name))
    return Preview(said, rows.size, encoder.features, columns)


def _columns(rows: Rows, encoder: Encoder, sources: Sources) -> Iterator[ColumnPreview]:
    given, size, labels = sources.options, max(rows.size, 1), rows.labels
    task: Task = Regress() if sources.task == Regress.name else Classify()

    def leak(scores: npt.NDArray[np.float64]) -> str:
        return _LEAK if task.tells(scores, labels) else ""

    def suspect(texts: Texts) -> str:
        levels = texts.present
        if not levels:
            return _EMPTY
        if all(map(_DECIMAL.fullmatch, levels)):
            return _COMMAS
        if name in encoder.ids:
            return _ID
        if len(levels) > np.sum(texts.codes >= 0) / 10:
            return ""
        seen = np.bincount(texts.codes + 1, minlength=2)
        sums = np.bincount(texts.codes + 1, task.levels(labels), len(seen))
        return leak((sums / np.maximum(seen, 1))[texts.codes + 1])

    features = {name: len(places) for name, places in encoder.groups()}
    binary = given.model_name.startswith(_BINARY)
    for j, name in enumerate(encoder.numbers):
        missing = len(rows.missing.get(j, ()))
        use = "cut into two levels" if binary else "standardised"
        use += " and a mark of gaps" if j in encoder.indicators else ""
        warning = _EMPTY if missing == size else _ID if name in encoder.ids else ""
        warning = warning or leak(np.asarray(rows.numbers[:, j], float))
        known = features[name], missing / size
        yield ColumnPreview(name, "number", use, *known, warning=warning)
    for (name, coding), texts in zip(encoder.coded, rows.texts, strict=True):
        kind, use = _USES[coding.kind]
        warning = suspect(texts) if kind == "category" else ""
        gaps, many = float(np.mean(texts.codes < 0)), len(texts.present)
        yield ColumnPreview(name, kind, use, features[name], gaps, many, warning)
    regress = isinstance(labels, np.ndarray)
    gone = np.isnan(labels) if regress else labels.codes < 0
    levels, gaps = None if regress else len(labels.values), float(gone.sum()) / size
    yield ColumnPreview(given.target, "target", "predicted", 0, gaps, levels)
    for name, role in given.columns.items():
        if role in _OTHERS:
            yield ColumnPreview(name, role, _OTHERS[role])


class _Work:
    """All that learning needs besides the run and its sources."""

    bar: ProgressBar | None = None

    def __init__(
        self,
        skip: bool,  # bad rows, instead of stopping
        interrupts: Interrupts | None = None,
        every: float = math.inf,  # seconds
        where: Path | None = None,
    ) -> None:
        self.skip, self._every, self._where = skip, every, where
        self.held = nullcontext if interrupts is None else interrupts.held
        self.noticed = interrupts.noticed if interrupts is not None else None
        self._first: tuple[int, float] | None = None  # rows and time at the start
        self._last = time.monotonic()

    def done(self, run: Run, rows: int, share: float | None, said: str = "") -> None:
        """Show progress, and save a checkpoint if it is time to."""
        now = time.monotonic()
        if self.bar is not None:
            if self._first is None:  # rows before this start are no speed
                self._first = rows, now
            speed = (rows - self._first[0]) / max(now - self._first[1], 1e-9)
            text = f"{said}{rows:,} rows, {speed:,.0f}/s; next row: {run.record.text}"
            if later := run.task.later(run.model) if is_fitted(run.model) else {}:
                text += f"; {how_far(run.model)}: {metric_text(later, 'log_loss')}"
            self.bar.update(share, text)
        if self._where is not None and now - self._last >= self._every:
            run.save(_checkpoint(self._where))
            self._last = now


def _learn(
    run: Run, sources: Sources, work: _Work, stop: Position | None = None
) -> None:
    """Learn tables from the position of the run to another one, or to their end."""
    given, record, task, runs = sources.options, run.record, run.task, None
    name = sources.table(0).name
    task.check(run.model, f"model {given.model}")
    run.take_classes()  # resumed or continued
    seen = record.rows
    batches = sources.batches(run.encoder, task, run.position, stop)
    for rows, held, end, done in batches if sources.once else ahead(batches):
        table = sources.table(end.file)
        if rows.bad and not work.skip:
            raise table.error(rows.bad[0])
        with work.held():
            try:
                place = f"{table.name}: target {given.target!r}"
                check_labels(place, {*run.classes, *rows.new})
                _learn_batch(run, rows, work.skip)
            except FAULTS as failure:
                names = [] if sources.width else run.encoder.names
                raise ValueError(
                    f"{table.name}, a batch up to {table.unit} {end.line}: "
                    f"{_named(str(failure), names)}"
                ) from failure
            record.found(rows, table)
            if task.classes and not rows.new and is_fitted(run.model):
                codes = np.searchsorted(class_array(task.classes), rows.labels)
                runs = (runs or LabelRuns()).add(codes)
            run.position, run.in_batch = end, False
            seen += len(rows.lines) + (0 if held is None else len(held.lines))
            work.done(run, seen, done)
    if stop is None:
        run.check_learned(name)
        if runs is not None:
            runs.warn(stacklevel=3)


def _named(message: str, names: list[str]) -> str:
    """Return a message with the names of features in place of their numbers.

    Examples
    --------
    >>> _named("X must be finite, got nan in row 3, column 1", ["age", "income"])
    "X must be finite, got nan in row 3, column 'income'"
    """

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"column {names[number]!r}" if number < len(names) else found[0]

    return _COLUMN.sub(name, message)


def _learn_batch(run: Run, rows: Encoded, skip: bool) -> None:
    """Learn a batch, in pieces if the curve has points within it."""
    run.in_batch = True
    first, count, record = 0, len(rows.lines), run.record
    while first < count:
        stop = count
        if isinstance(run.model, _SPLIT):
            stop = min(count, first + max(record.mark - record.rows, 1))
        _learn_rows(run, rows.part(slice(first, stop)), skip)
        first = stop


def _learn_rows(run: Run, rows: Encoded, skip: bool) -> None:
    """Learn some rows of a batch; skip rows that the model refuses, if asked to.

    A model does not change if it refuses rows, so each half of them is tried again.
    """
    count, metrics = len(rows.lines), run.task.metrics()
    try:
        if rows.weights is None or rows.weights.any():
            metrics = run.task.learn(run.model, rows)
    except FAULTS:
        if not skip or not run.record.rows:  # of the first rows none is like others
            raise
        if count == 1:
            run.record.count({REFUSED: 1})
            return
        for half in (slice(count // 2), slice(count // 2, None)):
            _learn_rows(run, rows.part(half), skip)
        return
    run.take_classes()
    run.record.learned(count, metrics)


@dataclass(frozen=True)
class FilePiece:
    """A file or some of its rows, read by the process that learns from it."""

    options: Options
    start: Position
    stop: Position
    encoder: Encoder | None = None  # not known while labels are looked for
    skip: bool = False  # bad rows, instead of stopping
    waiting = ()

    def __str__(self) -> str:
        name, line = self.options.files[self.start.file], self.start.line
        return f"{name}, rows from {line + 1}" if line else name

    def labels(self) -> npt.NDArray[Any]:
        """Return all labels of the piece, as text."""
        index, found = self.start.file, set[str]()
        alone = replace(self.options, files=self.options.files[index : index + 1])
        for labels, line in Sources(alone).labels(0, self.start.line):
            found.update(labels)
            check_labels(f"{alone.files[0]}: target {alone.target!r}", found)
            if (index, line) >= self.stop:
                break
        return np.array(sorted(found))

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record:
        """Let a model learn the rows; each row is predicted before it is learned."""
        assert self.encoder is not None
        labels = tuple(map(str, classes.tolist()))
        run = Run(model, self.encoder, labels, self.options, position=self.start)
        sources = Sources(self.options, encoder=self.encoder)
        _learn(run, sources, _Work(self.skip), self.stop)
        run.record.curve.clear()  # of a model that has seen this piece alone
        return run.record


def _check_pieces(model: Any, given: Options) -> None:
    """Raise an error if a run cannot be cut into pieces."""
    if not given.files or STANDARD in given.files:
        raise ValueError(
            "source must be files with workers, got standard input, a table in memory "
            "or an iterator, which one process reads"
        )
    if not given.holdout is given.holdout_last is None:
        raise ValueError("holdout must be without workers; take predict instead")
    check_model(model)


def _file_pieces(given: Options, **more: Any) -> list[FilePiece]:
    """Return the pieces of all files, in their order."""
    found, size = [], given.piece_rows or PIECE_ROWS
    for index, name in enumerate(given.files):
        starts = [0]
        if (given.format or format_of(name)) == "parquet":
            sources = Sources(given)
            size = -(-size // sources.batch_rows) * sources.batch_rows
            starts = [*range(0, sources.table(index).rows or 1, size)]
        ends = [*(Position(index, line) for line in starts[1:]), Position(index + 1)]
        for line, stop in zip(starts, ends, strict=True):
            found.append(FilePiece(given, Position(index, line), stop, **more))
    return found


def _learn_pieces(run: Run, work: _Work, client: Any) -> None:
    """Learn the pieces after those that the run knows, and merge their models."""
    given = run.options
    model = make(given.model, given.rule, given.schedule, given.task)
    pieces = _file_pieces(given, encoder=run.encoder, skip=work.skip)
    first = run.position.file
    learn = partial(learn_piece, classes=class_array(run.classes))
    every = results(learn, pieces[first:], model, client, work.noticed)
    for count, found in enumerate(every, first + 1):
        run.in_batch = True
        if found is not None and is_fitted(run.model):
            found = merged(Learned(run.model, run.record), found)
        if found is not None:
            run.model, run.record = found.model, found.record
        run.position, run.in_batch = Position(count), False
        said = f"{count} of {len(pieces)} pieces, "
        work.done(run, run.record.rows, count / len(pieces), said)
    run.check_learned(given.files[0])


def _finish(run: Run, sources: Sources, skip: bool) -> None:
    """Finish a model after its last row: find its threshold, evaluate rows held out.

    A binary perceptron reads all rows again to find its threshold with the final
    weights. Standard input cannot be read again: its threshold is the one found while
    the weights changed. Rows that were refused before are left out again.

    Files that a model learned before it was continued are not read again. If its
    weights have not changed since, their rows count for the threshold too.
    """
    model, given, task = run.model, sources.options, run.task

    def again() -> Iterator[tuple[Any, ...]]:
        for rows, *_ in sources.batches(run.encoder, task):
            rows = rows.part(model.takes(rows.X)) if skip and len(rows.lines) else rows
            weights = () if rows.weights is None else (rows.weights,)
            if len(rows.lines) and (not weights or weights[0].any()):
                yield rows.X, rows.labels, *weights

    if isinstance(model, BinaryPerceptron) and not sources.once:
        final = copy.copy(model).fit_threshold(again())
        if given.start is None and final.threshold_examples_ != model.t_:
            raise ValueError(
                f"{', '.join(given.files)} must be the same when read again for the "
                f"threshold, got {model.t_} rows and then {final.threshold_examples_}"
            )
        if final.threshold_examples_ > model.threshold_examples_:
            run.model = final
    run.record.test = None  # a model that is continued has one of other files
    if not given.holdout is given.holdout_last is None:
        test = task.metrics()
        for _, rows, *_ in sources.batches(run.encoder, task):
            if rows is not None and len(rows.lines):
                known = task.law(run.model, rows.X), rows.labels, rows.weights
                test.add(task.measured(run.model, *known))
        if not test.rows:
            raise ValueError("holdout must have rows, got none; take a larger share")
        run.record.test = test


class Stored(NamedTuple):
    """The attribute ``training_record_`` of a model, as plain values."""

    version: int
    options: Options
    files: list[list[int | str] | None]
    encoder: Encoder
    classes: tuple[str, ...]
    record: Record
    position: Position
    finished: bool


@dataclass
class Run:
    """A model that learns from tables, and all that belongs to it."""

    model: Any
    encoder: Encoder
    classes: tuple[str, ...]  # none of numbers
    options: Options
    files: list[Any] = field(default_factory=list)  # what they are known again by
    record: Record = None  # type: ignore[assignment]
    position: Position = Position()
    finished: bool = False
    in_batch: bool = False  # in the middle of a batch, which is no state to keep

    def __post_init__(self) -> None:
        if self.record is None:
            self.record = Record(self.task.metrics())

    @property
    def task(self) -> Task:
        """The task, with the classes and costs of this moment."""
        if self.options.task == Regress.name:
            return Regress()
        return Classify(self.classes, self.options.costs, self.options.open)

    def take_classes(self) -> None:
        """Copy the classes that a model without announced classes has learned."""
        if not self.options.open or not hasattr(self.model, "classes_"):
            return
        set_open(self.model, True)
        before = self.classes
        self.classes = tuple(map(str, self.model.classes_.tolist()))
        if self.classes != before:
            places = [self.classes.index(label) for label in before]
            self.record.spread(places, len(self.classes))

    def check_learned(self, name: str) -> None:
        """Raise ValueError unless rows, and two classes or more, were learned."""
        if not is_fitted(self.model):
            raise ValueError(f"{name}: no row can be learned")
        if len(self.classes) == 1:
            raise ValueError(
                f"{name}: target {self.options.target!r} must have two labels or more, "
                f"got {self.classes[0]!r} only"
            )

    def write(self) -> None:
        """Let the model keep the encoder of its tables, and the record."""
        model, record = self.model, self.record
        own = {"version": VERSION} | {
            name: plain(getattr(self, name)) for name in Stored._fields[1:]
        }
        model.training_record_ = own
        if self.encoder.width is None and is_fitted(model):
            kinds = {
                name: role if role in KINDS else "ignore"
                for name, role in self.options.columns.items()
                if role not in ("one-hot", "hash")
            }
            kinds[self.options.target] = "ignore"
            counts = record.rows, record.missing, record.other
            model.encoder_ = TableEncoder.of(self.encoder, kinds, *counts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all."""
        self.write()
        save_model(self.model, path)

    def save_checkpoint(self, where: Path | None) -> str:
        """Save a checkpoint if rows were learned; return how to resume, in words."""
        rows = f"interrupted after {self.record.rows} rows"
        if where is None or self.in_batch or self.position == Position():
            return f"{rows}; nothing was stored"
        self.save(_checkpoint(where))
        return f"{rows}, which are in {_checkpoint(where)}; go on with --resume"

    @classmethod
    def of(cls, model: Any) -> Self:
        """Return the run of a model; raise ModelFileError if its record is damaged."""
        stored = getattr(model, "training_record_", None)
        if stored is None:
            raise ModelFileError("the model has no columns: it was not made by train")
        version = stored.get("version") if isinstance(stored, dict) else None
        if version != VERSION:
            raise ModelFileError(
                f"training_record_ is from another version: {version!r}, not "
                f"{VERSION}; train again, or install the version that wrote it"
            )
        try:
            found: Stored = typed("training", stored, Stored)
            run = cls(model, **{n: getattr(found, n) for n in Stored._fields[1:]})
            for one in (run.record.metrics, run.record.test or run.task.metrics()):
                if type(one) is not run.task.metrics:
                    raise ValueError(f"metrics must be of the task {run.task.name}")
                one.check(len(run.classes))
            features = getattr(model, "n_features_in_", run.encoder.features)
            if features != run.encoder.features:
                raise ValueError(f"the model has {features} columns")
            learned = getattr(model, "classes_", np.array(run.classes)).tolist()
            if run.classes != tuple(map(str, learned)):
                raise ValueError(f"the model has the classes {learned}")
        except (ValueError, TypeError, LookupError) as failure:
            raise ModelFileError(f"training_record_ is damaged: {failure}") from failure
        return run


def load(
    path: str | os.PathLike[str],
    rule: str | None = None,
    schedule: str | None = None,
    parts: dict[str, Any] | None = None,
) -> Run:
    """Load the run of a model that ``train`` has saved, or of its checkpoint.

    Parameters
    ----------
    path
        The file.
    rule, schedule
        As they were given to ``train``, if they are in a file of your own. A model file
        holds no code, and does not say what code to run.
    parts
        The same parts, if they are loaded already.

    Examples
    --------
    >>> load("nowhere.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.safetensors'
    """
    if not Path(path).is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    if not rule is schedule is None:
        parts = parts_of(make("perceptron", rule, schedule))
    model = load_model(path, parts=parts or {})
    try:
        return Run.of(model)
    except ModelFileError as failure:
        raise ModelFileError(f"{path}: {failure}") from failure


def _checkpoint(path: Path) -> Path:
    """Return the path of the checkpoint of a model until it is finished."""
    return path.with_name(f"{path.name}.checkpoint")


def _resumed(given: Options, files: list[Any], model: Any, where: Path) -> Run | None:
    """Return the run to resume, perhaps finished; None if there is none.

    A model of another run is refused: a run that is resumed must not replace it.
    """
    checkpoint = _checkpoint(where)
    path = checkpoint if checkpoint.is_file() else where
    if not path.is_file():
        return None
    if path == where and given.files in ((STANDARD,), ()):
        raise ValueError(
            f"cannot resume: {path} is finished, and a pipe may bring other rows; "
            "--continue learns them too, and without --resume the model is replaced"
        )
    run = load(path, parts=parts_of(model))
    check_same(given, run.options, path)
    for name, now, then in zip(given.files, files, run.files, strict=True):
        if now != then:
            raise ValueError(f"cannot resume from {path}: {name} has changed since")
    return run


class TrainingInterrupted(KeyboardInterrupt):
    """Error of training that was interrupted; the message says how to resume."""


class Interrupts:
    """Context in which Ctrl-C and SIGTERM raise KeyboardInterrupt, or have to wait.

    Only the main thread can do this; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self._asked = self._held = False
        self._before: dict[int, Any] = {}
        self._second = threading.Timer(_GRACE, _thread.interrupt_main)
        self._second.daemon = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        for sent, handler in self._before.items():
            signal.signal(sent, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if not self._held or self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._second.start()

    def noticed(self) -> bool:
        """Return whether an interrupt waits."""
        return self._asked

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the first interrupt wait for the end of a block; the second one acts.

        If the block takes too long, the second one comes by itself.
        """
        before, self._held = self._held, True
        try:
            yield
        finally:
            self._held = before
            self._second.cancel()
        if self._asked and not before:
            raise KeyboardInterrupt


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items of an iterator; a thread makes the next one meanwhile.

    Examples
    --------
    >>> list(ahead(iter(range(5))))
    [0, 1, 2, 3, 4]
    """
    with ThreadPoolExecutor(1, "reader") as pool:
        coming = pool.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = pool.submit(next, items, None)
            yield item
