"""Packed bits from CSV and Parquet files that need not fit into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import whole
from rosenblatt.core.bits.container import Bits
from rosenblatt.core.bits.packing import packed

__all__ = ["read"]

arrow: Any = lazy_loader.load("rosenblatt.core.arrow", suppress_warning=True)

Labels = npt.NDArray[np.int8] | None
Batch = tuple[Bits, Labels]
_WORDS = {"true": 1.0, "false": 0.0}


def _level(value: Any) -> float | None:
    """Return the number that an entry is, also as text; None for other words."""
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _WORDS:
            return _WORDS[word]
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


class _Levels:
    """What is known about the levels of a file's columns while it is read."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path, self.columns = path, columns
        self.words: dict[int, list[str]] = {}  # the two values of columns of words
        self.low: dict[int, float] = {}  # the low level of columns of numbers
        self._learn()

    def _learn(self) -> None:
        """Read on until both values of every column of words have been seen."""
        found: dict[int, list[str]] | None = None
        for batch in arrow.batches(self.path, self.columns):
            there = [
                [column.values[code] for code in _codes(column) if code >= 0]
                for column in batch
            ]
            if found is None:
                found = {
                    j: []
                    for j, values in enumerate(there)
                    if any(_level(value) is None for value in values)
                }
            for j, seen in found.items():
                seen.extend(str(v) for v in there[j] if str(v) not in seen)
            if all(len(seen) > 1 for seen in found.values()):
                break
        for j, seen in (found or {}).items():
            if len(seen) < 2:
                raise ValueError(
                    f"{self._name(j)}: must have two values, got {seen[0]!r} only"
                )
            self.words[j] = sorted(seen[:2])  # others are noticed on their row

    def _name(self, j: int) -> str:
        return f"{self.path}: column {self.columns[j]!r}"

    def high(self, j: int, column: Any, first: int) -> npt.NDArray[np.bool_]:
        """Return which entries of a column are high; rows are counted from ``first``.

        Only values that occur are looked at: a dictionary may list others.
        """
        values, codes = column
        is_high = np.zeros(len(values) + 1, bool)
        for code in _codes(column):
            level = self._number(j, values[code]) if code >= 0 else None
            if level is None:
                row = first + int(np.argmax(codes == code)) + 1
                given = repr(values[code]) if code >= 0 else "nothing"
                raise ValueError(
                    f"{self._name(j)}, row {row}: must be {self._wanted(j)}, "
                    f"got {given}"
                )
            is_high[code] = level > 0
        return np.asarray(is_high[codes])

    def _number(self, j: int, value: Any) -> float | None:
        """Return the level of an entry, or None if it does not belong here."""
        if j in self.words:
            both = self.words[j]
            return 2.0 * both.index(str(value)) - 1 if str(value) in both else None
        level = _level(value)
        if level not in (-1, 0, 1):
            return None
        if level != 1 and self.low.setdefault(j, level) != level:
            return None
        return level

    def _wanted(self, j: int) -> str:
        if j in self.words:
            return f"{self.words[j][0]!r} or {self.words[j][1]!r}"
        return f"{self.low[j]:g} or 1" if j in self.low else "-1 or 1, or 0 or 1"


def _codes(column: Any) -> list[int]:
    """Return the codes that occur, those that occur first at the front."""
    there = np.bincount(column.codes + 1)
    found = (np.flatnonzero(there) - 1).tolist()
    return sorted(found, key=lambda code: int(np.argmax(column.codes == code)))


def _pieces(levels: _Levels, labelled: bool) -> Iterator[Batch]:
    """Return batches as they come; the last column has the labels, if there are any."""
    first = 0
    for batch in arrow.batches(levels.path, levels.columns):
        rows = batch[0].codes.size
        table = np.empty((len(batch), rows), bool)
        for j, column in enumerate(batch):
            table[j] = levels.high(j, column, first)
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


def read(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    target: str | None = None,
    rows: int = 65536,
) -> Iterator[Batch]:
    r"""Read columns with two levels from a file, batch by batch.

    Each column has levels of its own: -1 and 1, or 0 and 1, or false and true, of which
    the larger is high; or two different words, of which the later in the order of
    Unicode is high ("yes" of "no" and "yes"). Of columns of words the file is read
    ahead until both have been seen. Needs pyarrow, the extra ``rosenblatt[files]``.

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
    file = Path(path)
    size = whole("rows", rows, low=1)
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
    levels = _Levels(file, asked)
    return _regrouped(_pieces(levels, target is not None), size)
