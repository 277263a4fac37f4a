"""Rows at which a large file is cut into pieces."""

from __future__ import annotations

from collections.abc import Sequence

from rosenblatt.tables.arrow.files import Parquet
from rosenblatt.tables.formats import Table
from rosenblatt.tables.npy import Npy

__all__ = ["cuts"]


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
