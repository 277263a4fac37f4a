"""End of a run: the threshold from all rows, and evaluation on rows held out."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators import BinaryPerceptron
from rosenblatt.tables import STANDARD, Encoded, class_array
from rosenblatt.training.evaluation.decisions import decide
from rosenblatt.training.evaluation.metrics import Metrics
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import Position, Sources
from rosenblatt.training.trained import Trained

__all__ = ["finish", "held_out"]


def held_out(
    given: Settings,
    rows: int,
    end: Position,
    done: tuple[float | None, float | None],
) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows of a batch to hold out, for a run that does.

    The choice depends on the position of the batch only, so that a second reading
    finds the same rows.

    Parameters
    ----------
    rows
        Number of rows of the batch.
    end
        Position after the batch.
    done
        Fraction of the work before and after the batch.
    """
    if given.holdout is not None:
        draws = np.random.default_rng([end.file, end.offset]).random(rows)
        return np.asarray(draws < given.holdout)
    assert given.holdout_last is not None  # settings: one of the two
    before, after = done
    if after is None:
        raise ValueError(
            "holdout_last needs files of known length, which compressed ones and "
            "Arrow streams have not; take holdout"
        )
    reached = np.linspace(before or 0.0, after, rows, endpoint=False)
    return np.asarray(reached * given.passes - end.turn >= 1.0 - given.holdout_last)


def _read_again(run: Trained, sources: Sources, held: bool) -> Iterator[Encoded]:
    """Yield the rows that were held out, or those that were learned, batch by batch."""
    given = sources.settings
    before = sources.fraction_done(Position())
    for rows, end in sources.batches(run.encoder, Position()):
        if end.turn > 0:
            break
        done = sources.fraction_done(end)
        chosen = np.full(len(rows.codes), not held)
        if given.holds_out:
            mask = held_out(given, len(rows.codes), end, (before, done))
            chosen = mask == held
        before = done
        if chosen.any():
            yield rows if chosen.all() else rows.part(np.flatnonzero(chosen))


def _evaluate_held_out(run: Trained, sources: Sources) -> Metrics:
    """Return the metrics of a model on the rows held out, which are read again."""
    found = Metrics()
    for rows in _read_again(run, sources, held=True):
        found.add(_evaluated(run, rows))
    if not found.rows:
        raise ValueError("holdout must have rows, got none; take a larger share")
    return found


def _evaluated(run: Trained, rows: Encoded) -> Metrics:
    model, many = run.model, len(run.classes)
    if not hasattr(model, "predict_proba"):
        predicted = np.searchsorted(run.classes, model.predict(rows.X))
        return Metrics.of(rows.codes, predicted, many, None, rows.weights)
    probabilities = model.predict_proba(rows.X)
    predicted = decide(probabilities, run.factors)
    return Metrics.of(rows.codes, predicted, many, probabilities, rows.weights)


def finish(run: Trained, sources: Sources, skip: bool) -> None:
    """Finish a model after its last row.

    A binary perceptron looks for its threshold among all rows learned, with the final
    weights. Of standard input it has seen them only while the weights changed.
    Rows that it refused when they came it refuses now, since levels that are known do
    not change: they are left out again.

    Files that a model learned before it was continued are not read again. If its
    weights have not changed since, their rows count for the threshold too.
    """
    model, given = run.model, sources.settings

    def again() -> Iterator[tuple[Any, ...]]:
        labels = class_array(run.encoder.classes)
        for rows in _read_again(run, sources, held=False):
            taken = model.takes(rows.X) if skip else slice(None)
            weights = () if rows.weights is None else (rows.weights[taken],)
            if not weights or weights[0].any():
                yield rows.X[taken], labels[rows.codes][taken], *weights

    if isinstance(model, BinaryPerceptron) and given.files != (STANDARD,):
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
        run.record.test = _evaluate_held_out(run, sources)
    run.finished = True
