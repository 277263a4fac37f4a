"""Packed bits from CSV and Parquet files that need not fit into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.bits.columns import ColumnLevels, Levels
from rosenblatt.bits.container import Bits
from rosenblatt.bits.packing import packed
from rosenblatt.core.arguments import whole

__all__ = ["levels", "read"]

# loaded when a file is read, since it lies above this folder
tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)

Labels = npt.NDArray[np.int8] | None
Batch = tuple[Bits, Labels]
_FORMATS = ("csv", "parquet")
_ENTRIES = 2**20  # entries of a file that are read at once


def _table(path: Path) -> Any:
    """Open a CSV or Parquet file."""
    given = str(path)
    if not any(given.lower().endswith(tables.ENDINGS[kind]) for kind in _FORMATS):
        known = ", ".join(e for kind in _FORMATS for e in tables.ENDINGS[kind])
        raise ValueError(f"path must end in one of {known}, got {given!r}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {given!r}")
    return tables.open_table(given)


def _columns(table: Any, names: Sequence[str]) -> Iterator[list[Any]]:
    """Read these columns as text, a batch at a time; refuse the first bad row."""
    wanted = tables.Columns((), tuple(names), None)
    pieces = table.pieces(
        tables.Place(), max(1, _ENTRIES // len(table.columns)), list(names)
    )
    parse = partial(table.parse, columns=wanted)
    for rows in tables.piece_by_piece(table, parse, pieces):
        for bad in rows.bad:
            raise tables.BadRowError(table.name, table.unit, bad)
        yield rows.texts


def _batches(table: Any, coding: ColumnLevels, labelled: bool) -> Iterator[Batch]:
    """Pack batches of a file; the last column has the labels, if there are any."""
    first = 0
    for columns in _columns(table, coding.names):
        rows = columns[0].codes.size
        high = np.empty((len(columns), rows), bool)
        for j, (name, column) in enumerate(zip(coding.names, columns, strict=True)):
            high[j] = coding.high(name, column, first)
        labels = None
        if labelled:
            labels = np.where(high[-1], np.int8(1), np.int8(-1))
            high = high[:-1]
        words = packed(np.ascontiguousarray(high.T))
        yield Bits.trusted(words, len(high)), labels
        first += rows


def _regrouped(batches: Iterator[Batch], rows: int) -> Iterator[Batch]:
    """Return batches of this many rows; the last may have fewer."""
    waiting: list[Batch] = []
    size = 0
    for bits, labels in batches:
        waiting.append((bits, labels))
        size += len(bits)
        while size >= rows:
            bits, labels = _joined(waiting)
            yield bits[:rows], None if labels is None else labels[:rows]
            size -= rows
            waiting = [(bits[rows:], None if labels is None else labels[rows:])]
    if size:
        yield _joined(waiting)


def _joined(batches: list[Batch]) -> Batch:
    labels = [labels for _, labels in batches if labels is not None]
    return (
        Bits.concatenate(bits for bits, _ in batches),
        np.concatenate(labels) if labels else None,
    )


def _opened(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None,
    target: str | None,
    given: Mapping[str, Levels],
) -> tuple[Any, ColumnLevels]:
    """Open a file and check the arguments; the target is the last column."""
    file = Path(path)
    table = _table(file)
    there = [column.name for column in table.columns]
    if isinstance(columns, str):
        raise TypeError(f"columns must be a list of names, got {columns!r}")
    chosen = [n for n in there if n != target] if columns is None else list(columns)
    names = chosen if target is None else [*chosen, target]
    tables.check_columns(table, names)
    if not chosen:
        raise ValueError(f"columns must be one or more names, got {columns!r}")
    if target in chosen:
        raise ValueError(f"columns must not have the target {target!r} among them")
    if not isinstance(given, Mapping):
        raise TypeError(f"levels must be a dict of pairs, got {given!r}")
    for name in given:
        if name not in there:
            raise ValueError(
                f"levels must be of columns of {file}, which are {', '.join(there)}, "
                f"got {name!r}"
            )
    return table, ColumnLevels(str(file), names, given)


def _find_levels(table: Any, coding: ColumnLevels) -> dict[str, Levels]:
    """Read a file until both words of each column without levels have been seen."""
    names = coding.unknown
    return coding.find(_columns(table, names) if names else iter(()))


def levels(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    target: str | None = None,
) -> dict[str, Levels]:
    r"""Return the low and the high word of each column of words, as in :func:`read`.

    Pass them to ``read`` to give other files the same coding. Such files are the rest
    of a table in many files, or a few rows to predict. Columns of numbers are left out,
    since 1 is their high level in every file.

    Parameters
    ----------
    path, columns, target
        As in :func:`read`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, other = Path(folder) / "votes.csv", Path(folder) / "new.csv"
    ...     _ = path.write_text("rich,tall,won\n1,no,0\n-1,yes,1\n")
    ...     found = levels(path, target="won")
    ...     _ = other.write_text("rich,tall\n1,yes\n")
    ...     [(bits, _)] = read(other, levels=found)
    >>> found
    {'tall': ('no', 'yes')}
    >>> bits.words
    array([[3]], dtype=uint64)
    """
    return _find_levels(*_opened(path, columns, target, {}))


def read(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    target: str | None = None,
    rows: int = 65536,
    levels: Mapping[str, Levels] | None = None,
) -> Iterator[Batch]:
    r"""Read columns with two levels from a file, batch by batch.

    Each column has its own two levels. The levels may be -1 and 1, 0 and 1, or false
    and true; the larger is high. Or they are two words; the later one in the order of
    Unicode is high, "yes" of "no" and "yes". To find the words, the file is read ahead
    until both have been seen. Each file is read by itself: pass ``levels`` if a table
    is in more than one. This needs pyarrow, the extra ``rosenblatt[files]``.

    Parameters
    ----------
    path
        A file that ends in ``.csv`` (with a header; also ``.csv.gz``, ``.csv.bz2``) or
        ``.parquet`` (``.pq``).
    columns
        Names of the columns to read; all but the target by default.
    target
        Name of the column that has the labels.
    rows
        Rows of a batch; the last may have fewer.
    levels
        The low and the high level of columns, the target too, by name: any two words
        or numbers, ``{"tall": ("no", "yes"), "parity": (1, 2)}``. Nothing is read ahead
        for these columns, one of the two may be absent, and anything else in them is an
        error. Those that another file has come from :func:`rosenblatt.bits.levels`.

    Returns
    -------
    iterator
        Pairs of packed bits and labels, -1 and +1, or None without a target. Rows in
        errors are counted from 1, without the header.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "votes.csv"
    ...     _ = path.write_text("rich,tall,won\n1,no,0\n-1,yes,1\n")
    ...     [(bits, labels)] = read(path, target="won")
    >>> bits, labels
    (Bits(2 rows, 2 columns), array([-1,  1], dtype=int8))
    """
    size = whole("rows", rows, low=1)
    given = {} if levels is None else levels
    table, coding = _opened(path, columns, target, given)
    _find_levels(table, coding)  # before the first batch: errors are raised at once
    return _regrouped(_batches(table, coding, target is not None), size)
