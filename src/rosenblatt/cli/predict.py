"""The command ``predict``: predictions of a trained model for files."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

import rosenblatt as rb  # what predicts and reads is loaded when it is needed
from rosenblatt.cli.options import (
    Costs,
    Delimiter,
    Format,
    Header,
    OnError,
    OwnRule,
    OwnSchedule,
    check_there,
    option,
)
from rosenblatt.cli.output import AsJson, metric_lines, print_json, printable

_ID = "Column that names rows, copied to the predictions; by default as in training."


class _Terminal(io.TextIOBase):
    """Standard output without escape sequences, which labels may hold."""

    def write(self, text: str) -> int:
        """Write text."""
        assert sys.__stdout__ is not None  # it is a terminal
        return sys.__stdout__.write(printable(text))


def predict(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(help="File that `train` has saved.", metavar="MODEL")
    ],
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files with the rows; - is standard input.", metavar="FILE"
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            help="File to write, .csv, .tsv or .parquet; - is standard output."
        ),
    ] = "-",
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    id: Annotated[str | None, option("Columns", _ID, "COLUMN")] = None,
    costs: Costs = None,
    rule: OwnRule = None,
    schedule: OwnSchedule = None,
    on_error: OnError = "stop",
    format: Format = None,
    delimiter: Delimiter = None,
    header: Header = True,
    as_json: AsJson = False,
) -> None:
    """Predict the labels of the rows of files, of any size.

    The output has one line for each row, in the same order; it is empty for a skipped
    row. Columns are found by name, in any order; unknown columns are ignored. If the
    files have labels, all metrics are printed to standard error, and with `--json` to
    standard output.

    Examples:

    - `rosenblatt predict clicks.safetensors new.parquet --out predictions.csv`
    - `rosenblatt predict clicks.safetensors - --proba`: from a pipe to a pipe
    """
    if as_json and out == "-":
        raise ValueError("--json needs --out, a file for the predictions themselves")
    check_there(model, *files)
    _check_apart(out, [model, *files])
    wanted = ctx.params["costs"]  # by label; typer would make a list of it
    run = rb.training.load(model, rule=rule, schedule=schedule)
    classes, gives = run.model.classes_.tolist(), hasattr(run.model, "predict_proba")
    parts = rb.training.predict(
        run.model,
        files,
        proba=gives,
        costs=wanted,
        format=format,
        header=header,
        delimiter=delimiter,
        id=id,
        on_error=on_error,
    )
    if proba and not gives:
        raise ValueError(
            f"--proba must not be given: {type(run.model).__name__} gives no "
            "probabilities"
        )
    terminal = out == "-" and sys.stdout.isatty()
    with contextlib.redirect_stdout(_Terminal() if terminal else sys.stdout):
        found = _write(out, parts, classes, proba)
    known = rb.training.evaluation(found.metrics, classes, run.costs(wanted))
    if as_json:
        print_json(
            {**known, "rows": found.rows, "labelled": found.metrics.rows}
            | {"error": known.get("error"), "skipped": found.skipped}
            | {"unknown_labels": found.unknown}
        )
        return
    if found.metrics.rows:
        many = found.metrics.rows
        rows = f"{many:,} {'row' if many == 1 else 'rows'}"
        typer.echo(f"on {rows} with labels:", err=True)
        for line in metric_lines(known):
            typer.echo(printable(line), err=True)
    if found.skipped:
        each = ", ".join(f"{kind}: {n:,}" for kind, n in found.skipped.items())
        typer.echo(printable(f"skipped: {each}"), err=True)
    if found.unknown:
        each = ", ".join(f"{label}: {n:,}" for label, n in found.unknown.most_common(5))
        rest = ", ..." if len(found.unknown) > 5 else ""
        line = f"labels that the model does not know: {each}{rest}"
        typer.echo(printable(line), err=True)


def _check_apart(out: str, read: list[Any]) -> None:
    """Raise ValueError if predictions would replace a file that is read."""
    there = [file for file in read if str(file) != "-"]
    if Path(out).is_file() and any(os.path.samefile(out, file) for file in there):
        raise ValueError(f"--out must not be a file that is read, got {out!r}")


class _Written(NamedTuple):
    """Counts of what was written."""

    metrics: Any
    skipped: Counter[str]
    unknown: Counter[str]  # labels of the files that are no classes of the model
    rows: int = 0


def _write(out: str, parts: Any, classes: list[Any], proba: bool) -> _Written:
    """Write predictions, and count them."""
    found = _Written(rb.training.Metrics(), Counter(), Counter())
    number = {str(label): code for code, label in enumerate(classes)}
    first = next(parts, None)
    names = [first.id] if first is not None and first.ids is not None else []
    names += ["prediction", *([f"p({label})" for label in number] if proba else [])]
    with rb.tables.writing(out, names) as table:
        for part in itertools.chain([] if first is None else [first], parts):
            columns = [part.labels] if part.ids is None else [part.ids, part.labels]
            p = part.probabilities
            if proba:
                shares: Any = np.full((len(part.labels), len(classes)), None)
                if p is not None:
                    shares = p.astype(object)
                    shares[np.isnan(p)] = None
                columns += shares.T.tolist()
            table.write(columns)
            found = found._replace(rows=found.rows + len(part.labels))
            found.skipped.update(bad.kind for bad in part.bad)
            truth = part.truth or [None] * len(part.labels)
            found.unknown.update(t for t in truth if t and t not in number)
            codes = np.array([number.get(label, -1) for label in truth])
            chosen = np.array(
                [-1 if label is None else number[str(label)] for label in part.labels]
            )
            both = (codes >= 0) & (chosen >= 0)
            if both.any():
                given = codes[both], chosen[both], len(classes)
                more = None if p is None else p[both]
                found.metrics.add(rb.training.Metrics.of(*given, more))
    return found
