"""Fields and log-odds that filters predict for rows.

Filters without correlations read each row once. For the others rows are predicted side
by side, as columns of tiles, which these filters share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.label_law import log_odds as log_odds_of_field
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.matrices import LANES, SIDE_BY_SIDE
from rosenblatt.compiling.pointers import (
    address_of,
    function_at,
    kernel_address,
    pointer_to,
)
from rosenblatt.compiling.types import Matrix, ReadMatrix, ReadVector, Tensor, Vector
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import REACH, class_chances, tabulated

_TILE = SIDE_BY_SIDE  # rows side by side
_BLOCK = 2**15  # entries that are predicted at once
_END = REACH - 1e-9  # of the table of probabilities
_fields_at = function_at(types.FunctionType(types.void(*6 * (types.int64,))))


@kernel()
def _write_tiles(X: ReadMatrix, tiles: Tensor) -> None:
    """Write rows as columns, ``_TILE`` of them side by side; the last is repeated."""
    rows, n = X.shape
    x, t = pointer_to(X), pointer_to(tiles)
    for tile in range(min(len(tiles), -(-rows // _TILE))):
        for first in range(tile * _TILE, (tile + 1) * _TILE, LANES):
            for i in range(n):
                at = (tile * n + i) * _TILE - tile * _TILE
                for row in range(first, first + LANES):
                    t[at + row] = x[min(row, rows - 1) * n + i]


@kernel()
def _write_independent(
    X: ReadMatrix,
    center: ReadVector,
    inverse: ReadVector,
    clip: float,
    weight: ReadMatrix,
    spread: ReadMatrix,
    begin: int,
    mean: Matrix,
    variance: Matrix,
) -> None:
    """Write mean and variance of fields, of shape (models, rows), from row ``begin``.

    ``weight`` and ``spread`` are mean and variance of each weight.
    """
    rows, n = X.shape
    models, weights = weight.shape
    x, m, v = pointer_to(X), pointer_to(weight), pointer_to(spread)
    for row in range(0, rows, 2):  # two at once, which read all other vectors once
        other = min(row + 1, rows - 1)
        for k in range(models):
            h = a = g = b = 0.0
            own = k * weights
            for i in range(n):
                place, unit = center[i], inverse[i]
                z = (x[row * n + i] - place) * unit
                y = (x[other * n + i] - place) * unit
                z, y = clip if z > clip else z, clip if y > clip else y
                z, y = -clip if z < -clip else z, -clip if y < -clip else y
                h += m[own + i] * z
                g += m[own + i] * y
                a += v[own + i] * z * z
                b += v[own + i] * y * y
            for i in range(own + n, own + weights):  # the intercept
                h, g, a, b = h + m[i], g + m[i], a + v[i], b + v[i]
            mean[k, begin + row], variance[k, begin + row] = h, a
            mean[k, begin + other], variance[k, begin + other] = g, b


@kernel()
def _write_fields(
    tiles: Tensor,
    center: ReadVector,
    inverse: ReadVector,
    clip: float,
    weight: ReadMatrix,
    belief: ReadVector,
    routine: int,
    begin: int,
    room: Matrix,
    mean: Matrix,
    variance: Matrix,
) -> None:
    """Write mean and variance of fields, of shape (models, rows), from row ``begin``.

    ``routine`` is the address of the belief's routine that predicts a tile.
    ``room`` has ``_TILE`` columns, and a row for each weight and two more.
    """
    n, rows = tiles.shape[1], mean.shape[1]
    models, weights = weight.shape
    t, z = pointer_to(tiles), pointer_to(room)
    size, entries = weights * _TILE, belief.size // models
    rows_place = address_of(room)
    for at in range(n * _TILE, size):
        z[at] = 1.0  # for the intercept
    for tile in range(min(len(tiles), -(-(rows - begin) // _TILE))):
        for i in range(n):
            place, unit = center[i], inverse[i]
            for at in range(i * _TILE, (i + 1) * _TILE):
                entry = (t[tile * n * _TILE + at] - place) * unit
                entry = clip if entry > clip else entry
                z[at] = -clip if entry < -clip else entry
        first = begin + tile * _TILE
        some = min(_TILE, rows - first)
        for k in range(models):
            _fields_at(routine)(
                address_of(weight) + 8 * k * weights,
                address_of(belief) + 8 * k * entries,
                weights,
                entries,
                rows_place,
                rows_place + 8 * size,
            )
            for row in range(some):
                mean[k, first + row] = z[size + row]
                variance[k, first + row] = z[size + _TILE + row]


@kernel()
def _write_ratios(
    mean: Vector, variance: Vector, width: float, noise: float, odds: Vector
) -> None:
    """Write the odds of +1 for each row; 0 or infinite beyond the end of the table."""
    for row in range(mean.size):
        total = width + variance[row]
        u = mean[row] / math.sqrt(total) if total > 0.0 else 0.0
        near = abs(u) <= _END  # not of NaN, which has no place in the table
        small, _ = tabulated(-abs(u) if near else -_END, noise)
        large = 1.0 - small
        ratio = large / small if u > 0.0 else small / large
        far = math.inf if u > 0.0 else 0.0
        odds[row] = ratio if near else far


@kernel(allocates=True)
def _write_odds(
    mean: Matrix, variance: Matrix, width: float, noise: float, odds: Matrix
) -> None:
    """Write the log-odds of +1, or of each of several classes, for each row."""
    rows, models = mean.shape
    chances = np.empty((2, models))
    for row in range(rows):
        if models == 1:
            odds[row, 0] = log_odds_of_field(
                mean[row, 0], width + variance[row, 0], noise
            )
        else:
            class_chances(mean[row], variance[row], width, noise, chances)
            for k in range(models):
                odds[row, k] = math.log(max(chances[1, k], SMALLEST))


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
    some = max(_BLOCK // X.shape[1] // _TILE, 1) * _TILE
    tiles = aligned_table(-(-min(some, len(X)) // _TILE), X.shape[1], _TILE)
    room = aligned_table(filters[0].mean.shape[1] + 2, _TILE)
    for first in range(0, len(X), some):
        rows = X[first : first + some].astype(np.float64, copy=False)
        if any(filter.kind.fields for filter in filters):
            _write_tiles(rows, tiles)
        for filter, *found in zip(filters, mean, variance, strict=True):
            own = filter.center, filter.inverse_scale, filter.clip, filter.mean
            if filter.kind.fields is None:
                _write_independent(rows, *own, filter.variances, first, *found)
                continue
            routine = kernel_address(filter.kind.fields)
            belief = filter.belief.reshape(-1)
            _write_fields(tiles, *own, belief, routine, first, room, *found)
    return mean, variance


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
        _write_odds(*own, *law, odds)
        return
    found = odds[:, 0]
    _write_ratios(mean[0], variance[0], *law, found)
    with np.errstate(divide="ignore"):
        np.log(found, out=found)
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
