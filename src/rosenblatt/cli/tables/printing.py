"""Text of commands on tables: metrics and confusion matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import rosenblatt as rb  # loaded when it is needed

__all__ = ["metric_lines", "run_lines"]

_NAMES = {
    "error": "error",
    "majority_error": "majority error",
    "cost": "cost of a row",
    "log_loss": "log-loss",
    "auc": "AUC",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}
_CLASSES = 8  # classes with a confusion matrix that fits into a terminal


def metric_lines(known: dict[str, Any]) -> Iterator[str]:
    """Return lines with all metrics of an evaluation.

    Examples
    --------
    >>> list(metric_lines({"rows": 8, "error": 0.25, "auc": 0.9}))
    ['error 0.2500, AUC 0.9000']
    """
    yield ", ".join(
        f"{name} {known[key]:.4f}"
        for key, name in _NAMES.items()
        if known.get(key) is not None
    )
    table = known.get("confusion")
    if table and len(table) <= _CLASSES:
        labels = list(table)
        cells = [[f"{table[a][b]:,}" for b in labels] for a in labels]
        size = max(len(cell) for row in [labels, *cells] for cell in row)
        first = max(len("predicted"), *(len(f"is {label}") for label in labels))
        heads = "  ".join(label.rjust(size) for label in labels)
        yield f"{'predicted'.ljust(first)}  {heads}"
        for label, row in zip(labels, cells, strict=True):
            counts = "  ".join(cell.rjust(size) for cell in row)
            yield f"{f'is {label}'.ljust(first)}  {counts}"


def run_lines(trained: Any) -> Iterator[str]:
    """Return lines with the counts and metrics of a training run."""
    record, classes = trained.record, trained.classes.tolist()
    yield f"{rb.training.count(record.rows, 'row')}, {rb.training.summary(record)}"
    if record.error is None and record.test is None:
        yield "this model predicts a batch before it learns it; --holdout 0.2 evaluates"
    if trained.costs is not None and record.metrics.rows:
        known = rb.training.report(record.metrics, classes, trained.costs)
        yield f"cost of a row {known['cost']:.4f}"
    for what, counts in (
        ("skipped", record.skipped),
        ("missing", record.missing),
        ("unknown values", record.other),
    ):
        if counts:
            each = ", ".join(
                f"{rb.training.readable(key)}: {n:,}" for key, n in counts.items()
            )
            yield f"{what}: {each}"
    if record.test is not None:
        kind = "weighted row" if trained.settings.get("weight") else "row"
        yield f"on {rb.training.count(record.test.rows, kind)} held out:"
        known = rb.training.report(record.test, classes, trained.costs)
        yield from metric_lines(known)
