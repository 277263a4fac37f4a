"""Selection of columns, and the kind that each is read as."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rosenblatt.tables.batches import Column, Columns
from rosenblatt.tables.formats import Table

__all__ = ["check_columns", "choose", "target_of"]


def target_of(table: Table, target: str) -> str:
    """Return the name of the target; -1 is the last of columns without names.

    In svmlight the label has no name: any is right.
    """
    names = [column.name for column in table.columns]
    if target in names or _is_svmlight(table):
        return target
    if names == list(map(str, range(len(names)))) and target.lstrip("-").isdecimal():
        index = int(target)
        if -len(names) <= index < 0:
            return names[index]
    raise ValueError(f"{table.name} has no column {target!r}; it has {_listed(names)}")


def check_columns(table: Table, names: Collection[str]) -> None:
    """Raise ValueError if a file lacks one of these columns."""
    if _is_svmlight(table):
        return
    there = [column.name for column in table.columns]
    for name in names:
        if name not in there:
            raise ValueError(
                f"{table.name} has no column {name!r}; it has {_listed(there)}"
            )


def choose(
    table: Table,
    kinds: Sequence[Column],
    target: str,
    *,
    numeric: Collection[str] = (),
    categorical: Collection[str] = (),
    ignore: Collection[str] = (),
    missing: Sequence[str] = (),
) -> Columns:
    """Return the columns to learn from, by their kinds and the options."""
    if _is_svmlight(table):
        return Columns((), (), target, tuple(missing))
    check_columns(table, [*numeric, *categorical, *ignore])
    for option, given in (
        ("numeric", numeric),
        ("categorical", categorical),
        ("ignore", ignore),
    ):
        if target in given:
            raise ValueError(f"{option} must not have the target, {target!r}")
    numbers, texts = [], []
    for name, kind in kinds:
        if name == target or name in ignore:
            continue
        if name in categorical:
            texts.append(name)
        elif name in numeric or kind == "number":
            numbers.append(name)
        elif kind == "text":
            texts.append(name)
        else:
            raise ValueError(
                f"{table.name}, column {name!r}: {kind} is neither number nor text; "
                "ignore it, or take it as categorical"
            )
    if not numbers and not texts:
        raise ValueError(f"{table.name} has no column besides the target, {target!r}")
    return Columns(tuple(numbers), tuple(texts), target, tuple(missing))


def _is_svmlight(table: Table) -> bool:
    return hasattr(table, "width")


def _listed(names: Sequence[str], most: int = 20) -> str:
    more = ", ..." if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
