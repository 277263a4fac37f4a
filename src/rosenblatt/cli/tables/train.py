"""The command ``train``: learn from files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import rosenblatt as rb  # what learns and reads is loaded when it is needed
from rosenblatt.cli.options import check_file, entries, option
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.spelling.values import whole

__all__ = ["train"]

_INTERRUPTED = 130  # the exit code of other programs


def _count(name: str, text: str | None) -> int | None:
    return None if text is None else whole(name, text)


Listed = list[str] | None  # repeated, or with commas


def _columns(text: str) -> Any:
    return option("Columns", text, metavar="COLUMN,...")


def _given(ctx: typer.Context, values: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that are on the command line, without the defaults."""
    default = ("DEFAULT", "DEFAULT_MAP")
    return {
        name: value
        for name, value in values.items()
        if getattr(ctx.get_parameter_source(name), "name", None) not in default
    }


def train(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files to learn from; - is standard input.",
            metavar="FILE...",
            show_default=False,
        ),
    ],
    target: Annotated[
        str | None,
        option(
            "Columns",
            "Column of labels; needed, unless a model is continued.",
            metavar="COLUMN",
        ),
    ] = None,
    model: Annotated[
        str, option("Model", "Model; `help` lists all.", metavar="MODEL")
    ] = "bayes",
    rule: Annotated[
        str | None, option("Model", "Rule of a perceptron.", metavar="PART")
    ] = None,
    schedule: Annotated[
        str | None, option("Model", "Schedule of a perceptron.", metavar="PART")
    ] = None,
    passes: Annotated[
        int, option("Model", "Number of passes through the files; perceptron only.")
    ] = 1,
    save: Annotated[
        Path | None, option("Output", "Write to a .safetensors file.")
    ] = None,
    resume: Annotated[
        bool,
        option(
            "Output",
            "Finish an interrupted run on the same files, from its checkpoint.",
            "--resume",
        ),
    ] = False,
    continued: Annotated[
        Path | None,
        option(
            "Model",
            "Learn these files too, starting from a model that `train` has saved.",
            "--continue",
            metavar="MODEL",
        ),
    ] = None,
    checkpoint_every: Annotated[
        str,
        option(
            "Output", "Interval of checkpoints, in seconds or rows.", metavar="60s|1e6"
        ),
    ] = "60s",
    on_error: Annotated[
        str, option("Rows", "At a bad row: stop or skip.", metavar="stop|skip")
    ] = "stop",
    missing: Annotated[
        Listed,
        option("Rows", "Words that mean a missing value.", metavar="WORD,..."),
    ] = None,
    batch_rows: Annotated[
        str | None, option("Rows", "Number of rows of a batch.", metavar="N")
    ] = None,
    classes: Annotated[
        Listed,
        option(
            "Columns", "All labels; by default those in the files.", metavar="LABEL,..."
        ),
    ] = None,
    numeric: Annotated[Listed, _columns("Columns of numbers.")] = None,
    categorical: Annotated[Listed, _columns("Columns of categories.")] = None,
    ignore: Annotated[Listed, _columns("Columns to leave out.")] = None,
    categories: Annotated[
        str, option("Columns", "Encoding of categories.", metavar="auto|one-hot|hash")
    ] = "auto",
    hash_bits: Annotated[
        int, option("Columns", "Logarithm to base 2 of the number of hashed columns.")
    ] = 16,
    standardise: Annotated[
        bool | None,
        option(
            "Columns",
            "Standardise columns by the first batch; by default for a perceptron.",
            "--standardise/--no-standardise",
        ),
    ] = None,
    format: Annotated[
        str | None,
        option(
            "Rows",
            "Format of the files; by default from their names.",
            metavar="csv|tsv|parquet|arrow|svmlight|npy",
        ),
    ] = None,
    header: Annotated[
        bool,
        option(
            "Rows",
            "Whether the first line has the names of columns.",
            "--header/--no-header",
        ),
    ] = True,
    features: Annotated[
        str | None, option("Rows", "Number of columns of svmlight files.", metavar="N")
    ] = None,
    workers: Annotated[
        int | None, option("Many machines", "Number of local Dask workers to start.")
    ] = None,
    scheduler: Annotated[
        str | None,
        option("Many machines", "Address of a Dask scheduler.", metavar="ADDRESS"),
    ] = None,
    piece_rows: Annotated[
        str | None,
        option(
            "Many machines",
            "Rows of a piece of a Parquet or NPY file; by default 2^20.",
            metavar="N",
        ),
    ] = None,
    quiet: Annotated[
        bool, option("Output", "Print nothing but errors.", "--quiet")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn to predict a column of a table of any size, in one pass.

    Files are CSV, TSV (also .gz), Parquet, Arrow or Feather, svmlight or NPY, whose
    columns have numbers from 0. They are read in batches: memory stays small.
    Columns of numbers are taken as they are, text as categories. Missing values and
    bad rows are counted. The error shown is that of predictions made for each row
    before its label was known.

    The labels are those found in the files, which are read once for this, or in the
    first batch of standard input; `--classes` says what they are. A model may have
    parameters: `--model bayes:half_life=1e5`.

    After Ctrl-C, or even kill -9, run the same command with `--resume`: the result has
    the same bits as without the interruption. To learn more files later, take
    `--continue MODEL`. Lists may be repeated or have commas: `--ignore id,name` is
    `--ignore id --ignore name`.

    With `--workers` or `--scheduler` every Dask worker learns pieces: files, or parts
    of Parquet and NPY files. Their models are merged: counts are added, beliefs
    multiplied, weights of a perceptron averaged after every pass. Every piece is a
    checkpoint then.

    Examples:

    - `rosenblatt train clicks.parquet --target clicked --save clicks.safetensors`
    - `rosenblatt train a.csv.gz b.csv.gz --target y --ignore id --missing NA,?
      --on-error skip --save y.safetensors --resume`
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
    settings = _given(
        ctx,
        {
            "model": model,
            "rule": rule,
            "schedule": schedule,
            "format": format,
            "header": header,
            "features": _count("features", features),
            "classes": entries(classes),
            "numeric": entries(numeric),
            "categorical": entries(categorical),
            "ignore": entries(ignore),
            "missing": entries(missing),
            "categories": categories,
            "hash_bits": hash_bits,
            "standardise": standardise,
            "passes": passes,
            "batch_rows": _count("batch_rows", batch_rows),
        },
    )
    settings |= {
        "save": save,
        "resume": resume,
        "on_error": on_error,
        "progress": False if quiet or as_json else None,
    }
    try:
        if alone:
            settings |= {"checkpoint_every": checkpoint_every, "continued": continued}
            trained = rb.train(files, target, **settings)
        elif target is None or continued is not None:
            raise ValueError("--continue must be without --workers and --scheduler")
        else:
            if piece_rows is not None:
                settings["piece_rows"] = whole("piece_rows", piece_rows)
            trained = rb.train_parts(
                files, target, workers=workers, scheduler=scheduler, **settings
            )
    except rb.training.TrainingInterrupted as stopped:
        typer.echo(f"rosenblatt: {stopped}", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    if as_json:
        print_json(rb.training.facts(trained))
    elif not quiet:
        record = trained.record
        typer.echo(f"{record.rows} rows, {rb.training.summary(record)}")
        for what, counts in (
            ("skipped", record.skipped),
            ("missing", record.missing),
            ("not in the first batch", record.other),
        ):
            if counts:
                each = ", ".join(f"{key}: {count}" for key, count in counts.items())
                typer.echo(f"{what}: {each}")
        if save is not None:
            done = "nothing to do: all is in" if trained.already else "saved to"
            typer.echo(f"{done} {save}")
