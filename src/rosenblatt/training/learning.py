"""Learning from files, a batch at a time, with checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators.inputs import LabelRuns
from rosenblatt.tables import LABEL, REFUSED, STANDARD, Bad, Encoded, class_array
from rosenblatt.training.control import (
    Interrupts,
    Interval,
    TrainingBar,
    TrainingInterrupted,
    named,
    named_warnings,
    prefetched,
)
from rosenblatt.training.evaluation.decisions import (
    check_probabilities,
    decision_factors,
)
from rosenblatt.training.finishing import finish, held_out
from rosenblatt.training.models import make
from rosenblatt.training.preview import Preview, preview_of
from rosenblatt.training.record import evaluates_rows, learn_batch
from rosenblatt.training.resuming import continued_settings, resumed
from rosenblatt.training.settings import Settings, check_on_error, check_save_path
from rosenblatt.training.sources import Sources, fingerprint
from rosenblatt.training.trained import Trained, checkpoint_path, digest, load

__all__ = ["train"]

_FAULTS = (ValueError, ArithmeticError)  # numbers whose squares overflow


def train(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    target: str | None = None,
    *,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    continued: str | os.PathLike[str] | None = None,
    on_error: str = "stop",
    checkpoint_every: str = "60s",
    progress: bool | None = False,
    shown: Callable[[Preview], None] | None = None,
    **settings: Any,
) -> Trained:
    r"""Learn from files of any size, in one pass.

    Batches have a fixed number of rows. So the result is the same, to the bit, whether
    or not the run was interrupted and resumed, and whenever checkpoints were taken.

    Parameters
    ----------
    files
        Files to learn from, one after the other; ``"-"`` is standard input.
    target
        The column of labels; not needed with ``continued``.
    save
        Path of the model, which is written at the end, whole. Until then checkpoints
        are beside it, with ``.checkpoint`` after the name.
    resume
        Whether to go on from the checkpoint, if there is one. A checkpoint or a model
        of other files or settings is refused.
    continued
        A model file to go on learning from. Columns, classes and model are those of
        the file; of the settings only ``format``, ``header``, ``features`` and
        ``batch_rows`` may be given.
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
    **settings
        Settings of the run, see :class:`rosenblatt.training.Settings`.

    Returns
    -------
    Trained
        The model, how columns become features, and what has happened.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.csv"
    ...     rows = (f"{i},{'left' if i % 2 else 'right'},{i % 2}" for i in range(100))
    ...     _ = path.write_text("\n".join(["size,side,won", *rows]))
    ...     trained = rb.train(path, "won")
    >>> trained.record.rows, trained.record.mistakes < 5, trained.encoder.names
    (100, True, ['size', 'side=left', 'side=right', 'side=(other)'])
    """
    check_on_error(on_error)
    every = Interval(checkpoint_every)
    where = check_save_path(save)
    with Interrupts() as interrupts, TrainingBar(progress) as bar:
        before = None
        if continued is None:
            given = Settings.of(files, target, settings)
        else:
            own = {part: settings.get(part) for part in ("rule", "schedule")}
            before = load(continued, **own)
            given = continued_settings(before.settings, files, target, settings)
            given = replace(given, start=digest(continued))
        model = make(given.model, given.rule, given.schedule)
        run = resumed(given, model, where) if resume and where is not None else None
        if run is not None and run.finished:
            run.already = True
            return run
        sources = Sources(given)
        stored = given.as_dict(), fingerprint(given.files)
        if run is None and before is not None:
            run = before.restarted(*stored)
        elif run is None:
            if shown is not None:
                shown(preview_of(sources))
            run = Trained(model, sources.encoder(), *stored)
        task = _Task(sources, interrupts, bar, every, where, on_error == "skip", set())
        try:
            try:
                _learn(run, task)
            except _NewLabelError:  # one that the first batch has not: begin again
                model = make(given.model, given.rule, given.schedule)
                run = Trained(model, sources.all_labels(run.encoder), *stored)
                _learn(run, task)
        except Exception:
            run.save_checkpoint(where)
            raise
        if interrupts.asked:
            raise TrainingInterrupted(run.save_checkpoint(where))
        finish(run, sources, task.skip)
        run.set_encoder()
        if where is not None:
            run.save(where)
            checkpoint_path(where).unlink(missing_ok=True)
    return run


def _factors(run: Trained, sources: Sources) -> npt.NDArray[np.float64] | None:
    """Return factors of the probabilities of classes; they must fit the labels.

    If classes may appear, predictions made before learning are not counted by class,
    and need no factors.
    """
    given, labels = sources.settings, run.encoder.classes
    check_probabilities(run.model, given.model)
    if not run.open:
        return decision_factors(given.threshold, given.costs, labels)
    if given.files != (STANDARD,) and given.costs:
        labels = (*labels, *sources.all_labels(run.encoder).classes)
    decision_factors(None, given.costs, list(dict.fromkeys(labels)))
    return None


class _NewLabelError(Exception):
    """A label that the first batch has not."""


class _Task(NamedTuple):
    """All that learning needs besides the run itself."""

    sources: Sources
    interrupts: Interrupts
    bar: TrainingBar
    every: Interval
    where: Path | None
    skip: bool  # bad rows, instead of stopping
    warned: set[str]


class _Labels(NamedTuple):
    """All classes, and the factors of their probabilities for decisions."""

    classes: npt.NDArray[Any]
    factors: npt.NDArray[np.float64] | None


def _learn(run: Trained, task: _Task) -> None:
    """Learn the files from the position of the run to their end, or an interrupt."""
    sources, interrupts, given = task.sources, task.interrupts, task.sources.settings
    task.bar.update(None, "reading")
    endless = given.files == (STANDARD,)
    closed = endless or given.classes is not None or given.start is not None
    run.open = given.new_classes
    if run.open and hasattr(run.model, "classes_"):
        run.take_classes()  # resumed or continued
    factors = _factors(run, sources) if given.decides else None
    known = run.encoder.classes
    batches = sources.batches(run.encoder, run.position)
    seen, before = run.record.rows, sources.fraction_done(run.position)
    runs, stopped = LabelRuns(), lambda: interrupts.asked
    for rows, end in prefetched(batches, stopped=stopped, endless=endless):
        if not (closed or sources.labelled) and any(b.kind == LABEL for b in rows.bad):
            raise _NewLabelError
        if rows.bad and not task.skip:
            raise sources.error(end.file, rows.bad[0])
        done = sources.fraction_done(end)
        held = None
        if given.holds_out:
            held = held_out(given, len(rows.codes), end, (before, done))
        before = done
        try:
            chosen = rows if held is None else rows.part(np.flatnonzero(~held))
            classes = class_array((*known, *rows.new))
            if rows.new:
                sources.checked_labels({*run.encoder.classes, *rows.new})
            first = not hasattr(run.model, "classes_")  # levels are found then
            labels = _Labels(classes, factors)
            with named_warnings(_names(run), task.warned) if first else nullcontext():
                _learn_encoded(run, chosen, labels, end.turn == 0, task.skip)
        except _FAULTS as failure:
            table = sources.table(end.file)
            message = named(str(failure), _names(run))
            raise ValueError(
                f"{table.name}, a batch up to {table.unit} {end.line}: {message}"
            ) from failure
        run.position, run.in_batch = end, False
        if end.turn == 0 and not run.open:  # else codes change
            runs.add(chosen.codes)
        if run.open and len(rows.codes) and hasattr(run.model, "classes_"):
            run.take_classes()
            if end.turn == 0:
                run.count_labels(classes[chosen.codes], chosen.weights)
        seen += len(rows.codes)
        task.bar.update_record(run.record, seen, done, model=run.model)
        if task.where is not None and task.every.due(len(rows.codes)):
            run.save(checkpoint_path(task.where))
    if not interrupts.asked and not hasattr(run.model, "classes_"):
        raise ValueError(f"{', '.join(given.files)}: no row can be learned")
    runs.warn(stacklevel=3)


def _names(run: Trained) -> list[str]:
    """Return the names of the features; none if they are numbers themselves."""
    return run.encoder.names if run.encoder.width is None else []


def _learn_encoded(
    run: Trained, rows: Encoded, labels: _Labels, counted: bool, skip: bool
) -> None:
    """Learn a batch, in pieces if the curve has points within it."""
    model, record = run.model, run.record
    run.in_batch = True
    first, count = 0, len(rows.codes)
    while first < count:
        stop = count
        if counted and evaluates_rows(model, len(labels.classes)):
            stop = min(count, first + max(record.mark - record.rows, 1))
        _learn_rows(run, rows, labels, (first, stop), counted, skip)
        first = stop
    if counted:
        record.skip(rows.bad)
        record.found(rows)


def _learn_rows(
    run: Trained,
    rows: Encoded,
    labels: _Labels,
    part: tuple[int, int],
    counted: bool,
    skip: bool,
) -> None:
    """Learn some rows of a batch; skip rows that the model refuses, if asked to.

    A model that refuses rows is as it was before: each half of them can be tried.
    """
    first, stop = part
    X, codes = rows.X[first:stop], rows.codes[first:stop]
    weights = None if rows.weights is None else rows.weights[first:stop]
    try:
        judged = learn_batch(
            run.model, X, codes, labels.classes, weights, labels.factors, run.open
        )
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
    if counted:
        run.record.learned(stop - first, judged)
