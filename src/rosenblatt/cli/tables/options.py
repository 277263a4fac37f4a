"""Options of the commands on tables: columns, rows, model, evaluation, output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from rosenblatt.cli.options import (
    column_names,
    counted,
    delimiter_of,
    entries,
    option,
)

__all__ = [
    "BatchRows",
    "Categorical",
    "Categories",
    "CheckpointEvery",
    "Classes",
    "Continued",
    "Costs",
    "Dates",
    "Delimiter",
    "Features",
    "Format",
    "HashBits",
    "Header",
    "Holdout",
    "HoldoutLast",
    "Id",
    "Ignored",
    "Listed",
    "Missing",
    "Numeric",
    "OnError",
    "Passes",
    "PieceRows",
    "Resume",
    "Rule",
    "Save",
    "Schedule",
    "Standardise",
    "Target",
    "Text",
    "Threshold",
    "Weight",
]

# Types are those of the text on the command line; ``read`` returns the value.
Listed = list[str] | None  # repeated, or with commas


def _columns(text: str) -> Any:
    """Return an option that takes names of columns."""
    return option("Columns", text, metavar="COLUMN,...", read=column_names)


BatchRows = Annotated[
    str | None,
    option(
        "Rows", "Number of rows of a batch.", metavar="N", read=counted("batch_rows")
    ),
]
Categorical = Annotated[Listed, _columns("Columns of categories.")]
Categories = Annotated[
    str, option("Columns", "Encoding of categories.", metavar="auto|one-hot|hash")
]
CheckpointEvery = Annotated[
    str,
    option("Output", "Interval of checkpoints, in seconds or rows.", metavar="60s|1e6"),
]
Classes = Annotated[
    Listed,
    option(
        "Columns",
        "All labels; by default those in the files.",
        metavar="LABEL,...",
        read=entries,
    ),
]
Continued = Annotated[
    Path | None,
    option(
        "Model",
        "Learn these files too, starting from a model that `train` has saved.",
        "--continue",
        metavar="MODEL",
    ),
]
Costs = Annotated[
    Listed,
    option(
        "Evaluation",
        "Costs of a mistake on rows of a class; 1 for others.",
        metavar="LABEL=COST,...",
        read=entries,
    ),
]
Dates = Annotated[Listed, _columns("Columns of dates and times, in ISO 8601.")]
Delimiter = Annotated[
    str | None,
    option(
        "Rows",
        "Character between fields; `tab` is a tab.",
        metavar="CHAR",
        read=delimiter_of,
    ),
]
Features = Annotated[
    str | None,
    option(
        "Rows",
        "Number of columns of svmlight files.",
        metavar="N",
        read=counted("features"),
    ),
]
Format = Annotated[
    str | None,
    option(
        "Rows",
        "Format of the files; by default from their names.",
        metavar="csv|tsv|parquet|arrow|svmlight|npy",
    ),
]
HashBits = Annotated[
    int | None,
    option(
        "Columns",
        "Base-2 logarithm of the number of hashed features; by default 10 to 18.",
    ),
]
Header = Annotated[
    bool,
    option(
        "Rows",
        "The first line has the names of columns.",
        "--header/--no-header",
    ),
]
Holdout = Annotated[
    float | None,
    option(
        "Evaluation",
        "Share of rows to evaluate the finished model on, not learned.",
        metavar="0.2",
    ),
]
HoldoutLast = Annotated[
    float | None,
    option(
        "Evaluation",
        "Share of rows to hold out at the end of the files.",
        metavar="0.2",
    ),
]
Id = Annotated[
    str | None,
    option(
        "Columns",
        "Column that names rows: not learned, and copied to predictions.",
        metavar="COLUMN",
    ),
]
Ignored = Annotated[Listed, _columns("Columns to leave out.")]
Missing = Annotated[
    Listed,
    option(
        "Rows",
        "Words for a missing value, instead of NA, N/A, NaN, NULL, None and similar.",
        metavar="WORD,...",
        read=entries,
    ),
]
Numeric = Annotated[Listed, _columns("Columns of numbers.")]
OnError = Annotated[
    str, option("Rows", "At a bad row: stop or skip.", metavar="stop|skip")
]
Passes = Annotated[
    int, option("Model", "Passes through the files; for the model perceptron.")
]
PieceRows = Annotated[
    str | None,
    option(
        "Workers",
        "Rows of a piece of a Parquet or NPY file; by default 2^20.",
        metavar="N",
        read=counted("piece_rows"),
    ),
]
Resume = Annotated[
    bool,
    option(
        "Output",
        "Finish an interrupted run on the same files, from its checkpoint.",
        "--resume",
    ),
]
Rule = Annotated[
    str | None,
    option("Model", "Learning rule; for the model perceptron.", metavar="PART"),
]
Save = Annotated[Path | None, option("Output", "Write to a .safetensors file.")]
Schedule = Annotated[
    str | None,
    option(
        "Model", "Learning-rate schedule; for the model perceptron.", metavar="PART"
    ),
]
Standardise = Annotated[
    bool | None,
    option(
        "Columns",
        "Standardise by the first batch; by default if features are sparse, or for "
        "a perceptron.",
        "--standardise/--no-standardise",
    ),
]
Target = Annotated[
    str | None,
    option(
        "Columns",
        "Column of labels; needed, unless a model is continued.",
        metavar="COLUMN",
    ),
]
Text = Annotated[Listed, _columns("Columns of sentences; words and pairs are hashed.")]
Threshold = Annotated[
    float | None,
    option(
        "Evaluation",
        "Predict the second of two classes from this probability on.",
        metavar="0.5",
    ),
]
Weight = Annotated[
    str | None,
    option(
        "Columns",
        "Column of whole numbers: how often each row counts.",
        metavar="COLUMN",
    ),
]
