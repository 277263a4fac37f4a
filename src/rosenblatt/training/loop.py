"""The training loop: read a batch, encode, predict, learn, record, checkpoint.

From top to bottom: the public call, the loop, the end of a run, and its state, which
model files keep.
"""

from __future__ import annotations

import _thread
import copy
import hashlib
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self, TypeVar

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import whole
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryPerceptron,
    OnlinePerceptron,
)
from rosenblatt.estimators.inputs import LabelRuns, set_open
from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.typed import plain, typed
from rosenblatt.tables import (
    REFUSED,
    STANDARD,
    Bad,
    Encoded,
    Encoder,
    Frames,
    class_array,
)
from rosenblatt.tables.encoder import TableEncoder
from rosenblatt.training.options import (
    Options,
    check_on_error,
    check_same,
    make,
    options_of,
    parts_of,
)
from rosenblatt.training.parts import PIECE_ROWS, Steps, check_pieces, learn_pieces
from rosenblatt.training.record import (
    Metrics,
    Record,
    TrainingBar,
    check_probabilities,
    class_costs,
    decide,
    learn_batch,
)
from rosenblatt.training.sources import (
    Position,
    Preview,
    Sources,
    check_labels,
    fingerprint,
    preview_of,
)

Item = TypeVar("Item")
dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)
_FAULTS = (ValueError, ArithmeticError)  # numbers whose squares overflow
_GRACE = 10.0  # seconds to finish a block after Ctrl-C, since a rule may never return
_SPLIT = (BayesPerceptron, OnlinePerceptron)  # a batch in two is learned like one
_COLUMN = re.compile(r"\bcolumn (\d+)\b")  # models know only the numbers of columns
# Version of what is stored beside the model. A test pins a digest of its types: who
# changes them changes the version.
VERSION = 6
_KINDS = ("number", "category", "date", "text")  # roles that TableEncoder knows, too


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
    checkpoint_every: str = "60s",
    progress: bool | None = False,
    shown: Callable[[Preview], None] | None = None,
    **options: Any,
) -> Any:
    r"""Learn from tables of any size, in one pass.

    Batches have a fixed number of rows. So the result is the same, to the bit, whether
    or not the run was interrupted and resumed, and whenever checkpoints were taken.

    With ``workers``, ``scheduler`` or ``piece_rows`` files are learned in pieces, each
    by a model of its own, and the models are merged as :func:`rosenblatt.fit_parts`
    describes. A piece is a file; Parquet and NPY files are cut into pieces of
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
        Path of the model, which is written at the end, whole. Until then checkpoints
        are beside it, with ``.checkpoint`` after the name, or ``.pieces``.
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
        Interval of checkpoints: seconds, ``"60s"``, or rows, ``"1e6"``.
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
    every, where = Interval(checkpoint_every), None if save is None else Path(save)
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
    pieces = not (workers is scheduler is None)
    if pieces:
        options.setdefault("piece_rows", PIECE_ROWS)
    files, table = _opened(source)
    given = options_of(files, target, options, before.options if before else None)
    if continued is not None:
        given = replace(given, start=digest(continued))
    model = make(given.model, given.rule, given.schedule)
    if given.piece_rows is not None:
        check_pieces(model, given)
    run = resumed(given, model, where) if resume and where is not None else None
    if run is not None and run.finished:
        return run.model
    skip, stored = on_error == "skip", (given.as_dict(), fingerprint(given.files))

    def show(sources: Sources) -> None:
        if shown is not None:
            shown(preview_of(sources))

    with ExitStack() as stack:
        interrupts = stack.enter_context(Interrupts())
        bar = stack.enter_context(TrainingBar(progress))
        if given.piece_rows is not None:
            folder = None if where is None else beside(where, ".pieces")
            steps = Steps(model=model, folder=folder, bar=bar)
            if pieces:  # Dask must not be interrupted inside
                stack.enter_context(interrupts.held())
                steps.stopped = lambda: interrupts.asked
                steps.client = stack.enter_context(dask.connected(workers, scheduler))
            try:
                learned = learn_pieces(
                    model, given, stored[1], steps, resume=resume, skip=skip, shown=show
                )
            except KeyboardInterrupt:
                kept = "nothing was stored"
                if folder is not None:
                    kept = f"what was learned is in {folder}; go on with --resume"
                raise TrainingInterrupted(f"interrupted; {kept}") from None
            run = Run(*learned[:2], *stored, learned[2])
        else:
            sources = Sources(given, table, run.encoder.width if run else None)
            if run is None and before is not None:
                run = before.restarted(*stored)
            elif run is None:
                show(sources)
                run = Run(model, sources.first[1], *stored)
            try:
                _learn(run, _Task(sources, interrupts, bar, every, where, skip))
                _finish(run, sources, skip)
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
                beside(where, ".checkpoint").unlink(missing_ok=True)
                shutil.rmtree(beside(where, ".pieces"), ignore_errors=True)
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


class _Task(NamedTuple):
    """All that learning needs besides the run itself."""

    sources: Sources
    interrupts: Interrupts
    bar: TrainingBar
    every: Interval
    where: Path | None
    skip: bool  # bad rows, instead of stopping


def _learn(run: Run, task: _Task) -> None:
    """Learn the tables from the position of the run to their end."""
    sources, given = task.sources, task.sources.options
    record, runs, name = run.record, LabelRuns(), sources.table(0).name
    task.bar.update(None, "reading")
    if given.costs:
        check_probabilities(run.model, f"model {given.model}")
        class_costs(given.costs, run.encoder.classes)
    run.open = given.open
    if run.open and hasattr(run.model, "classes_"):
        run.take_classes()  # resumed or continued
    seen, encoder = record.rows, run.encoder
    batches = sources.parted(encoder, run.position)
    for rows, held, end, done in batches if sources.once else ahead(batches):
        if rows.bad and not task.skip:
            raise sources.error(end.file, rows.bad[0])
        table, counted = sources.table(end.file), end.turn == 0
        with task.interrupts.held():
            try:
                labels = sources.labels_of(encoder, rows)
                known = {*run.encoder.classes, *rows.new}
                check_labels(table.name, sources.target, known)
                _learn_batch(run, rows, labels, counted, task.skip)
            except _FAULTS as failure:
                names = [] if encoder.width else run.encoder.names
                raise ValueError(
                    f"{table.name}, a batch up to {table.unit} {end.line}: "
                    f"{_named(str(failure), names)}"
                ) from failure
            if counted:
                said = (str(sources.error(end.file, bad)) for bad in rows.bad)
                record.skip(rows.bad, said)
                record.found(rows)
                if not rows.new:
                    runs.add(rows.codes)
            run.position, run.in_batch = end, False
            count = len(rows.codes) + (0 if held is None else len(held.codes))
            seen += count
            task.bar.update_record(record, seen, done, model=run.model)
            if task.where is not None and task.every.due(count):
                run.save(beside(task.where, ".checkpoint"))
    if not hasattr(run.model, "classes_"):
        raise ValueError(f"{name}: no row can be learned")
    if len(run.classes) < 2:
        raise ValueError(
            f"{name}: target {sources.target!r} must have two labels or more, got "
            f"{run.encoder.classes[0]!r} only"
        )
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


def _learn_batch(
    run: Run, rows: Encoded, labels: npt.NDArray[Any], counted: bool, skip: bool
) -> None:
    """Learn a batch, in pieces if the curve has points within it."""
    run.in_batch = True
    first, count, record = 0, len(rows.codes), run.record
    while first < count:
        stop = count
        if counted and isinstance(run.model, _SPLIT):
            stop = min(count, first + max(record.mark - record.rows, 1))
        _learn_rows(run, rows, labels, (first, stop), counted, skip)
        first = stop


def _learn_rows(
    run: Run,
    rows: Encoded,
    labels: npt.NDArray[Any],
    part: tuple[int, int],
    counted: bool,
    skip: bool,
) -> None:
    """Learn some rows of a batch; skip rows that the model refuses, if asked to.

    A model that refuses rows is as it was before: each half of them can be tried.
    """
    first, stop = part
    weights = None if rows.weights is None else rows.weights[first:stop]
    costs = run.options["costs"]
    X, y = rows.X[first:stop], labels[first:stop]
    try:
        seen, judged = learn_batch(run.model, X, y, weights, run.classes, costs)
    except _FAULTS:
        if not skip or not run.record.rows:  # of the first rows none is like others
            raise
        middle = (first + stop) // 2
        if middle == first:
            run.record.skip([Bad(0, REFUSED)] if counted else [])
            return
        for half in ((first, middle), (middle, stop)):
            _learn_rows(run, rows, labels, half, counted, skip)
        return
    if run.open and hasattr(run.model, "classes_"):
        run.take_classes()
    if counted:
        run.record.learned(stop - first, seen, judged)


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
        for rows, _, end, _ in sources.parted(run.encoder):
            if end.turn or not len(rows.codes):
                continue
            taken = model.takes(rows.X) if skip else slice(None)
            weights = () if rows.weights is None else (rows.weights[taken],)
            if not weights or weights[0].any():
                labels = sources.labels_of(run.encoder, rows)
                yield rows.X[taken], labels[taken], *weights

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
    if given.holds_out:
        test = Metrics()
        for _, rows, end, _ in sources.parted(run.encoder):
            if rows is not None and len(rows.codes) and not end.turn:
                test.add(_evaluated(run, rows))
        if not test.rows:
            raise ValueError("holdout must have rows, got none; take a larger share")
        run.record.test = test


def _evaluated(run: Run, rows: Encoded) -> Metrics:
    """Return the metrics of a finished model on some rows."""
    model, many, probabilities = run.model, len(run.classes), None
    if hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(rows.X)
        predicted = decide(probabilities, run.costs())
    else:
        predicted = np.searchsorted(run.classes, model.predict(rows.X))
    return Metrics.of(rows.codes, predicted, many, probabilities, rows.weights)


class StoredRun(NamedTuple):
    """The attribute ``training_record_`` of a model, as plain values."""

    version: int
    options: Options
    files: list[list[int | str] | None]
    encoder: Encoder
    record: Record
    position: tuple[int, int, int, int]
    finished: bool


@dataclass
class Run:
    """A model that learns from tables, and all that belongs to it."""

    model: Any
    encoder: Encoder
    options: dict[str, Any]
    files: list[Any]  # what they are known again by
    record: Record = field(default_factory=Record)
    position: Position = field(default_factory=Position)
    finished: bool = False
    open: bool = False  # a label becomes a class when it comes
    in_batch: bool = False  # in the middle of a batch, which is no state to keep

    def restarted(self, options: dict[str, Any], files: list[Any]) -> Self:
        """Return the run at the start of other files."""
        start = Position()
        return replace(
            self, options=options, files=files, position=start, finished=False
        )

    @property
    def classes(self) -> npt.NDArray[Any]:
        """The labels, whole numbers if all are, else text."""
        return class_array(self.encoder.classes)

    def costs(self, given: Any = None) -> npt.NDArray[np.float64] | None:
        """Return the cost of a mistake on a row of each class; None if all are 1."""
        return class_costs(given or self.options["costs"], self.encoder.classes)

    def take_classes(self) -> None:
        """Copy the classes that a model without announced classes has learned."""
        set_open(self.model, True)
        before = self.encoder.classes
        labels = tuple(map(str, self.model.classes_.tolist()))
        if labels != before:
            self.encoder = replace(self.encoder, classes=labels)
            if self.record.labels:
                places = [labels.index(label) for label in before]
                self.record.spread(places, len(labels))

    def write(self) -> None:
        """Let the model keep the encoder of its tables, and the record."""
        model, columns = self.model, self.options["columns"]
        model.training_record_ = {
            "version": VERSION,
            "options": self.options,
            "files": self.files,
            "encoder": plain(self.encoder),
            "record": plain(self.record),
            "position": list(self.position),
            "finished": self.finished,
        }
        if self.encoder.width is None and hasattr(model, "classes_"):
            kinds = {
                name: role if role in _KINDS else "ignore"
                for name, role in columns.items()
                if role not in ("one-hot", "hash")
            }
            kinds[self.encoder.columns.target or ""] = "ignore"
            record = self.record
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
        checkpoint = beside(where, ".checkpoint")
        self.save(checkpoint)
        return f"{rows}, which are in {checkpoint}; go on with --resume"

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
            return cls._of(model, stored)
        except (ValueError, TypeError, LookupError) as failure:
            raise ModelFileError(f"training_record_ is damaged: {failure}") from failure

    @classmethod
    def _of(cls, model: Any, given: dict[str, Any]) -> Self:
        stored: StoredRun = typed("training", given, StoredRun)
        encoder = stored.encoder
        columns = getattr(model, "n_features_in_", encoder.features)
        if columns != encoder.features:
            raise ValueError(
                f"the model has {columns} columns, and its encoder {encoder.features}"
            )
        learned = getattr(model, "classes_", np.array(encoder.classes)).tolist()
        if encoder.classes != tuple(map(str, learned)):
            raise ValueError(
                f"the model has the classes {learned}, and its encoder "
                f"{list(encoder.classes)}"
            )
        stored.record.check(len(encoder.classes))
        return cls(
            model,
            encoder,
            given["options"],
            stored.files,
            stored.record,
            Position(*stored.position),
            stored.finished,
        )


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


def beside(path: str | os.PathLike[str], ending: str) -> Path:
    """Return the path of what is stored beside a model until it is finished.

    Examples
    --------
    >>> beside("model.safetensors", ".checkpoint").name
    'model.safetensors.checkpoint'
    """
    return Path(path).with_name(Path(path).name + ending)


def digest(path: str | os.PathLike[str]) -> str:
    """Return the digest of a whole file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(files: Sequence[str], before: list[Any], path: Path) -> None:
    """Raise ValueError if files have changed since a run that is to be resumed."""
    for name, now, then in zip(files, fingerprint(files), before, strict=True):
        if now != then:
            raise ValueError(f"cannot resume from {path}: {name} has changed since")


