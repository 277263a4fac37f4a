"""Options that commands on tables share: how files are read, and how labels chosen."""

from __future__ import annotations

from typing import Annotated, Any

from rosenblatt.cli.options import option

__all__ = [
    "Costs",
    "Delimiter",
    "Format",
    "Header",
    "Id",
    "Listed",
    "OnError",
    "Threshold",
    "columns",
    "delimiter_of",
]

Listed = list[str] | None  # repeated, or with commas


def columns(text: str) -> Any:
    """Return an option that takes names of columns."""
    return option("Columns", text, metavar="COLUMN,...")


def delimiter_of(text: str | None) -> str | None:
    r"""Return the character that an option means.

    Examples
    --------
    >>> delimiter_of("tab"), delimiter_of(";")
    ('\t', ';')
    """
    return "\t" if text == "tab" else text


Costs = Annotated[
    Listed,
    option(
        "Evaluation",
        "Costs of a mistake on rows of a class; 1 for others.",
        metavar="LABEL=COST,...",
    ),
]
Delimiter = Annotated[
    str | None,
    option("Rows", "Character between fields; `tab` is a tab.", metavar="CHAR"),
]
Format = Annotated[
    str | None,
    option(
        "Rows",
        "Format of the files; by default from their names.",
        metavar="csv|tsv|parquet|arrow|svmlight|npy",
    ),
]
Header = Annotated[
    bool,
    option(
        "Rows",
        "Whether the first line has the names of columns.",
        "--header/--no-header",
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
OnError = Annotated[
    str, option("Rows", "At a bad row: stop or skip.", metavar="stop|skip")
]
Threshold = Annotated[
    float | None,
    option(
        "Evaluation",
        "Predict the second of two classes from this probability on.",
        metavar="0.5",
    ),
]
