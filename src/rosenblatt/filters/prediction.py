"""Fields and log-odds that a filter predicts for rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.natural_parameters import roots
from rosenblatt.filters.row import GIVEN, MATRIX, write_odds
from rosenblatt.filters.state import Filter

__all__ = ["fields", "log_odds", "table_of"]

_BLOCK = 4096  # rows that are predicted at once
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def table_of(filter: Filter, X: Any) -> Any:
    """Return rows as the kernels take them."""
    features = filter.frame.center.size
    if filter.frame.sparse:
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

    The label law's own width is not in this variance.
    """
    X = table_of(filter, X)
    rows, models = X.shape[0], len(filter.mean)
    mean, variance = np.empty((rows, models)), np.empty((rows, models))
    center, inverse_scale, *_ = filter.frame
    features = center.size
    if filter.frame.sparse:
        Z = X.astype(np.float64).multiply(inverse_scale).tocsr()
        Z.data = np.clip(Z.data, -filter.clip, filter.clip)
        mean = Z @ filter.mean[:, :features].T
        variance = Z.multiply(Z) @ filter.belief[:, :features].T
        mean += filter.mean[:, features:].sum(axis=1)
        variance += filter.belief[:, features:].sum(axis=1)
        return mean, variance
    for first in range(0, rows, _BLOCK):
        block = slice(first, first + _BLOCK)
        Z = np.ones((len(X[block]), filter.mean.shape[1]))
        with np.errstate(over="ignore"):
            Z[:, :features] = (X[block] - center) * inverse_scale
        np.clip(Z, -filter.clip, filter.clip, out=Z)
        mean[block] = Z @ filter.mean.T
        if filter.belief.ndim == 3:
            for k, root in enumerate(roots(filter.belief)):
                variance[block, k] = np.square(Z @ root.T).sum(axis=1)
        else:
            variance[block] = (Z * Z) @ filter.variances.T
    return mean, variance


@kernel(types.void, MATRIX, MATRIX, types.float64, GIVEN, MATRIX)
def _write_all(
    mean: FloatArray,
    variance: FloatArray,
    width: float,
    noise: FloatArray,
    odds: FloatArray,
) -> None:
    chances = np.empty((2, noise.size))
    for row in range(len(odds)):
        write_odds(mean[row], variance[row], width, noise, chances, odds[row])


def log_odds(filter: Filter, X: Any) -> FloatArray:
    """Return the logarithm of the odds of +1, or of several classes' probabilities."""
    mean, variance = fields(filter, X)
    odds = np.empty_like(mean)
    _write_all(mean, variance, filter.width, filter.noise, odds)
    return odds
