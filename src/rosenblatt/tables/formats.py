"""The file formats, the reader of each, threads that parse, and the columns to read."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from rosenblatt.system.threads import core_count
from rosenblatt.tables.arrow import Arrow, Parquet
from rosenblatt.tables.batches import Column, Columns, Place, Rows
from rosenblatt.tables.npy import Npy
from rosenblatt.tables.text.delimited import Delimited
from rosenblatt.tables.text.records import STANDARD
from rosenblatt.tables.text.svmlight import Svmlight

__all__ = [
    "ENDINGS",
    "FORMATS",
    "ROLES",
    "Chosen",
    "Table",
    "check_columns",
    "choose",
    "cuts",
    "format_of",
    "open_table",
    "piece_by_piece",
    "target_of",
]

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
_THREADS = min(core_count(), 4)  # more than memory can feed are of no use


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
        Number of columns of svmlight; by default one more than the largest index.
    delimiter
        Character between fields of CSV and TSV; by default a comma or a tab.
    """
    found = format_of(path) if format is None else format
    if found not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {found!r}")
    if path != STANDARD and not Path(path).is_file():
        if Path(path).exists():
            raise ValueError(
                f"{path} must be a file, got a pipe or a device; read a pipe as -"
            )
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

    Rows from a pipe do not wait for later ones.
    """
    if table.unit == "line" and table.path != STANDARD:
        return _in_threads(make, pieces)
    return map(make, pieces)


def _in_threads(make: Callable[[Any], Made], pieces: Iterator[Any]) -> Iterator[Made]:
    """Apply a function to pieces in several threads, and yield results in order."""
    making: deque[Future[Made]] = deque()
    failure: Exception | None = None
    with ThreadPoolExecutor(_THREADS, "parser") as pool:
        while True:
            try:
                piece = next(pieces)
            except StopIteration:
                break
            except Exception as caught:  # what is before it comes first
                failure = caught
                break
            making.append(pool.submit(make, piece))
            if len(making) > _THREADS:
                yield making.popleft().result()
        while making:
            yield making.popleft().result()
    if failure is not None:
        raise failure


_TEXTS = ("category", "one-hot", "hash", "date", "text")
_OTHERS = (";", "\t", "|", ",")  # delimiters that a table may have
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")  # in a first line that is no header
ROLES = ("number", *_TEXTS, "ignore", "id", "weight")  # of a column, if a user says so


def target_of(table: Table, target: str) -> str:
    """Return the name of the target; -1 is the last of columns without names.

    In svmlight the label has no name: any word is right.
    """
    names = [column.name for column in table.columns]
    if target in names or _is_svmlight(table):
        return target
    if names == list(map(str, range(len(names)))) and target.lstrip("-").isdecimal():
        index = int(target)
        if -len(names) <= index < 0:
            return names[index]
    raise ValueError(f"{table.name} has no column {target!r}; {_listed(names)}")


def check_columns(table: Table, names: Collection[str]) -> None:
    """Raise ValueError if a file lacks one of these columns."""
    if _is_svmlight(table):
        return
    there = [column.name for column in table.columns]
    for name in names:
        if name not in there:
            raise ValueError(f"{table.name} has no column {name!r}; {_listed(there)}")


class Chosen(NamedTuple):
    """The columns to learn from, and the kind of each text column.

    A kind is category, one-hot, hash, date or text; or "", which leaves it to the first
    batch.
    """

    columns: Columns
    kinds: tuple[str, ...]


def choose(
    table: Table,
    kinds: Sequence[Column],
    target: str,
    roles: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
) -> Chosen:
    """Return the columns to learn from, by their kinds and their roles.

    Parameters
    ----------
    table
        The file.
    kinds
        All its columns, with the kinds that its reader found.
    target
        The column of labels.
    roles
        Roles of columns by name, one of ``ROLES``: what the user has said of them.
    missing
        Words that stand for a missing value.
    """
    if _is_svmlight(table):
        return Chosen(Columns((), (), target, tuple(missing)), ())
    roles = roles or {}
    check_columns(table, list(roles))
    if target in roles:
        raise ValueError(f"{roles[target]} must not have the target, {target!r}")
    numbers, texts, weight = [], {}, []
    for name, kind in kinds:
        role = roles.get(name)
        if name == target or role in ("ignore", "id"):
            continue
        if role == "weight":
            weight.append(name)
        elif role in _TEXTS:
            texts[name] = role
        elif role == "number" or kind == "number":
            numbers.append(name)
        elif kind in ("text", "date"):
            texts[name] = "" if kind == "text" else "date"
        else:
            nested = "<" in (kind or "")  # such as struct<a: int64>
            raise ValueError(
                f"{table.name}, column {name!r}: {kind} is neither number nor text; "
                f"ignore it{'' if nested else ', or take it as category'}"
            )
    if not numbers and not texts:
        raise ValueError(f"{table.name} has no column besides the target, {target!r}")
    columns = Columns((*numbers, *weight), tuple(texts), target, tuple(missing))
    return Chosen(columns, tuple(texts.values()))


def _is_svmlight(table: Table) -> bool:
    return hasattr(table, "width")


def _listed(names: Sequence[str], most: int = 20) -> str:
    more = ", ..." if len(names) > most else ""
    found = "it has " + ", ".join(map(repr, names[:most])) + more
    for mark in _OTHERS:
        if len(names) == 1 and mark in names[0]:
            return f"{found}; is {mark!r} its delimiter?"
    if any(map(_NUMBER.fullmatch, names)) and names != list(
        map(str, range(len(names)))
    ):
        return f"{found}; is its first line a row? then take --no-header"
    return found


def cuts(table: Table, rows: int, batch: int) -> list[int]:
    """Return the first row of each piece of a file; [0] if it is not cut.

    Arrays are cut anywhere, Parquet where its groups of rows begin, or as soon as
    possible after that. Other files must be read from the start.

    Parameters
    ----------
    table
        The file.
    rows
        Least number of rows of a piece; the last may have fewer.
    batch
        Number of rows that are read at a time. Pieces begin with a batch, so that
        batches are those of the whole file.
    """
    starts: Sequence[int] = ()
    if isinstance(table, Npy):
        starts = range(0, table.rows or 0, batch)
    elif isinstance(table, Parquet):
        starts = [-(-start // batch) * batch for start in table.groups()]
    found = [0]
    for start in starts:
        if start - found[-1] >= rows and start < (table.rows or 0):
            found.append(start)
    return found
