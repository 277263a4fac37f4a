"""Text of commands on tables: what was understood, metrics, and confusion matrices."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import rosenblatt as rb  # loaded when it is needed

__all__ = ["count", "metric_lines", "preview_lines", "run_lines", "share"]

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
_WIDE = 40  # columns of a table that are listed one by one
_NAMED = 8  # hashed columns that are named
_CLASSES = 8  # classes with a confusion matrix that fits into a terminal


def share(value: float | None) -> str:
    """Return a share as per cent; nothing if it is None or 0.

    Examples
    --------
    >>> share(0.125), share(0.0)
    ('12.5%', '')
    """
    return f"{value:.1%}" if value else ""


def count(number: int, what: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> count(1, "row"), count(1500, "row")
    ('1 row', '1,500 rows')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _readable(name: str) -> str:
    """Return the name of a column; in quotes if it is empty or begins with a space."""
    return name if name.strip() == name != "" else repr(name)


def _ignoring(name: str) -> str:
    """Return the option that leaves a column out, as one types it in a shell."""
    entry = f'"{name}"' if "," in name else name
    return f"--ignore {shlex.quote(entry)}"


def preview_lines(found: Any) -> Iterator[str]:
    """Return lines that say what was understood of a table."""
    if not found.rows:  # an error follows that says why
        return
    headers = ("column", "kind", "gaps", "levels", "features", "use")
    rows = [
        (
            _readable(column.name),
            column.kind,
            share(column.gaps),
            "" if column.levels is None else f"{column.levels:,}",
            f"{column.features:,}" if column.features else "",
            column.use,
        )
        for column in found.columns[:_WIDE]
    ]
    sizes = [max(map(len, each)) for each in zip(headers, *rows, strict=True)]
    if rows:
        for row in (headers, *rows):
            cells = [
                cell.rjust(size) if 2 <= k <= 4 else cell.ljust(size)
                for k, (cell, size) in enumerate(zip(row, sizes, strict=True))
            ]
            yield "  ".join(cells).rstrip()
    if len(found.columns) > _WIDE:
        yield f"and {len(found.columns) - _WIDE} columns more"
    kind = "sparse" if found.hashed or not found.columns else "dense"  # svmlight
    features = count(found.features, f"{kind} feature")
    yield f"{features}, from the first {count(found.rows, 'row')}"
    if found.hashed:
        yield _hashed_line([c for c in found.columns if c.use.startswith("hashed")])
    for column in found.columns:
        if column.warning:
            name, advice = _readable(column.name), _ignoring(column.name)
            yield f"warning: {name} {column.warning}; {advice}"


def _hashed_line(columns: list[Any]) -> str:
    """Return what hashed columns mean for the model, and how to avoid it."""
    names = ", ".join(_readable(column.name) for column in columns[:_NAMED])
    if len(columns) > _NAMED:
        names += f" and {len(columns) - _NAMED} more"
    texts = [column.name for column in columns if column.kind == "text"]
    advice = ["--categories one-hot"] if len(texts) < len(columns) else []
    advice += [_ignoring(name) for name in texts[:_NAMED]]
    return (
        f"hashed: {names}; so features are sparse and the model keeps no correlations; "
        f"{' '.join(advice)} avoids it"
    )


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
    yield f"{count(record.rows, 'row')}, {rb.training.summary(record)}"
    if record.error is None and record.test is None:
        yield "this model predicts a batch before it learns it; --holdout 0.2 evaluates"
    if trained.costs is not None and record.metrics.rows:
        known = rb.training.report(record.metrics, classes, trained.costs)
        yield f"cost of a row {known['cost']:.4f}"
    for what, counts in (
        ("skipped", record.skipped),
        ("missing", record.missing),
        ("not in the first batch", record.other),
    ):
        if counts:
            each = ", ".join(f"{_readable(key)}: {n:,}" for key, n in counts.items())
            yield f"{what}: {each}"
    if record.test is not None:
        kind = "weighted row" if trained.settings.get("weight") else "row"
        yield f"on {count(record.test.rows, kind)} held out:"
        known = rb.training.report(record.test, classes, trained.costs)
        yield from metric_lines(known)
