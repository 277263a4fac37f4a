"""Check of sparse matrices.

Kernels, and SciPy's conversions to CSR, take the arrays of a matrix as they are. With
indices of columns that do not exist they would read and write beyond their memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_INDICES = (np.dtype(np.int32), np.dtype(np.int64))


def check_sparse(X: Any) -> None:
    """Raise an error for a sparse matrix of any format whose arrays are damaged.

    Examples
    --------
    >>> from scipy import sparse
    >>> X = sparse.csr_array(np.eye(2))
    >>> X.indices[1] = 7
    >>> check_sparse(X)
    Traceback (most recent call last):
    ValueError: X must have column indices from 0 to 1, got 7
    """
    if not X.dtype.isnative:
        raise TypeError(f"X must have entries in native byte order, got {X.dtype}")
    if X.format == "lil":
        _check_lists(X)
        X = X.tocsr()
    if X.format in ("csr", "csc", "bsr"):
        _check_compressed(X)
    elif X.format == "coo" and X.ndim == 2:
        _check_plain("X.data", X.data)
        names = ("row", "column")
        for what, size, places in zip(names, X.shape, X.coords, strict=True):
            _check_places(what, places, size)


def _check_plain(name: str, array: Any) -> None:
    """Refuse masked arrays, also those without a masked entry, inside of a matrix."""
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError(f"{name} must not be a masked array; take {name}.filled(0)")


def _check_lists(X: Any) -> None:
    """Check that each row of lists has as many indices as entries."""
    for row, (places, entries) in enumerate(zip(X.rows, X.data, strict=True)):
        if len(places) != len(entries):
            raise ValueError(
                f"X must have one index for each entry, got {len(places)} and "
                f"{len(entries)} in row {row}"
            )


def _check_compressed(X: Any) -> None:
    """Check the three arrays of compressed rows or columns, or of rows of blocks."""
    data, indices, starts = X.data, X.indices, X.indptr
    lines, places, block = "row", "column", (1, 1)
    if X.format == "bsr":
        if data.ndim != 3 or 0 in data.shape[1:]:
            raise ValueError(f"X must have blocks of entries, got shape {data.shape}")
        block = data.shape[1:]
    size, width = X.shape[0] // block[0], X.shape[1] // block[1]
    if X.format == "csc":
        lines, places, size, width = places, lines, width, size
    if X.format == "bsr":
        lines, places = f"block {lines}", f"block {places}"
    for name, array in (("data", data), ("indices", indices), ("indptr", starts)):
        _check_plain(f"X.{name}", array)
        if not array.flags.c_contiguous:
            raise ValueError(f"X.{name} must be contiguous; take X.copy()")
    for name, array in (("indices", indices), ("indptr", starts)):
        if array.dtype not in _INDICES:
            raise TypeError(
                f"X.{name} must be of type int32 or int64, got {array.dtype}"
            )
    if data.ndim != (3 if X.format == "bsr" else 1) or data.shape[:1] != indices.shape:
        raise ValueError(
            "X must have one index for each entry, got arrays of shapes "
            f"{data.shape} and {indices.shape}"
        )
    if starts.shape != (size + 1,):
        raise ValueError(
            f"X.indptr must have {size + 1} entries for {size} {lines}s, "
            f"got shape {starts.shape}"
        )
    if starts[0] != 0 or starts[-1] > len(data) or (starts[1:] < starts[:-1]).any():
        raise ValueError(
            f"X.indptr must increase from 0 to at most {len(data)}, the number of "
            f"entries, got {starts[0]} to {starts[-1]}, or smaller values in between"
        )
    _check_places(places, indices[: starts[-1]], width)


def _check_places(what: str, places: npt.NDArray[Any], size: int) -> None:
    """Check that all indices are inside of the table."""
    if not places.size:
        return
    low, high = places.min(), places.max()
    if low < 0 or high >= size:
        raise ValueError(
            f"X must have {what} indices from 0 to {size - 1}, "
            f"got {low if low < 0 else high}"
        )
