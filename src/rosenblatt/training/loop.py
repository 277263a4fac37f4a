"""The training loop: read a batch, encode, predict, learn, record, checkpoint.

From top to bottom: the public call, the loop, the end of a run, and its state, which
model files keep.
"""

from __future__ import annotations

import _thread
import copy
import hashlib
import math
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self, TypeVar

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import number, whole
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryPerceptron,
    OnlinePerceptron,
)
from rosenblatt.estimators.inputs import LabelRuns, set_open
from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.typed import plain, typed
from rosenblatt.tables.encoder import KINDS, TableEncoder
from rosenblatt.tables.encoding import Encoded, Encoder, class_array, sorted_labels
from rosenblatt.tables.reading import REFUSED, STANDARD, Frames, format_of
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
    learn_piece,
    merged,
    results,
)
from rosenblatt.training.preview import Preview, preview_of
from rosenblatt.training.record import (
    Metrics,
    Record,
    TrainingBar,
    check_probabilities,
    class_costs,
    decide,
    learn_batch,
)
from rosenblatt.training.sources import Position, Sources, check_labels, fingerprint

Item = TypeVar("Item")
dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)
_GRACE = 10.0  # seconds to finish a block after Ctrl-C, since a rule may never return
PIECE_ROWS = 2**20  # as many as pyarrow puts into a group of rows of Parquet
_SPLIT = (BayesPerceptron, OnlinePerceptron)  # a batch in two is learned like one
_COLUMN = re.compile(r"\bcolumn (\d+)\b")  # models know only the numbers of columns
# Version of what is stored beside the model. A test pins a digest of its types: who
# changes them changes the version.
VERSION = 7


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
        The column of labels; not needed with ``continued``.
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
    >>> found = rb.training.report(model)
    >>> found["rows"], found["error"] < 0.05
    (100, True)
    >>> model.encoder_.get_feature_names_out().tolist()
    ['size', 'side=left', 'side=right', 'side=(other)']
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
    model = make(given.model, given.rule, given.schedule)
    if given.piece_rows is not None:
        _check_pieces(model, given)
    known = fingerprint(given.files)
    run = None
    if resume and where is not None:
        run = _resumed(given, known, model, where)
    if run is not None and run.finished:
        return run.model
    with ExitStack() as stack:
        interrupts = stack.enter_context(Interrupts())
        bar = stack.enter_context(TrainingBar(progress))
        task = _Task(on_error == "skip", interrupts, bar, checkpoint_every, where)
        client = None
        if parallel:  # Dask must not be interrupted inside
            stack.enter_context(interrupts.held())
            client = stack.enter_context(dask.connected(workers, scheduler))
        seen = given
        if run is before is None and given.piece_rows and given.classes is None:
            found = classes_in(_file_pieces(given), client, interrupts.noticed)
            seen = replace(given, classes=tuple(sorted_labels(found.tolist())))
        sources = Sources(seen, table, run.encoder.width if run else None)
        if run is None and before is not None:
            run = replace(before, options=given, files=known, position=Position())
            run.finished = False
        elif run is None:
            if shown is not None:
                shown(preview_of(sources))
            run = Run(model, *sources.first[1:], given, known)
        try:
            if given.piece_rows is None:
                _learn(run, sources, task)
            else:
                _learn_pieces(run, task, client)
            _finish(run, sources, task.skip)
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


class _Task:
    """All that learning needs besides the run and its sources."""

    def __init__(
        self,
        skip: bool,  # bad rows, instead of stopping
        interrupts: Interrupts | None = None,
        bar: TrainingBar | None = None,
        every: float = math.inf,  # seconds
        where: Path | None = None,
    ) -> None:
        self.skip, self._bar, self._every, self._where = skip, bar, every, where
        self.held = nullcontext if interrupts is None else interrupts.held
        self.noticed = interrupts.noticed if interrupts is not None else None
        self._last = time.monotonic()

    def done(self, run: Run, rows: int, share: float | None, said: str = "") -> None:
        """Show progress, and save a checkpoint if it is time to."""
        if self._bar is not None:
            self._bar.update_record(run.record, rows, share, said, run.model)
        now = time.monotonic()
        if self._where is not None and now - self._last >= self._every:
            run.save(_checkpoint(self._where))
            self._last = now


