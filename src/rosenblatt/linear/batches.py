"""Rows of any table as numbers, some at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from rosenblatt.bits import Bits, unpack
from rosenblatt.core.types import FloatArray

__all__ = ["dense_blocks"]

_ENTRIES = 2**16  # of a table that are copied at a time


def dense_blocks(X: Any) -> Iterator[tuple[slice, FloatArray]]:
    """Yield rows as double precision, without copying the whole table.

    Packed bits become -1 and +1, and sparse rows get their zeros.

    Examples
    --------
    >>> list(dense_blocks(np.array([[1, 0]], np.float32)))
    [(slice(0, 1, None), array([[1., 0.]]))]
    """
    rows, columns = X.shape
    sparse = issparse(X)
    size = max(1, _ENTRIES // columns)
    for first in range(0, rows, size):
        part = slice(first, min(first + size, rows))
        if isinstance(X, Bits):
            yield part, unpack(X[part], np.float64)
        elif sparse:
            yield part, X[part].toarray().astype(np.float64, copy=False)
        else:
            yield part, np.ascontiguousarray(X[part], dtype=np.float64)