def resumed(given: Options, model: Any, where: Path) -> Run | None:
    """Return the run to resume, perhaps finished; None if there is none.

    A model of another run is refused: a run that is resumed must not replace it.
    """
    checkpoint, pieces = beside(where, ".checkpoint"), beside(where, ".pieces")
    other = checkpoint if given.piece_rows else pieces
    if other.exists():
        kinds = ("without", "with") if given.piece_rows else ("with", "without")
        raise ValueError(
            f"{other} is the checkpoint of a run {kinds[0]} workers: resume "
            f"{kinds[0]} workers, or remove it"
        )
    path = checkpoint if checkpoint.is_file() else where
    if pieces.is_dir() or not path.is_file():
        return None
    if path == where and given.files in ((STANDARD,), ()):
        raise ValueError(
            f"cannot resume: {path} is finished, and a pipe may bring other rows; "
            "--continue learns them too, and without --resume the model is replaced"
        )
    run = load(path, parts=parts_of(model))
    check_same(given, run.options, path)
    check_files(given.files, run.files, path)
    return run


class TrainingInterrupted(KeyboardInterrupt):
    """Error of training that was interrupted; the message says how to resume."""


class Interrupts:
    """Context in which Ctrl-C and SIGTERM raise KeyboardInterrupt, or have to wait.

    Only the main thread can do this; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self.asked = self._held = False
        self._before: dict[int, Any] = {}
        self._second = threading.Timer(_GRACE, _thread.interrupt_main)
        self._second.daemon = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if not self._held or self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._second.start()

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
        if self.asked and not before:
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


class Interval:
    """Interval of checkpoints, in seconds or rows.

    Examples
    --------
    >>> Interval("1e3").due(1000)
    True
    >>> Interval("often")
    Traceback (most recent call last):
    ValueError: checkpoint_every must be seconds like 60s or rows like 1e6, got 'often'
    """

    def __init__(self, text: str) -> None:
        try:
            self._left = self._amount = float(str(text).removesuffix("s"))
        except ValueError:
            self._amount = 0.0
        if self._amount < 1 or not self._amount.is_integer():
            raise ValueError(
                "checkpoint_every must be seconds like 60s or rows like 1e6, "
                f"got {str(text)!r}"
            )
        self._timed, self._last = str(text).endswith("s"), time.monotonic()

    def due(self, rows: int) -> bool:
        """Return whether a checkpoint is due after this many more rows."""
        now = time.monotonic()
        self._left -= now - self._last if self._timed else rows
        self._last = now
        if self._left > 0:
            return False
        self._left = self._amount
        return True
