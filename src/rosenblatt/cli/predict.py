"""The command ``predict``: predictions of a trained model for files."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

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
    if proba and not hasattr(run.model, "predict_proba"):
        raise ValueError(
            f"--proba must not be given: {type(run.model).__name__} gives no "
            "probabilities"
        )
    parts = rb.training.predict(
        run.model,
        files,
        proba=proba,
        costs=wanted,
        format=format,
        header=header,
        delimiter=delimiter,
        id=id,
        on_error=on_error,
    )
    terminal = out == "-" and sys.stdout.isatty()
    metrics, skipped, rows = run.task.metrics(), Counter[str](), 0
    unknown, first = Counter[str](), next(parts, None)
    names = run.task.names(proba) if first is None else list(first.columns)
    with (
        contextlib.redirect_stdout(_Terminal() if terminal else sys.stdout),
        rb.tables.writing(out, names) as table,
    ):
        for part in itertools.chain([first] if first else [], parts):
            table.write(list(part.columns.values()))
            metrics.add(part.metrics)
            rows += len(part.columns["prediction"])
            skipped.update(bad.kind for bad in part.bad)
            unknown.update(part.unknown)
    task = replace(run, options=replace(run.options, costs=wanted or run.options.costs))
    known = metrics.evaluation(run.classes, task.task.factors)
    if as_json:
        print_json(
            {**known, "rows": rows, "labelled": known["rows"]}
            | {"skipped": skipped, "unknown_labels": unknown}
        )
        return
    if many := known["rows"]:
        said = f"{many:,.10g} {'row' if many == 1 else 'rows'}"
        what = "labels" if run.classes else "targets"
        typer.echo(f"on {said} with {what}:", err=True)
        for line in metric_lines(known):
            typer.echo(printable(line), err=True)
    if skipped:
        each = ", ".join(f"{kind}: {n:,}" for kind, n in skipped.items())
        typer.echo(printable(f"skipped: {each}"), err=True)
    if unknown:
        each = ", ".join(f"{label}: {n:,}" for label, n in unknown.most_common(5))
        rest = ", ..." if len(unknown) > 5 else ""
        line = f"labels that the model does not know: {each}{rest}"
        typer.echo(printable(line), err=True)


def _check_apart(out: str, read: list[Any]) -> None:
    """Raise ValueError if predictions would replace a file that is read."""
    there = [file for file in read if str(file) != "-"]
    if Path(out).is_file() and any(os.path.samefile(out, file) for file in there):
        raise ValueError(f"--out must not be a file that is read, got {out!r}")
