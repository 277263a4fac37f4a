"""Fields and log-odds that filters predict for rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import one_thread
from rosenblatt.compiling.pointers import pointer_to
from rosenblatt.compiling.vector.quadratic import SIDE_BY_SIDE, quadratic_forms
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.kernels.labels import log_odds as two_class_log_odds
from rosenblatt.filters.standardisation import SMALLEST
from rosenblatt.filters.state import Filter
from rosenblatt.numerics import evidence_table
from rosenblatt.numerics.class_evidence import class_chances

__all__ = ["fields", "log_odds", "log_odds_of_all"]

_BLOCK = 2**15  # entries that are predicted at once
_TILE = 8  # rows that are standardised at once, in a register
_END = evidence_table.REACH - 1e-9  # of the table of probabilities


def fields(filter: Filter, X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the field, for each row and model.

    The label law's own variance is not in this one.
    """
    mean, variance = _fields_of_all([filter], filter.table(X))
    return mean[0].T, variance[0].T


def _fields_of_all(filters: Sequence[Filter], X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of fields, of shape (filters, models, rows).

    Rows are standardised once for all filters that do it alike, and multiplied with the
    weights of all of them at once.
    """
    shape = len(filters), len(filters[0].mean), X.shape[0]
    mean, variance = np.empty(shape), np.empty(shape)
    if filters[0].sparse:
        for e, filter in enumerate(filters):
            mean[e], variance[e] = (part.T for part in _sparse_fields(filter, X))
        return mean, variance
    groups = [(_Together([filters[e] for e in own]), own) for own in _alike(filters)]
    with one_thread(X.shape[0] > 1):
        for block in _blocks(X):
            for together, own in groups:
                found = together.fields(X[block])
                mean[own, :, block], variance[own, :, block] = found
    return mean, variance


def _blocks(X: Any) -> Iterator[slice]:
    """Yield parts of the rows, so small that products stay in the second cache."""
    rows = X.shape[0]
    some = max(_BLOCK // X.shape[1] // SIDE_BY_SIDE, 1) * SIDE_BY_SIDE
    for first in range(0, rows, some):
        yield slice(first, min(first + some, rows))


class _Together:
    """Filters that standardise rows alike, so that one product serves all of them."""

    def __init__(self, filters: Sequence[Filter]) -> None:
        self.filters = filters
        self._means = np.concatenate([filter.mean for filter in filters])
        diagonal = [filter.belief for filter in filters if filter.belief.ndim == 2]
        self._variances = np.concatenate(diagonal) if diagonal else None

    def fields(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of fields, of shape (filters, models, rows)."""
        rows, first = len(X), self.filters[0]
        Z = _standardised(first, X)
        shape = len(self.filters), len(first.mean), Z.shape[1]
        mean, variance = (self._means @ Z).reshape(shape), np.empty(shape)
        for filter, result in zip(self.filters, variance, strict=True):
            if filter.belief.ndim == 3:
                for covariance, forms in zip(filter.belief, result, strict=True):
                    _write_forms(covariance, Z, forms)
            elif filter.belief.ndim == 1:
                lengths = np.einsum("ij,ij->j", Z, Z)
                np.multiply.outer(filter.belief, lengths, out=result)
        if self._variances is not None:
            own = [filter.belief.ndim == 2 for filter in self.filters]
            found = self._variances @ np.multiply(Z, Z, out=Z)
            variance[own] = found.reshape(-1, *shape[1:])
        return mean[..., :rows], variance[..., :rows]


def _standardised(filter: Filter, X: FloatArray) -> FloatArray:
    """Return rows as columns in standardised units, as many as kernels take at once.

    A last row of 1 is for the intercept.
    """
    wide = -(-len(X) // SIDE_BY_SIDE) * SIDE_BY_SIDE
    Z = np.empty((filter.mean.shape[1], wide))
    own = filter.center, filter.inverse_scale, filter.clip
    _standardise(X.astype(np.float64, copy=False), *own, Z)
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
_vector = types.float64[::1]
_given = types.Array(types.float64, 1, "C", readonly=True)
_table = types.Array(types.float64, 2, "C", readonly=True)


@kernel(types.void, _table, _given, _given, types.float64, _matrix)
def _standardise(
    X: FloatArray, center: FloatArray, inverse: FloatArray, clip: float, Z: FloatArray
) -> None:
    """Write rows in standardised units as columns, above ones.

    The last row is repeated. An inner loop of so many turns is one of vectors.
    """
    rows, features = X.shape
    weights, wide = Z.shape
    x, z = pointer_to(X), pointer_to(Z)
    for first in range(0, wide, _TILE):
        for i in range(features):
            place, unit = center[i], inverse[i]
            for row in range(first, first + _TILE):
                entry = (x[min(row, rows - 1) * features + i] - place) * unit
                entry = clip if entry > clip else entry
                z[i * wide + row] = -clip if entry < -clip else entry
    for i in range(features * wide, weights * wide):
        z[i] = 1.0


@kernel(types.void, _table, _matrix, _vector)
def _write_forms(matrix: FloatArray, Z: FloatArray, forms: FloatArray) -> None:
    """Write the quadratic form of each column."""
    quadratic_forms(matrix, Z, forms, len(Z), Z.shape[1])


@kernel(types.void, _vector, _vector, types.float64, types.float64, _vector)
def _write_ratios(
    mean: FloatArray, variance: FloatArray, width: float, noise: float, odds: FloatArray
) -> None:
    """Write the odds of +1 for each row; 0 or infinite beyond the end of the table."""
    for row in range(mean.size):
        total = width + variance[row]
        u = mean[row] / math.sqrt(total) if total > 0.0 else 0.0
        near = abs(u) <= _END  # not of NaN, which has no place in the table
        small, _ = evidence_table.tabulated(-abs(u) if near else -_END, noise)
        large = 1.0 - small
        odds[row] = large / small if u > 0.0 else small / large
        if not near:
            odds[row] = math.inf if u > 0.0 else 0.0


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


def _odds_from(
    filter: Filter, mean: FloatArray, variance: FloatArray, odds: FloatArray
) -> None:
    """Write log-odds, of shape (rows, models), from fields of shape (models, rows)."""
    law = filter.label_variance, filter.noise[0]
    if len(mean) > 1:
        own = (np.ascontiguousarray(part.T) for part in (mean, variance))
        _write_odds(*own, *law, odds)
        return
    found = np.empty(mean.shape[1])
    _write_ratios(mean[0], variance[0], *law, found)
    with np.errstate(divide="ignore"):
        np.log(found, out=found)
    odds[:, 0] = found
    far = np.flatnonzero(~np.isfinite(found))
    if far.size:
        exact = np.empty((far.size, 1))
        own = (np.ascontiguousarray(part.T[far]) for part in (mean, variance))
        _write_odds(*own, *law, exact)
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


def _alike(filters: Sequence[Filter]) -> list[list[int]]:
    """Return the numbers of filters, together if they standardise rows alike."""
    groups: list[list[int]] = []
    for e, filter in enumerate(filters):
        for group in groups:
            other = filters[group[0]]
            if (
                other.clip == filter.clip
                and other.mean.shape == filter.mean.shape
                and np.array_equal(other.center, filter.center)
                and np.array_equal(other.inverse_scale, filter.inverse_scale)
            ):
                group.append(e)
                break
        else:
            groups.append([e])
    return groups
