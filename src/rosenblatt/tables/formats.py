"""The file formats, and the reader of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rosenblatt.tables.arrow.files import Arrow, Parquet
from rosenblatt.tables.batches import Column, Columns, Place, Rows
from rosenblatt.tables.npy import Npy
from rosenblatt.tables.prefetch import in_order
from rosenblatt.tables.text.delimited import Delimited
from rosenblatt.tables.text.records import STANDARD
from rosenblatt.tables.text.svmlight import Svmlight

__all__ = ["ENDINGS", "FORMATS", "Table", "format_of", "open_table", "piece_by_piece"]

ENDINGS = {
    "csv": (".csv", ".csv.gz", ".csv.bz2"),
    "tsv": (".tsv", ".tsv.gz", ".tsv.bz2", ".tab", ".tab.gz", ".tab.bz2"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".arrows", ".feather", ".ipc"),
    "svmlight": (".svm", ".svmlight", ".libsvm", ".svm.gz", ".svmlight.gz"),
    "npy": (".npy",),
}
FORMATS = tuple(ENDINGS)
Made = TypeVar("Made")


class Table(Protocol):
    """A file that is read in batches of a fixed number of rows."""

    path: str
    name: str  # in messages
    unit: str  # of its places in messages: line or row
    rows: int | None
    columns: list[Column]

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Any]:
        """Yield this number of rows at a time.

        ``names`` are the columns that are wanted; by default all columns.
        """

    def kinds(self, piece: Any, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns, from the first piece."""

    def labels(self, piece: Any, columns: Columns) -> list[str]:
        """Return the labels in a piece."""

    def parse(self, piece: Any, columns: Columns) -> Rows:
        """Return the rows of a piece."""


def format_of(path: str) -> str:
    """Return the format of a file by its name; CSV for standard input.

    Examples
    --------
    >>> format_of("clicks.tsv.gz"), format_of("-")
    ('tsv', 'csv')
    """
    if path == STANDARD:
        return "csv"
    for found, endings in ENDINGS.items():
        if path.lower().endswith(endings):
            return found
    known = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
    raise ValueError(
        f"file must end in one of {known}, or needs a format, got {path!r}"
    )


def open_table(
    path: str,
    format: str | None = None,
    *,
    header: bool = True,
    features: int | None = None,
    delimiter: str | None = None,
) -> Table:
    """Open a file for reading.

    Parameters
    ----------
    path
        The file; ``"-"`` is standard input.
    format
        One of ``FORMATS``; by default what the name of the file says.
    header
        Whether the first line of CSV and TSV names the columns. If not, their names are
        0, 1, 2, ...
    features
        Of svmlight, the number of columns; by default one more than the largest index.
    delimiter
        Of CSV and TSV, the character between fields; by default a comma or a tab.
    """
    found = format_of(path) if format is None else format
    if found not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {found!r}")
    if path != STANDARD and not Path(path).is_file():
        raise ValueError(f"there is no file {path!r}")
    if found == "csv":
        return Delimited(path, delimiter or ",", header=header)
    if found == "tsv":
        return Delimited(path, delimiter or "\t", header=header)
    if found == "svmlight":
        return Svmlight(path, features)
    readers: dict[str, Any] = {"parquet": Parquet, "arrow": Arrow, "npy": Npy}
    table: Table = readers[found](path)
    return table


def piece_by_piece(
    table: Table, make: Callable[[Any], Made], pieces: Iterator[Any]
) -> Iterator[Made]:
    """Apply a function to the pieces of a table, in order; for text, in threads.

    What a pipe has given does not wait for what comes next.
    """
    if table.unit == "line" and table.path != STANDARD:
        return in_order(make, pieces)
    return map(make, pieces)
