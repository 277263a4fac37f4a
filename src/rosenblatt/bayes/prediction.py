"""Fields and log-odds that filters predict for rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.predicting import (
    TILE,
    write_full,
    write_independent,
    write_odds,
    write_ratios,
    write_tiles,
)
from rosenblatt.bayes.state import Filter
from rosenblatt.core.types import FloatArray

__all__ = ["fields", "log_odds", "log_odds_of_all"]

_BLOCK = 2**15  # entries that are predicted at once


def fields(filter: Filter, X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the field, for each row and model.

    The label law's own variance is not in this one.
    """
    mean, variance = _fields_of_all([filter], filter.table(X))
    return mean[0].T, variance[0].T


def _fields_of_all(filters: Sequence[Filter], X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of fields, of shape (filters, models, rows)."""
    shape = len(filters), len(filters[0].mean), X.shape[0]
    mean, variance = np.empty(shape), np.empty(shape)
    if filters[0].sparse:
        for e, filter in enumerate(filters):
            mean[e], variance[e] = (part.T for part in _sparse_fields(filter, X))
        return mean, variance
    some = max(_BLOCK // X.shape[1] // TILE, 1) * TILE
    room, tiles = _room(filters, min(some, len(X)))
    for first in range(0, len(X), some):
        rows = X[first : first + some].astype(np.float64, copy=False)
        write_tiles(rows, tiles)
        for filter, *found in zip(filters, mean, variance, strict=True):
            own = filter.center, filter.inverse_scale, filter.clip, filter.mean
            if filter.covariance == "full":
                write_full(tiles, *own, filter.belief, first, room, *found)
            else:
                write_independent(rows, *own, filter.variances, first, *found)
    return mean, variance


def _room(filters: Sequence[Filter], rows: int) -> tuple[FloatArray, FloatArray]:
    """Return room for standardised rows, and for rows in tiles, if a filter is full."""
    weights = max(filter.mean.shape[1] for filter in filters)
    features = filters[0].center.size
    full = any(filter.covariance == "full" for filter in filters)
    tiles = -(-rows // TILE) if full else 0
    return np.empty((weights + 2, TILE)), np.empty((tiles, features, TILE))


def _sparse_fields(filter: Filter, X: Any) -> tuple[FloatArray, FloatArray]:
    features = filter.center.size
    Z = X.astype(np.float64).multiply(filter.inverse_scale).tocsr()
    Z.data = np.clip(Z.data, -filter.clip, filter.clip)
    mean = Z @ filter.mean[:, :features].T
    variance = Z.multiply(Z) @ filter.belief[:, :features].T
    mean += filter.mean[:, features:].sum(axis=1)
    variance += filter.belief[:, features:].sum(axis=1)
    return mean, variance


def _odds_from(
    filter: Filter, mean: FloatArray, variance: FloatArray, odds: FloatArray
) -> None:
    """Write log-odds, of shape (rows, models), from fields of shape (models, rows)."""
    law = filter.label_variance, filter.noise[0]
    if len(mean) > 1:
        own = (np.ascontiguousarray(part.T) for part in (mean, variance))
        write_odds(*own, *law, odds)
        return
    found = odds[:, 0]
    write_ratios(mean[0], variance[0], *law, found)
    with np.errstate(divide="ignore"):
        np.log(found, out=found)
    far = np.flatnonzero(~np.isfinite(found))
    if far.size:
        exact = np.empty((far.size, 1))
        own = (np.ascontiguousarray(part.T[far]) for part in (mean, variance))
        write_odds(*own, *law, exact)
        odds[far] = exact


def log_odds(filter: Filter, X: Any) -> FloatArray:
    """Return the logarithm of the odds of +1, or of several classes' probabilities."""
    return np.asarray(log_odds_of_all([filter], X)[0])


def log_odds_of_all(filters: Sequence[Filter], X: Any) -> FloatArray:
    """Return the log-odds of several filters, of shape (filters, rows, models)."""
    mean, variance = _fields_of_all(filters, filters[0].table(X))
    odds = np.empty((len(filters), mean.shape[2], mean.shape[1]))
    for e, filter in enumerate(filters):
        _odds_from(filter, mean[e], variance[e], odds[e])
    return odds
