"""The command ``train``: learn from files."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import rosenblatt as rb  # what learns and reads is loaded when it is needed
from rosenblatt.cli.options import (
    Costs,
    DaskWorkers,
    Delimiter,
    Format,
    Header,
    OnError,
    Quiet,
    Scheduler,
    assigned,
    check_file,
    check_there,
    entries,
    option,
)
from rosenblatt.cli.output import AsJson, print_json, printable, run_lines

_INTERRUPTED = 130  # the exit code of other programs
_Listed = list[str] | None  # repeated, or with commas
_columns, _model, _evaluation, _rows, _output = (
    functools.partial(option, panel)
    for panel in ("Columns", "Model", "Evaluation", "Rows", "Output")
)
_ROLES = "Role: weight, id, ignore, number, category, one-hot, hash, date or text."
_MISSING = "Words for a missing value, instead of NA, NaN, null and similar."
_ROLE = _columns(_ROLES, "NAME=ROLE", "--column", read=assigned("columns", False))
_GAPS = _rows(_MISSING, "WORD,...", read=entries)


def _known_model(text: str) -> str:
    """Print the models, if that is asked for."""
    if text == "help":
        for name, (*_, description) in rb.training.MODELS.items():
            typer.echo(f"{name:<18}{description}")
        raise typer.Exit
    return text


_MODEL = _model("Model; `--model help` lists all.", "MODEL", read=_known_model)
_MODEL.is_eager = True


def _given(ctx: typer.Context) -> dict[str, Any]:
    """Return the options of a run that are on the command line, without defaults."""
    names = {*rb.training.Options.__dataclass_fields__} - {"files", "target"}
    default = ("DEFAULT", "DEFAULT_MAP")
    return {
        name: value
        for name, value in ctx.params.items()
        if name in names
        and getattr(ctx.get_parameter_source(name), "name", None) not in default
    }


def _show(found: Any) -> None:
    """Print the preview of a table; without rows, an error follows that says why."""
    if found.rows:
        typer.echo(printable(str(found)), err=True)


def train(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files to learn from; - is standard input.",
            metavar="FILE",
            show_default=False,
        ),
    ],
    target: Annotated[str | None, _columns("Column of labels.", "COLUMN")] = None,
    task: Annotated[
        str | None, _columns("What the target is.", "classify|regress")
    ] = None,
    columns: Annotated[_Listed, _ROLE] = None,
    classes: Annotated[
        _Listed, _columns("All labels that may come.", "LABEL,...", read=entries)
    ] = None,
    model: Annotated[str, _MODEL] = "bayes",
    boundary: Annotated[
        str | None, _model("Boundary of the model bayes: linear or curved.", "FORM")
    ] = None,
    rule: Annotated[str | None, _model("Rule of a perceptron.", "PART")] = None,
    schedule: Annotated[str | None, _model("Schedule of a perceptron.", "PART")] = None,
    continued: Annotated[
        Path | None, _model("Go on from a saved model.", "MODEL", "--continue")
    ] = None,
    holdout: Annotated[
        float | None, _evaluation("Share of rows to evaluate on, not learned.", "0.2")
    ] = None,
    holdout_last: Annotated[
        float | None, _evaluation("The same, at the end of the files.", "0.2")
    ] = None,
    costs: Costs = None,
    on_error: OnError = "stop",
    missing: Annotated[_Listed, _GAPS] = None,
    format: Format = None,
    header: Header = True,
    delimiter: Delimiter = None,
    batch_rows: Annotated[int | None, _rows("Rows of a batch.", "N")] = None,
    workers: DaskWorkers = None,
    scheduler: Scheduler = None,
    save: Annotated[Path | None, _output("Write to a .safetensors file.")] = None,
    resume: Annotated[bool, _output("Go on with this run.", None, "--resume")] = False,
    checkpoint_every: Annotated[
        float, _output("Seconds between two checkpoints.", "SECONDS")
    ] = 60.0,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Learn to predict a column of a table of any size, in one pass.

    Files are CSV, TSV (also .gz), Parquet, Arrow or Feather, or svmlight. They are read
    in batches: memory stays small.
    Before learning, the command prints the kind, gaps and features of each column. It
    warns of columns that look like an id or reveal the target. Each row is predicted
    before its label is learned, and the printed error is that of these predictions. The
    majority error is that of always predicting the most frequent label. `--holdout 0.2`
    evaluates the finished model on rows that it has not learned.

    `--column NAME=ROLE` says what a column is, if it is not what it looks like: weight,
    id, ignore, number, category, one-hot, hash, date or text. A label becomes a class
    when it comes; with `--classes` others are bad rows. A model may have parameters:
    `--model bayes:half_life=1e5`.

    After Ctrl-C, or even kill -9, run the same command with `--resume`: the result has
    the same bits as without the interruption. To learn more files later, use
    `--continue MODEL`.

    With `--workers` or `--scheduler` every Dask worker learns pieces: files, or parts
    of Parquet files. Their models are merged: counts are added, beliefs multiplied,
    weights of a perceptron averaged.

    Examples:

    - `rosenblatt train clicks.parquet --target clicked --save clicks.safetensors`
    - `rosenblatt train a.csv.gz b.csv.gz --target y --column name=id --missing NA,?
      --on-error skip --save y.safetensors --resume`
    - `rosenblatt train churn.csv --target churned --costs yes=5 --holdout-last 0.2`
    - `rosenblatt train churn.csv --target churned --boundary curved`
    - `rosenblatt train rows.csv --target y --model perceptron --rule
      passive-aggressive --save y.safetensors`
    - `rosenblatt train tuesday.csv --continue monday.safetensors --save
      tuesday.safetensors`
    - `rosenblatt train part-1.parquet part-2.parquet --target y --workers 2`
    """
    if save is not None:
        check_file("--save", save, (".safetensors",))
    elif resume:
        raise ValueError("--resume needs --save, beside which checkpoints are")
    given = _given(ctx)
    if boundary is not None:
        given["model"] = f"{model}{',' if ':' in model else ':'}boundary={boundary}"
    named = target is not None or "target" in given.get("columns", {}).values()
    if continued is None and not named:
        raise ValueError("--target is needed: the column of labels")
    plain = [f for f in files if not Path(f).is_dir() and not set("*?[") & set(f)]
    check_there(continued, *plain)
    if sys.stderr.isatty() and not quiet and not as_json:  # loading takes a second
        typer.echo(f"reading {', '.join(files)}", err=True)
    before = _written(save)
    try:
        learned = rb.train(
            files,
            target,
            save=save,
            resume=resume,
            continued=continued,
            workers=workers,
            scheduler=scheduler,
            on_error=on_error,
            checkpoint_every=checkpoint_every,
            progress=False if quiet or as_json else None,
            shown=None if quiet or as_json or resume else _show,
            **given,
        )
    except rb.training.TrainingInterrupted as stopped:
        typer.echo(f"rosenblatt: {stopped}", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    known = rb.training.report(learned)
    if as_json:
        print_json(known)
    elif not quiet:
        for line in run_lines(known):
            typer.echo(printable(line))
        if save is not None:
            same = resume and before == _written(save)
            done = "nothing to do: all is in" if same else "saved to"
            typer.echo(f"{done} {save}")


def _written(path: Path | None) -> int | None:
    """Return when a file was written; None if there is none."""
    return path.stat().st_mtime_ns if path is not None and path.is_file() else None
