"""Checks of rows and weights that scikit-learn does not make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_sample_weight, validate_data

from rosenblatt.bits import Bits
from rosenblatt.core.sparse import check_sparse
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "bits_to_predict",
    "check_rows",
    "check_unmasked",
    "checked_weights",
    "rows_to_predict",
    "whole_weights",
]


def check_unmasked(name: str, values: Any) -> None:
    """Raise an error if entries of a masked array are masked.

    Examples
    --------
    >>> check_unmasked("X", np.ma.masked_array([1.0, 2.0], [False, True]))
    Traceback (most recent call last):
    ValueError: X must not have masked entries, got 1; fill them, X.filled(0)
    """
    if isinstance(values, np.ma.MaskedArray):
        masked = int(np.ma.getmaskarray(values).sum())
        if masked:
            raise ValueError(
                f"{name} must not have masked entries, got {masked}; fill them, "
                f"{name}.filled(0)"
            )


def check_rows(X: Any) -> None:
    """Raise an error for dates, text, masked entries and a damaged sparse structure.

    Examples
    --------
    >>> X = sparse.csr_array(np.eye(2))
    >>> X.indices[1] = 7
    >>> check_rows(X)
    Traceback (most recent call last):
    ValueError: X must have column indices from 0 to 1, got 7
    """
    if isinstance(X, Mapping) and not sparse.issparse(X):
        raise TypeError(f"X must be rows of numbers, got {type(X).__name__}")
    _check_dates(X)
    _check_text(X)
    check_unmasked("X", X)
    if sparse.issparse(X):
        check_sparse(X)


def _check_dates(X: Any) -> None:
    """Refuse dates and durations, of which scikit-learn's checks make any number."""
    kinds = [X.dtype] if hasattr(X, "dtype") else getattr(X, "dtypes", ())
    for j, kind in enumerate(kinds):  # of NumPy and pandas, or of polars
        temporal = getattr(kind, "is_temporal", None)
        if temporal() if temporal else getattr(kind, "kind", "") in ("m", "M"):
            raise TypeError(
                f"X must be numbers, got dates or durations{_in_column(X, j)}: {kind}; "
                "subtract a date and divide by a unit of time"
            )


def _check_text(X: Any) -> None:
    """Refuse text in a table of pandas or polars; name the column and what to do.

    Text that spells a number is a number, as in scikit-learn.
    """
    eager = hasattr(X, "iloc") or hasattr(X, "to_series")
    if not (eager and hasattr(X, "columns") and hasattr(X, "dtypes")):
        return
    for j, kind in enumerate(X.dtypes):
        if getattr(kind, "is_numeric", lambda: False)() or _has_numbers(kind):
            continue
        column = X.iloc[:, j] if hasattr(X, "iloc") else X.to_series(j)
        for entry in column:  # not of all categories: some may not occur
            if isinstance(entry, str) and not _is_number(entry):
                raise ValueError(
                    f"X must be numbers, got text{_in_column(X, j)}: {entry[:40]!r}; "
                    "encode it with scikit-learn's OneHotEncoder, or learn from a file "
                    "with rosenblatt train, which encodes text and dates"
                )


def _in_column(X: Any, j: int) -> str:
    """Return where a type is, in words, if the columns have names."""
    return f" in column {X.columns[j]!r}" if hasattr(X, "columns") else ""


def _has_numbers(kind: Any) -> bool:
    """Return whether a type of NumPy or pandas has numbers, or is polars' Boolean."""
    return getattr(kind, "kind", "O") in "biufc" or str(kind) == "Boolean"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def rows_to_predict(model: Any, X: Any, **how: Any) -> Any:
    """Check rows for a fitted model, with scikit-learn's checks and ours.

    Parameters
    ----------
    model
        The model, which knows the number and the names of columns.
    X
        The rows.
    **how
        Further arguments of scikit-learn's ``validate_data``.
    """
    check_rows(X)
    with np.errstate(invalid="ignore"):  # the sum of inf and -inf, of which it tells
        return validate_data(model, X, reset=False, accept_sparse="csr", **how)


def bits_to_predict(model: Any, bits: Bits) -> Bits:
    """Check the columns of packed bits for a fitted model.

    scikit-learn's check takes a tenth of a millisecond.
    """
    if bits.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {bits.shape[1]} features, but {type(model).__name__} is "
            f"expecting {model.n_features_in_} features as input"
        )
    return bits


def checked_weights(sample_weight: Any, table: Any, **how: Any) -> FloatArray:
    """Return a weight for each row, in double precision.

    Examples
    --------
    >>> checked_weights([1, 2], np.zeros((2, 1)))
    array([1., 2.])
    """
    check_unmasked("sample_weight", sample_weight)
    found: FloatArray = _check_sample_weight(
        sample_weight, table, dtype=np.float64, **how
    )
    return found


def whole_weights(sample_weight: Any, table: Any, most: int = 2**53) -> IntArray:
    """Return the number of presentations of each row, as integers.

    Parameters
    ----------
    sample_weight
        A whole number for each row, or one for all.
    table
        The rows.
    most
        The largest sum. Counts of examples are exact up to 2**53.

    Examples
    --------
    >>> whole_weights([1.0, 2.0], np.zeros((2, 1)))
    array([1, 2])
    """
    w = checked_weights(sample_weight, table)
    for row in np.flatnonzero(~((w >= 0) & (w <= most) & (np.floor(w) == w))):
        raise ValueError(
            f"sample_weight must be whole numbers from 0 to {most}, since k stands "
            f"for k presentations of an example, got {w[row]} in row {row}"
        )
    if w.sum() > most:
        raise ValueError(
            f"sample_weight must have a sum of at most {most}, since k stands for k "
            f"presentations of an example, got {w.sum():g}"
        )
    return w.astype(np.int64)
