"""Fields and log-odds that filters predict for rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import one_thread
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.kernels.labels import log_odds as two_class_log_odds
from rosenblatt.filters.standardisation import SMALLEST
from rosenblatt.filters.state import Filter
from rosenblatt.numerics.class_evidence import class_chances

__all__ = ["fields", "log_odds", "log_odds_of_all", "table_of"]

_BLOCK = 2**15  # entries that are predicted at once
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def table_of(filter: Filter, X: Any) -> Any:
    """Return rows as the kernels take them."""
    features = filter.center.size
    if filter.sparse:
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    elif not (
        isinstance(X, np.ndarray) and X.dtype in _FLOATS and X.flags.c_contiguous
    ):
        X = np.ascontiguousarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != features:
        raise ValueError(f"X must have {features} columns, got shape {X.shape}")
    return X


def fields(filter: Filter, X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the field, for each row and model.

    The label law's own variance is not in this one.
    """
    X = table_of(filter, X)
    if filter.sparse:
        return _sparse_fields(filter, X)
    shape = X.shape[0], len(filter.mean)
    mean, variance = np.empty(shape), np.empty(shape)
    with one_thread(X.shape[0] > 1):
        for block in _blocks(X):
            Z = _standardised(filter, X[block])
            mean[block], variance[block] = _dense_fields(filter, Z)
    return mean, variance


def _blocks(X: Any) -> Iterator[slice]:
    """Yield parts of the rows, so small that products stay in the second cache."""
    rows, some = X.shape[0], max(_BLOCK // X.shape[1], 1)
    for first in range(0, rows, some):
        yield slice(first, min(first + some, rows))


def _dense_fields(filter: Filter, Z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the field for standardised rows."""
    mean = Z @ filter.mean.T
    if filter.belief.ndim == 3:
        variance = np.empty_like(mean)
        for k, covariance in enumerate(filter.belief):
            np.einsum("ij,ij->i", Z @ covariance, Z, out=variance[:, k])
        return mean, variance
    if filter.belief.ndim == 2:
        return mean, (Z * Z) @ filter.belief.T
    return mean, np.multiply.outer(np.einsum("ij,ij->i", Z, Z), filter.belief)


def _standardised(filter: Filter, X: FloatArray) -> FloatArray:
    """Return rows in standardised units, with a last column of 1 for the intercept."""
    features = filter.center.size
    Z = np.empty((len(X), filter.mean.shape[1]))
    Z[:, features:] = 1.0
    own = Z[:, :features]
    with np.errstate(over="ignore"):
        np.subtract(X, filter.center, out=own)
        np.multiply(own, filter.inverse_scale, out=own)
    np.clip(own, -filter.clip, filter.clip, out=own)
    return Z


def _sparse_fields(filter: Filter, X: Any) -> tuple[FloatArray, FloatArray]:
    features = filter.center.size
    Z = X.astype(np.float64).multiply(filter.inverse_scale).tocsr()
    Z.data = np.clip(Z.data, -filter.clip, filter.clip)
    mean = Z @ filter.mean[:, :features].T
    variance = Z.multiply(Z) @ filter.belief[:, :features].T
    mean += filter.mean[:, features:].sum(axis=1)
    variance += filter.belief[:, features:].sum(axis=1)
    return mean, variance


_matrix = types.float64[:, ::1]


@kernel(types.void, _matrix, _matrix, types.float64, types.float64, _matrix)
def _write_odds(
    mean: FloatArray, variance: FloatArray, width: float, noise: float, odds: FloatArray
) -> None:
    """Write the log-odds of +1, or of each of several classes, for each row."""
    rows, models = mean.shape
    chances = np.empty((2, models))
    for row in range(rows):
        if models == 1:
            odds[row, 0] = two_class_log_odds(
                mean[row, 0], width + variance[row, 0], noise
            )
        else:
            class_chances(mean[row], variance[row], width, noise, chances)
            for k in range(models):
                odds[row, k] = math.log(max(chances[1, k], SMALLEST))


def log_odds(filter: Filter, X: Any) -> FloatArray:
    """Return the logarithm of the odds of +1, or of several classes' probabilities."""
    return np.asarray(log_odds_of_all([filter], X)[0])


def log_odds_of_all(filters: Sequence[Filter], X: Any) -> FloatArray:
    """Return the log-odds of several filters, of shape (filters, rows, models).

    Rows are standardised once for all filters that do it alike.
    """
    X = table_of(filters[0], X)
    odds = np.empty((len(filters), X.shape[0], len(filters[0].mean)))
    alike = [_first_alike(filters, e) for e in range(len(filters))]
    with one_thread(X.shape[0] > 1):
        for block in _blocks(X):
            rows = X[block]
            known: dict[int, FloatArray] = {}
            for e, filter in enumerate(filters):
                if filter.sparse:
                    found = _sparse_fields(filter, rows)
                else:
                    if alike[e] not in known:
                        known[alike[e]] = _standardised(filter, rows)
                    found = _dense_fields(filter, known[alike[e]])
                own = filter.label_variance, filter.noise[0], odds[e, block]
                _write_odds(*found, *own)
    return odds


def _first_alike(filters: Sequence[Filter], e: int) -> int:
    """Return the first filter that standardises rows as filter ``e`` does."""
    for first, other in enumerate(filters[:e]):
        if (
            other.clip == filters[e].clip
            and other.mean.shape == filters[e].mean.shape
            and np.array_equal(other.center, filters[e].center)
            and np.array_equal(other.inverse_scale, filters[e].inverse_scale)
        ):
            return first
    return e
