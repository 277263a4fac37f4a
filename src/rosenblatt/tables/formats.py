"""The columns of a file to learn from, and where it can be cut."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rosenblatt.tables.batches import Column, Columns
from rosenblatt.tables.reading import Npy, Parquet, Table

__all__ = [
    "ROLES",
    "Chosen",
    "check_columns",
    "choose",
    "cuts",
    "target_of",
]

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
    found = "it has " + (", ".join(map(repr, names[:most])) or "none") + more
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
        starts = [-(-start // batch) * batch for start in table.groups]
    found = [0]
    for start in starts:
        if start - found[-1] >= rows and start < (table.rows or 0):
            found.append(start)
    return found
