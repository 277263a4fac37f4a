"""Output of commands: text, and JSON for other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

import rosenblatt as rb  # what trains is loaded when it is needed

_COUNTED = {"other_categories": "unknown values"}
_CLASSES = 8  # classes with a confusion matrix that fits into a terminal

AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON instead of text.", rich_help_panel="Output"
    ),
]


def plain(value: Any) -> Any:
    """Return a value in the types of JSON; numbers that are not finite become None.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"error": np.array([0.5, np.nan]), "count": np.int64(3)})
    {'error': [0.5, None], 'count': 3}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):  # of NumPy, which help does not load
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def printable(text: str) -> str:
    r"""Return text for a terminal: names from files may hold escape sequences.

    Examples
    --------
    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode()
        for c in text
    )


def print_json(value: Any) -> None:
    """Print a value as JSON.

    Examples
    --------
    >>> print_json([1.5, float("inf")])
    [
      1.5,
      null
    ]
    """
    typer.echo(json.dumps(plain(value), indent=2, allow_nan=False))


def metric_lines(known: dict[str, Any], short: bool = False) -> Iterator[str]:
    """Return lines with the metrics of an evaluation.

    Examples
    --------
    >>> list(metric_lines({"rows": 8, "error": 0.25, "auc": 0.9}))
    ['error 0.2500, AUC 0.9000']
    """
    yield rb.training.metric_text(known, *(("precision", "recall", "f1") * short))
    table = None if short else known.get("confusion")
    if table and len(table) <= _CLASSES:
        labels = list(table)
        cells = [[f"{table[a][b]:,}" for b in labels] for a in labels]
        size = max(len(cell) for row in [labels, *cells] for cell in row)
        first = max(len("predicted"), *(len(f"is {label}") for label in labels))
        for name, row in (
            ("predicted", labels),
            *zip((f"is {label}" for label in labels), cells, strict=True),
        ):
            yield "  ".join([name.ljust(first), *(cell.rjust(size) for cell in row)])


def later_lines(known: dict[str, Any]) -> Iterator[str]:
    """Return lines about later rows, from the report of a training run."""
    if "later" in known:
        yield from metric_lines(known["later"])
        if known["changes"]:
            yield "later rows are predicted worse than the next: the stream may change"


def run_lines(known: dict[str, Any]) -> Iterator[str]:
    """Return lines with the counts and metrics of a training run, from its report."""
    test, shown = known.get("test"), known["progressive"]
    if shown["rows"]:
        what = "row" if known["judged"] == "row by row" else "batch"
        (line,) = metric_lines(shown, short=True)
        yield f"{known['rows']:,} rows, next {what}: {line}"
    else:
        yield f"{known['rows']:,} rows, no error measured"
        if test is None:
            yield "this model predicts a batch before it learns it: try --holdout 0.2"
    for line in later_lines(known):
        yield (
            line if line.startswith("later") else f"rows up to {known['ahead']}: {line}"
        )
    for key in ("skipped", "missing", "other_categories"):
        if known[key]:
            counts = (f"{name or repr(name)}: {n:,}" for name, n in known[key].items())
            yield f"{_COUNTED.get(key, key)}: {', '.join(counts)}"
    if known["first_skipped"]:
        yield f"first skipped: {'; '.join(known['first_skipped'])}"
    if test is not None:
        many = test["rows"]
        yield f"on {many:,.10g} {'row' if many == 1 else 'rows'} held out:"
        yield from metric_lines(test)
