"""Columns that look like an id: they name a row, and tell nothing about others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Columns, Rows, is_sparse
from rosenblatt.tables.encoding.codings import Coding

__all__ = ["id_columns"]

_LEAST = 60  # rows before a column is suspected
_DISTINCT = 0.95  # share of distinct values of a column that looks like an id


def id_columns(
    rows: Rows, columns: Columns, codings: tuple[Coding, ...]
) -> tuple[str, ...]:
    """Return the columns of a first batch that look like an id.

    A column of numbers does if it counts the rows up, a category if nearly every row
    has a value of its own.
    """
    if is_sparse(rows.numbers) or len(rows) < _LEAST:
        return ()
    found = [
        name for j, name in enumerate(columns.numbers) if _counts(rows.numbers[:, j])
    ]
    for name, coding, texts in zip(columns.texts, codings, rows.texts, strict=True):
        there = texts.codes[texts.codes >= 0]
        category = coding.kind in ("one-hot", "hash") and len(there) >= _LEAST
        if category and len(np.unique(there)) >= _DISTINCT * len(there):
            found.append(name)
    return tuple(found)


def _counts(column: npt.NDArray[np.floating]) -> bool:
    """Return whether whole numbers rise from row to row."""
    rises = bool(np.all(np.diff(column) > 0))
    return rises and bool(np.all(column == np.rint(column)))
