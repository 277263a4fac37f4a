"""The training loop: read a batch, encode, predict, learn, record, checkpoint."""

from __future__ import annotations

import copy
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import whole
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryPerceptron,
    OnlinePerceptron,
)
from rosenblatt.estimators.inputs import LabelRuns
from rosenblatt.tables import REFUSED, STANDARD, Bad, Encoded, Frames
from rosenblatt.training.options import check_on_error, make, options_of
from rosenblatt.training.parts import PIECE_ROWS, Steps, check_pieces, learn_pieces
from rosenblatt.training.preview import Preview, preview_of
from rosenblatt.training.progress import (
    Interrupts,
    Interval,
    TrainingBar,
    TrainingInterrupted,
    ahead,
)
from rosenblatt.training.record import (
    Metrics,
    check_probabilities,
    class_costs,
    decide,
    learn_batch,
)
from rosenblatt.training.run import Run, beside, digest, load, resumed
from rosenblatt.training.sources import Sources, check_labels, fingerprint

dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)
_FAULTS = (ValueError, ArithmeticError)  # numbers whose squares overflow
_SPLIT = (BayesPerceptron, OnlinePerceptron)  # a batch in two is learned like one
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
            if pieces:
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

    A binary perceptron looks for its threshold among all rows learned, with the final
    weights. Of standard input it has seen them only while the weights changed.
    Rows that it refused when they came it refuses now, since levels that are known do
    not change: they are left out again.

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
