"""The command ``predict``: predictions of a trained model for files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

import rosenblatt as rb  # what predicts and reads is loaded when it is needed
from rosenblatt.cli.options import OwnRule, OwnSchedule
from rosenblatt.cli.output import AsJson, print_json

__all__ = ["predict"]


def predict(
    model: Annotated[
        Path, typer.Argument(help="File that `train` has saved.", metavar="MODEL")
    ],
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files with the rows; - is standard input.", metavar="FILE..."
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
    rule: OwnRule = None,
    schedule: OwnSchedule = None,
    on_error: Annotated[
        str, typer.Option(help="At a bad row: stop or skip.", metavar="stop|skip")
    ] = "stop",
    format: Annotated[
        str | None,
        typer.Option(help="Format of the files; by default from their names."),
    ] = None,
    header: Annotated[
        bool,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line has the names of columns.",
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Predict the labels of the rows of files, of any size.

    The output has one line for each row, in the same order; it is empty for a skipped
    row. Columns are found by name, in any order; unknown columns are ignored. If the
    files have labels, the error is printed to standard error, and with `--json` to
    standard output.

    Examples:

    - `rosenblatt predict clicks.safetensors new.parquet --out predictions.csv`
    - `rosenblatt predict clicks.safetensors - --proba`: from a pipe to a pipe
    """
    if as_json and out == "-":
        raise ValueError("--json needs --out, a file for the predictions themselves")
    if on_error not in ("stop", "skip"):
        raise ValueError(f"--on-error must be stop or skip, got {on_error!r}")
    trained = rb.training.load(model, rule=rule, schedule=schedule)
    names = ["prediction"]
    if proba:
        names += [f"p({label})" for label in trained.classes.tolist()]
    parts = rb.training.predict(
        trained, files, format=format, header=header, on_error=on_error, proba=proba
    )
    wrong = known = rows = 0
    skipped: Counter[str] = Counter()
    with rb.tables.writing(out, names) as table:
        for part in parts:
            columns = [part.labels]
            if proba and part.shares is not None:
                shares = part.shares.T.tolist()
                columns += [[None if s != s else s for s in share] for share in shares]
            elif proba:
                columns += [[None] * len(part.labels)] * (len(names) - 1)
            table.write(columns)
            rows += len(part.labels)
            skipped.update(bad.kind for bad in part.bad)
            for label, truth in zip(part.labels, part.truth or [], strict=False):
                if truth is not None and label is not None:
                    known += 1
                    wrong += str(label) != truth
    if as_json:
        error = wrong / known if known else None
        print_json(
            {"rows": rows, "labelled": known, "error": error, "skipped": skipped}
        )
        return
    if known:
        typer.echo(f"error {wrong / known:.4f} on {known} rows with labels", err=True)
    if skipped:
        each = ", ".join(f"{kind}: {count}" for kind, count in skipped.items())
        typer.echo(f"skipped: {each}", err=True)