def _learn(
    run: Run, sources: Sources, task: _Task, stop: Position | None = None
) -> None:
    """Learn tables from the position of the run to another one, or to their end."""
    given, record, runs = sources.options, run.record, LabelRuns()
    target, name = given.target, sources.table(0).name
    if given.costs:
        check_probabilities(run.model, f"model {given.model}")
        class_costs(given.costs, run.classes)
    run.open = given.open
    if run.open and hasattr(run.model, "classes_"):
        run.take_classes()  # resumed or continued
    seen, classes = record.rows, run.classes
    batches = sources.batches(run.encoder, classes, run.position, stop)
    for rows, held, end, done in batches if sources.once else ahead(batches):
        table = sources.table(end.file)
        if rows.bad and not task.skip:
            raise table.error(rows.bad[0])
        with task.held():
            try:
                check_labels(table.name, target, {*run.classes, *rows.new})
                _learn_batch(run, rows, task.skip)
            except FAULTS as failure:
                names = [] if sources.width else run.encoder.names
                raise ValueError(
                    f"{table.name}, a batch up to {table.unit} {end.line}: "
                    f"{_named(str(failure), names)}"
                ) from failure
            record.found(rows, table)
            if not rows.new and hasattr(run.model, "classes_"):
                runs.add(np.searchsorted(class_array(classes), rows.labels))
            run.position, run.in_batch = end, False
            seen += len(rows.lines) + (0 if held is None else len(held.lines))
            task.done(run, seen, done)
    if stop is None:
        run.check_learned(name)
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
    count, costs = len(rows.lines), run.options.costs
    given = run.model, rows.X, rows.labels, rows.weights
    try:
        seen, judged = learn_batch(*given, class_array(run.classes), costs)
    except FAULTS:
        if not skip or not run.record.rows:  # of the first rows none is like others
            raise
        if count == 1:
            run.record.count({REFUSED: 1})
            return
        for half in (slice(count // 2), slice(count // 2, None)):
            _learn_rows(run, rows.part(half), skip)
        return
    if run.open and hasattr(run.model, "classes_"):
        run.take_classes()
    run.record.learned(count, seen, judged)


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
            check_labels(alone.files[0], alone.target, found)
            if (index, line) >= self.stop:
                break
        return np.array(sorted(found))

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record:
        """Let a model learn the rows; each row is predicted before it is learned."""
        assert self.encoder is not None
        labels = tuple(map(str, classes.tolist()))
        run = Run(model, self.encoder, labels, self.options, position=self.start)
        sources = Sources(self.options, width=self.encoder.width)
        _learn(run, sources, _Task(self.skip), self.stop)
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


def _learn_pieces(run: Run, task: _Task, client: Any) -> None:
    """Learn the pieces after those that the run knows, and merge their models."""
    given = run.options
    model = make(given.model, given.rule, given.schedule)
    pieces = _file_pieces(given, encoder=run.encoder, skip=task.skip)
    first = run.position.file
    learn = partial(learn_piece, classes=class_array(run.classes))
    every = results(learn, pieces[first:], model, client, task.noticed)
    for count, found in enumerate(every, first + 1):
        run.in_batch = True
        if found is not None and hasattr(run.model, "classes_"):
            found = merged(Learned(run.model, run.record), found)
        if found is not None:
            run.model, run.record = found.model, found.record or Record()
        run.position, run.in_batch = Position(count), False
        said = f"{count} of {len(pieces)} pieces, "
        task.done(run, run.record.rows, count / len(pieces), said)
    run.check_learned(given.files[0])


def _finish(run: Run, sources: Sources, skip: bool) -> None:
    """Finish a model after its last row: find its threshold, evaluate rows held out.

    A binary perceptron reads all rows again to find its threshold with the final
    weights. Standard input cannot be read again: its threshold is the one found while
    the weights changed. Rows that were refused before are left out again.

    Files that a model learned before it was continued are not read again. If its
    weights have not changed since, their rows count for the threshold too.
    """
    model, given = run.model, sources.options

    def again() -> Iterator[tuple[Any, ...]]:
        for rows, *_ in sources.batches(run.encoder, run.classes):
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
        test = Metrics()
        for _, rows, *_ in sources.batches(run.encoder, run.classes):
            if rows is not None and len(rows.lines):
                test.add(_evaluated(run, rows))
        if not test.rows:
            raise ValueError("holdout must have rows, got none; take a larger share")
        run.record.test = test


def _evaluated(run: Run, rows: Encoded) -> Metrics:
    """Return the metrics of a finished model on some rows."""
    model, classes, probabilities = run.model, class_array(run.classes), None
    if hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(rows.X)
        predicted = decide(probabilities, run.costs())
    else:
        predicted = np.searchsorted(classes, model.predict(rows.X))
    codes = np.searchsorted(classes, rows.labels)
    return Metrics.of(codes, predicted, len(classes), probabilities, rows.weights)


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
    classes: tuple[str, ...]
    options: Options
    files: list[Any] = field(default_factory=list)  # what they are known again by
    record: Record = field(default_factory=Record)
    position: Position = Position()
    finished: bool = False
    open: bool = False  # a label becomes a class when it comes
    in_batch: bool = False  # in the middle of a batch, which is no state to keep

    def costs(self, given: Any = None) -> npt.NDArray[np.float64] | None:
        """Return the cost of a mistake on a row of each class; None if all are 1."""
        return class_costs(given or self.options.costs, self.classes)

    def take_classes(self) -> None:
        """Copy the classes that a model without announced classes has learned."""
        set_open(self.model, True)
        before = self.classes
        self.classes = tuple(map(str, self.model.classes_.tolist()))
        if self.classes != before and self.record.labels:
            places = [self.classes.index(label) for label in before]
            self.record.spread(places, len(self.classes))

    def check_learned(self, name: str) -> None:
        """Raise ValueError unless two classes or more were learned."""
        if not hasattr(self.model, "classes_"):
            raise ValueError(f"{name}: no row can be learned")
        if len(self.classes) < 2:
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
        if self.encoder.width is None and hasattr(model, "classes_"):
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
            found.record.check(len(found.classes))
            run = cls(model, **{n: getattr(found, n) for n in Stored._fields[1:]})
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
