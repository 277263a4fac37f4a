"""Rows held out of learning, and the evaluation of the finished model on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.training.evaluation.decisions import decide
from rosenblatt.training.evaluation.metrics import Metrics
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import Position, Sources
from rosenblatt.training.trained import Trained

__all__ = ["check_probabilities", "evaluate_held_out", "held_out"]


def check_probabilities(model: Any, given: Settings) -> None:
    """Raise ValueError if decisions need probabilities that a model does not give."""
    wanted = given.threshold is not None or given.costs
    if wanted and not hasattr(model, "predict_proba"):
        raise ValueError(
            f"threshold and costs need probabilities, and model {given.model} gives "
            "none; take bayes"
        )


def held_out(
    given: Settings,
    rows: int,
    end: Position,
    done: tuple[float | None, float | None],
) -> npt.NDArray[np.bool_] | None:
    """Return the rows of a batch to hold out; None if there are none in any batch.

    The choice depends on the position of the batch only, so that a second reading
    finds the same rows.

    Parameters
    ----------
    rows
        How many the batch has.
    end
        Position after the batch.
    done
        Fraction of the work before and after the batch.
    """
    if given.holdout is not None:
        draws = np.random.default_rng([end.file, end.offset]).random(rows)
        return np.asarray(draws < given.holdout)
    if given.holdout_last is None:
        return None
    before, after = done
    if after is None:
        raise ValueError(
            "holdout_last needs files of known length, which compressed ones and "
            "Arrow streams have not; take holdout"
        )
    reached = np.linspace(before or 0.0, after, rows, endpoint=False)
    return np.asarray(reached * given.passes - end.turn >= 1.0 - given.holdout_last)


def evaluate_held_out(run: Trained, sources: Sources) -> Metrics | None:
    """Return the metrics of a model on the rows held out, which are read again."""
    given = sources.settings
    if given.holdout is None and given.holdout_last is None:
        return None
    found = Metrics()
    before = sources.done(Position())
    for rows, end in sources.batches(run.encoder, Position()):
        if end.turn > 0:
            break
        done = sources.done(end)
        held = held_out(given, len(rows.codes), end, (before, done))
        before = done
        if held is not None and held.any():
            found.add(_evaluated(run, rows.part(np.flatnonzero(held))))
    if not found.rows:
        raise ValueError("holdout must have rows, got none; take a larger share")
    return found


def _evaluated(run: Trained, rows: Any) -> Metrics:
    model, many = run.model, len(run.classes)
    if not hasattr(model, "predict_proba"):
        predicted = np.searchsorted(run.classes, model.predict(rows.X))
        return Metrics.of(rows.codes, predicted, many, None, rows.weights)
    shares = model.predict_proba(rows.X)
    predicted = decide(shares, run.factors)
    return Metrics.of(rows.codes, predicted, many, shares, rows.weights)
