"""Packed bits from CSV and Parquet files that need not fit into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.bits.columns import Columns, Levels
from rosenblatt.bits.container import Bits
from rosenblatt.bits.packing import packed
from rosenblatt.core.arguments import whole

__all__ = ["levels", "read"]

arrow: Any = lazy_loader.load("rosenblatt.tables.arrow.batches", suppress_warning=True)

Labels = npt.NDArray[np.int8] | None
Batch = tuple[Bits, Labels]


def _pieces(columns: Columns, labelled: bool) -> Iterator[Batch]:
    """Return batches as they come; the last column has the labels, if there are any."""
    first = 0
    for batch in arrow.batches(columns.path, columns.names):
        rows = batch[0].codes.size
        table = np.empty((len(batch), rows), bool)
        for j, (name, column) in enumerate(zip(columns.names, batch, strict=True)):
            table[j] = columns.high(name, column, first)
        labels = None
        if labelled:
            labels = np.where(table[-1], np.int8(1), np.int8(-1))
            table = table[:-1]
        words = packed(np.ascontiguousarray(table.T))
        yield Bits.trusted(words, len(table)), labels
        first += rows


def _regrouped(pieces: Iterator[Batch], rows: int) -> Iterator[Batch]:
    """Return batches of this many rows; the last may have fewer."""
    kept: list[Batch] = []
    size = 0
    for bits, labels in pieces:
        kept.append((bits, labels))
        size += len(bits)
        while size >= rows:
            bits, labels = _joined(kept)
            yield bits[:rows], None if labels is None else labels[:rows]
            size -= rows
            kept = [(bits[rows:], None if labels is None else labels[rows:])]
    if size:
        yield _joined(kept)


def _joined(kept: list[Batch]) -> Batch:
    labels = [labels for _, labels in kept if labels is not None]
    return (
        Bits.concatenate(bits for bits, _ in kept),
        np.concatenate(labels) if labels else None,
    )


def _columns(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None,
    target: str | None,
    given: Mapping[str, Levels],
) -> Columns:
    """Return the columns asked for, the target last, once all is found right."""
    file = Path(path)
    there = arrow.names(file)
    if isinstance(columns, str):
        raise TypeError(f"columns must be a list of names, got {columns!r}")
    chosen = [n for n in there if n != target] if columns is None else list(columns)
    asked = chosen if target is None else [*chosen, target]
    for name in asked:
        if there.count(name) != 1:
            how = "more than one column" if name in there else "no column"
            raise ValueError(f"{file} has {how} {name!r}; it has {', '.join(there)}")
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
    return Columns(file, asked, given)


def levels(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    target: str | None = None,
) -> dict[str, Levels]:
    r"""Return the low and the high word of each column of words, as in :func:`read`.

    Passed to ``read``, they give other files the same coding: the rest of a table that
    is in many files, or the few rows to predict. Columns of numbers are left out,
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
    return _columns(path, columns, target, {}).words()


def read(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    target: str | None = None,
    rows: int = 65536,
    levels: Mapping[str, Levels] | None = None,
) -> Iterator[Batch]:
    r"""Read columns with two levels from a file, batch by batch.

    Each column has levels of its own: -1 and 1, or 0 and 1, or false and true, of which
    the larger is high; or two different words, of which the later in the order of
    Unicode is high ("yes" of "no" and "yes"). Of columns of words the file is read
    ahead until both have been seen. This is done for each file by itself: pass
    ``levels`` if a table is in more than one. Needs pyarrow, the extra
    ``rosenblatt[files]``.

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
    given = _columns(path, columns, target, {} if levels is None else levels)
    given.words()  # before the first batch, so that they are refused at once
    return _regrouped(_pieces(given, target is not None), size)
