"""Options and arguments that commands share, and checks of their values."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import lazy_loader
import typer

from rosenblatt.system.extras import missing

codec: Any = lazy_loader.load("rosenblatt.specification.codec", suppress_warning=True)
PLOTS = (".pdf", ".png", ".svg")  # endings of figures
_OWN = typer.Option(
    help="Your own rule or schedule that the model was trained with.",
    metavar="FILE:NAME",
)
OwnRule = Annotated[str | None, _OWN]
OwnSchedule = Annotated[str | None, _OWN]


def option(
    panel: str,
    text: str,
    metavar: str | None = None,
    *flags: str,
    read: Callable[..., Any] | None = None,
) -> Any:
    """Return an option that the help shows in a panel of its own.

    ``read`` turns its text, or None, into the value that the command gets.
    """
    return typer.Option(
        *flags, help=text, metavar=metavar, rich_help_panel=panel, callback=read
    )


DaskWorkers = Annotated[
    int | None, option("Workers", "Number of local Dask workers to start.")
]
Quiet = Annotated[bool, option("Output", "Print nothing but errors.", None, "--quiet")]
Scheduler = Annotated[
    str | None, option("Workers", "Address of a Dask scheduler.", "ADDRESS")
]


def part(text: str, *kinds: type) -> Any:
    """Return an option that takes a part; a shell completes the names of its kinds."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in codec.names(*kinds) if name.startswith(incomplete)]

    return typer.Option(
        help=text, metavar="PART", rich_help_panel="Parts", autocompletion=complete
    )


def entries(given: Sequence[str] | None) -> list[str] | None:
    """Return the entries of a list option, which may be repeated or have commas.

    An entry in double quotes, as in CSV files, may have commas itself.

    Examples
    --------
    >>> entries(["age,size", 'id,"price, net"'])
    ['age', 'size', 'id', 'price, net']
    """
    if given is None:
        return None
    return [
        entry
        for text in given
        for entry in (
            next(csv.reader([text], skipinitialspace=True))
            if '"' in text
            else codec.split(text)
        )
    ]


def assigned(
    name: str, commas: bool, value: Callable[[str], Any] = str
) -> Callable[[Any], dict[str, Any]]:
    """Return the reader of a list of NAME=VALUE.

    Parameters
    ----------
    name
        Name of the option in Python, for errors.
    commas
        Whether a comma separates entries; the option may be repeated anyway.
    value
        Turns the text of a value into the value.

    Examples
    --------
    >>> assigned("columns", False)(["price, net=number", "=ignore"])
    {'price, net': 'number', '': 'ignore'}
    """

    def read(given: Any) -> dict[str, Any]:
        found = {}
        for text in (entries(given) if commas else given) or ():
            key, equals, written = text.rpartition("=")
            try:
                found[key] = value(written)
            except ValueError:
                equals = ""
            if not equals:
                raise ValueError(f"{name} must be NAME=VALUE, got {text!r}")
        return found

    return read


def delimiter_of(text: str | None) -> str | None:
    r"""Return the character that an option means.

    Examples
    --------
    >>> delimiter_of("tab"), delimiter_of(";")
    ('\t', ';')
    """
    return "\t" if text == "tab" else text


# Options of commands that read tables; types are those of the text on the command line.
_COSTS = "Costs of a mistake on rows of a class; 1 for others."
_FORMAT = "Format of the files; by default from their names."
Costs = Annotated[
    list[str] | None,
    option("Evaluation", _COSTS, "LABEL=COST,...", read=assigned("costs", True, float)),
]
Delimiter = Annotated[
    str | None,
    option("Rows", "Character between fields, or `tab`.", "CHAR", read=delimiter_of),
]
Format = Annotated[
    str | None, option("Rows", _FORMAT, "csv|tsv|parquet|arrow|svmlight")
]
Header = Annotated[
    bool, option("Rows", "The first line has names.", None, "--header/--no-header")
]
OnError = Annotated[str, option("Rows", "At a bad row: stop or skip.", "stop|skip")]


def check_there(*files: Path | str | None) -> None:
    """Raise ValueError if a file does not exist, before anything slow is imported.

    Examples
    --------
    >>> check_there(None, "-", "nowhere.csv")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.csv'
    """
    for file in files:
        if file is not None and file != "-" and not Path(file).is_file():
            if Path(file).is_dir():
                raise ValueError(f"{str(file)!r} must be a file, got a folder")
            if Path(file).exists():
                raise ValueError(
                    f"{str(file)!r} must be a file, got a pipe or a device; read a "
                    "pipe as -"
                )
            raise ValueError(f"there is no file {str(file)!r}")


def check_file(option: str, path: Path, endings: Sequence[str]) -> None:
    """Raise ValueError if a file cannot be written, before its content is computed.

    Examples
    --------
    >>> check_file("--save", Path("run.txt"), [".nc"])
    Traceback (most recent call last):
    ValueError: --save must be a file ending in .nc, got 'run.txt'
    """
    if path.suffix.lower() not in endings:
        raise ValueError(
            f"{option} must be a file ending in {' or '.join(endings)}, "
            f"got {str(path)!r}"
        )
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(
            f"{option} must be a file in an existing folder, got {str(path)!r}"
        )
    if not os.access(path.parent, os.W_OK):
        raise ValueError(
            f"{option} must be in a folder that you may write to, got {str(path)!r}"
        )
    if endings == PLOTS and find_spec("matplotlib") is None:
        raise missing("matplotlib", option)
