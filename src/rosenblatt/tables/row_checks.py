"""Checks of rows: numbers that are not finite, labels that are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import (
    INFINITE,
    LABEL,
    NAN,
    NO_LABEL,
    WEIGHT,
    Bad,
    Columns,
    Rows,
    is_sparse,
)

__all__ = ["check_rows"]


def check_rows(
    rows: Rows,
    numbers: Any,
    columns: Columns,
    classes: Sequence[str],
    weighted: bool = False,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.intp] | None, list[Bad]]:
    """Return label codes and indices of the good rows (None: all), and the bad rows.

    Parameters
    ----------
    numbers
        Those of the rows, after what is missing has been filled in.
    weighted
        Whether the last column of numbers has the weights of the rows.
    """
    codes = _codes(rows, classes)
    entries = numbers.data if is_sparse(numbers) else numbers
    wrong = np.zeros(len(rows), bool)
    if rows.labels is not None:
        wrong |= codes < 0
    if not (rows.finite or _is_sum_finite(entries) or np.isfinite(entries).all()):
        wrong |= _not_finite(numbers)
    if weighted:
        wrong |= (numbers[:, -1] < 0) | (numbers[:, -1] != np.rint(numbers[:, -1]))
    if not wrong.any():
        return codes, None, sorted(rows.bad, key=lambda bad: bad.line)
    lines = rows.lines()
    found = [
        _what(i, int(lines[i]), rows, numbers, columns, codes)
        for i in np.flatnonzero(wrong).tolist()
    ]
    good = np.flatnonzero(~wrong)
    bad = sorted([*rows.bad, *found], key=lambda bad: bad.line)
    return codes[good], good, bad


def _is_sum_finite(entries: npt.NDArray[Any]) -> bool:
    """Return whether the sum of entries is finite; then all entries are.

    It may also be infinite because it is large.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.sum(entries)))


def _codes(rows: Rows, classes: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the index of each label among the classes; -1 if it is unknown."""
    if rows.labels is None:
        return np.full(len(rows), -1, np.int64)
    number = {label: i for i, label in enumerate(classes)}
    known = [number.get(value, -1) for value in rows.labels.values]
    return np.array([*known, -1], np.int64)[rows.labels.codes]


def _not_finite(numbers: Any) -> npt.NDArray[np.bool_]:
    if is_sparse(numbers):
        where = np.repeat(np.arange(numbers.shape[0]), np.diff(numbers.indptr))
        found = np.zeros(numbers.shape[0], np.bool_)
        found[where[~np.isfinite(numbers.data)]] = True
        return found
    return np.asarray(~np.isfinite(numbers).all(axis=1))


def _what(
    i: int,
    line: int,
    rows: Rows,
    numbers: Any,
    columns: Columns,
    codes: npt.NDArray[np.int64],
) -> Bad:
    """Return the first fault of a row."""
    row = numbers[[i]].toarray()[0] if is_sparse(numbers) else numbers[i]
    for j in np.flatnonzero(~np.isfinite(row))[:1].tolist():
        kind = NAN if np.isnan(row[j]) else INFINITE
        name = str(j) if is_sparse(numbers) else columns.numbers[j]
        return Bad(line, kind, name)
    if codes[i] >= 0:  # nothing else is wrong
        return Bad(line, WEIGHT, columns.numbers[-1], f"{row[-1]:g}")
    labels = rows.labels
    if labels is None or labels.codes[i] < 0:
        return Bad(line, NO_LABEL, columns.target)
    return Bad(line, LABEL, columns.target, repr(labels.values[labels.codes[i]]))
