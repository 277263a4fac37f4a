"""The command ``train``: learn from files."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

import rosenblatt as rb  # what learns and reads is loaded when it is needed
from rosenblatt.cli.options import (
    DaskWorkers,
    Quiet,
    Scheduler,
    check_file,
    check_there,
)
from rosenblatt.cli.output import AsJson, print_json, printable
from rosenblatt.cli.tables import options
from rosenblatt.cli.tables.printing import run_lines

__all__ = ["train"]

_INTERRUPTED = 130  # the exit code of other programs


def _known_model(text: str) -> str:
    """Print the models, if that is asked for."""
    if text == "help":
        for name, description in rb.training.DESCRIPTIONS.items():
            typer.echo(f"{name:<18}{description}")
        raise typer.Exit
    return text


_Model = Annotated[
    str,
    typer.Option(
        help="Model; `--model help` lists all models.",
        metavar="MODEL",
        rich_help_panel="Model",
        callback=_known_model,
        is_eager=True,
    ),
]


def _settings(ctx: typer.Context) -> dict[str, Any]:
    """Return the settings that are on the command line, without the defaults."""
    names = {*rb.training.Settings.__dataclass_fields__} - {"files", "target"}
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
    target: options.Target = None,
    model: _Model = "bayes",
    rule: options.Rule = None,
    schedule: options.Schedule = None,
    passes: options.Passes = 1,
    save: options.Save = None,
    resume: options.Resume = False,
    continued: options.Continued = None,
    checkpoint_every: options.CheckpointEvery = "60s",
    on_error: options.OnError = "stop",
    missing: options.Missing = None,
    delimiter: options.Delimiter = None,
    batch_rows: options.BatchRows = None,
    classes: options.Classes = None,
    numeric: options.Numeric = None,
    categorical: options.Categorical = None,
    dates: options.Dates = None,
    text: options.Text = None,
    ignore: options.Ignored = None,
    id: options.Id = None,
    weight: options.Weight = None,
    holdout: options.Holdout = None,
    holdout_last: options.HoldoutLast = None,
    threshold: options.Threshold = None,
    costs: options.Costs = None,
    categories: options.Categories = "auto",
    hash_bits: options.HashBits = None,
    standardise: options.Standardise = None,
    format: options.Format = None,
    header: options.Header = True,
    features: options.Features = None,
    workers: DaskWorkers = None,
    scheduler: Scheduler = None,
    piece_rows: options.PieceRows = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Learn to predict a column of a table of any size, in one pass.

    Files are CSV, TSV (also .gz), Parquet, Arrow or Feather, svmlight or NPY. Columns
    of NPY files are named 0, 1, 2, ... Files are read in batches: memory stays small.
    Before learning, the command prints the kind, gaps and features of each column. It
    warns of columns that look like an id or reveal the target. Each row is predicted
    before its label is learned, and the printed error is that of these predictions. The
    majority error is that of always predicting the most frequent label. `--holdout 0.2`
    evaluates the finished model on rows that it has not learned.

    The labels are those of the first batch. If a later row has another one, all files
    are read for their labels, and learning starts again; `--classes` avoids this. A
    model may have parameters: `--model bayes:half_life=1e5`.

    After Ctrl-C, or even kill -9, run the same command with `--resume`: the result has
    the same bits as without the interruption. To learn more files later, use
    `--continue MODEL`. Lists may be repeated or have commas: `--ignore id,name` is
    `--ignore id --ignore name`.

    With `--workers` or `--scheduler` every Dask worker learns pieces: files, or parts
    of Parquet and NPY files. Their models are merged: counts are added, beliefs
    multiplied, weights of a perceptron averaged after every pass. The result of every
    piece is stored, for `--resume`.

    Examples:

    - `rosenblatt train clicks.parquet --target clicked --save clicks.safetensors`
    - `rosenblatt train a.csv.gz b.csv.gz --target y --id name --missing NA,?
      --on-error skip --save y.safetensors --resume`
    - `rosenblatt train churn.csv --target churned --costs yes=5 --holdout-last 0.2`
    - `rosenblatt train rows.csv --target y --model perceptron --rule
      passive-aggressive --passes 3 --save y.safetensors`
    - `rosenblatt train tuesday.csv --continue monday.safetensors --save
      tuesday.safetensors`
    - `rosenblatt train part-1.parquet part-2.parquet --target y --workers 2`
    """
    alone = workers is None and scheduler is None
    if alone and piece_rows is not None:
        raise ValueError("--piece-rows needs --workers or --scheduler")
    if save is not None:
        check_file("--save", save, (".safetensors",))
    elif resume:
        raise ValueError("--resume needs --save, beside which checkpoints are")
    if target is None and continued is None:
        raise ValueError("--target is needed: the column of labels")
    check_there(continued, *files)
    settings = _settings(ctx)
    if sys.stderr.isatty() and not quiet and not as_json:  # loading takes a second
        typer.echo(f"reading {', '.join(files)}", err=True)
    shown = None if quiet or as_json or resume else _show
    if shown and not alone and target is not None and continued is None:
        shown(rb.training.preview(files, target, **settings))
    settings |= {
        "save": save,
        "resume": resume,
        "on_error": on_error,
        "progress": False if quiet or as_json else None,
    }
    try:
        if alone:
            settings |= {"checkpoint_every": checkpoint_every, "continued": continued}
            trained = rb.train(files, target, shown=shown, **settings)
        elif target is None or continued is not None:
            raise ValueError("--continue must be without --workers and --scheduler")
        else:
            if piece_rows is not None:
                settings["piece_rows"] = piece_rows
            trained = rb.train_parts(
                files, target, workers=workers, scheduler=scheduler, **settings
            )
    except rb.training.TrainingInterrupted as stopped:
        typer.echo(f"rosenblatt: {stopped}", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    if as_json:
        print_json(rb.training.facts(trained))
    elif not quiet:
        for line in run_lines(trained):
            typer.echo(printable(line))
        if save is not None:
            done = "nothing to do: all is in" if trained.already else "saved to"
            typer.echo(f"{done} {save}")
