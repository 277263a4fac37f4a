"""Result of a group of pieces: the model and its counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from rosenblatt.training.evaluation.metrics import added
from rosenblatt.training.record import Record

__all__ = ["LearnedModel", "add_records"]


class LearnedModel(NamedTuple):
    """A model that has learned some pieces, and its record."""

    model: Any
    rows: float  # learned in this round, weights counted
    record: Record | None


def add_records(first: Record | None, second: Record | None) -> Record | None:
    """Return the sum of two records, without their learning curves.

    Examples
    --------
    >>> add_records(Record(rows=3, missing={"a": 1}), Record(rows=4, missing={"a": 2}))
    Record(rows=7, ..., missing={'a': 3}, ...)
    """
    if first is None or second is None:
        return first or second
    metrics = replace(first.metrics)
    metrics.add(second.metrics)
    losses = [part.log_loss for part in (first, second) if part.log_loss is not None]
    return Record(
        first.rows + second.rows,
        first.judged + second.judged,
        first.mistakes + second.mistakes,
        sum(losses) if losses else None,
        _added(first.skipped, second.skipped),
        _added(first.missing, second.missing),
        _added(first.other, second.other),
        labels=added(first.labels, second.labels),
        metrics=metrics,
    )


def _added(one: dict[str, int], two: dict[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + two.get(key, 0) for key in {**one, **two}}
