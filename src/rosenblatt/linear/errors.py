"""Faults of rows, and errors that name the row."""

from __future__ import annotations

from typing import Any

import numpy as np


def check(X: Any) -> None:
    """Raise an error that names the first entry that is not finite, if there is one."""
    if isinstance(X, np.ndarray):
        bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
    else:
        entries = np.flatnonzero(~np.isfinite(X.data))
        bad = np.searchsorted(X.indptr, entries, side="right") - 1
    for row in bad[:1].tolist():
        raise explained(X, row)


def explained(X: Any, row: int) -> ValueError:
    """Return the error that names what is not finite."""
    entries = X[row] if isinstance(X, np.ndarray) else X[[row]].toarray()[0]
    for column in np.flatnonzero(~np.isfinite(entries)):
        return ValueError(
            "X must not contain NaN or inf, "
            f"got {entries[column]} in row {row}, column {column}"
        )
    largest = int(np.abs(entries).argmax())
    return ValueError(
        "X must be small enough that squares do not overflow, "
        f"got {entries[largest]} in row {row}, column {largest}; standardise columns"
    )
