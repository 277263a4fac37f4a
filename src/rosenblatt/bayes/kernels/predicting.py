"""Fields and odds of rows that are predicted: the compiled loops.

Beliefs without correlations are swept along the columns, so that rows are read where
they are. A full covariance is multiplied with many rows side by side, as columns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.labels import log_odds
from rosenblatt.bayes.kernels.mixing import FARTHEST, LAYERS
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.pointers import address_of, pointer_at, pointer_to
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.compiling.vector.quadratic import (
    SIDE_BY_SIDE,
    linear_forms,
    quadratic_forms,
)
from rosenblatt.compiling.vector.registers import clip_or_nan
from rosenblatt.compiling.vector.symmetric import LANES
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import REACH, class_chances, tabulated

__all__ = [
    "TILE",
    "mix_layers",
    "write_exponents",
    "write_full",
    "write_independent",
    "write_odds",
    "write_ratios",
    "write_tiles",
]

_ROWS = 4  # that are swept at once
TILE = SIDE_BY_SIDE  # rows that are multiplied with a covariance at once
_MOST = 700.0  # exp is still finite
_END = REACH - 1e-9  # of the table of probabilities
_matrix = types.float64[:, ::1]
_vector = types.float64[::1]
_given = types.Array(types.float64, 1, "C", readonly=True)
_table = types.Array(types.float64, 2, "C", readonly=True)
_tables = types.Array(types.float64, 3, "C", readonly=True)


def _moments(
    a: Any, b: Any, c: Any, d: Any, center: Any, scale: Any, m: Any, v: Any,
    clip: Any, none: Any
) -> Any:  # fmt: skip
    """Find mean and variance of the fields of four rows."""
    terms = []
    for x in (a, b, c, d):
        z = clip_or_nan((x - center) * scale, none - clip, clip)
        terms += [m * z, v * z * z]
    return (), tuple(terms)


_sweep_rows = sweep(_moments, reads=_ROWS + 4, writes=0, sums=2 * _ROWS)


@kernel(
    types.void, _table, _given, _given, types.float64, _table, _table, types.int64,
    _matrix, _matrix
)  # fmt: skip
def write_independent(
    X: FloatArray,
    center: FloatArray,
    inverse: FloatArray,
    clip: float,
    weight: FloatArray,
    spread: FloatArray,
    begin: int,
    mean: FloatArray,
    variance: FloatArray,
) -> None:
    """Write mean and variance of fields, of shape (models, rows), from row ``begin``.

    ``weight`` and ``spread`` are mean and variance of each weight.
    """
    rows, n = X.shape
    models, weights = weight.shape
    x, m, v = pointer_to(X), pointer_to(weight), pointer_to(spread)
    middle, scale = pointer_to(center), pointer_to(inverse)
    for first in range(0, rows, _ROWS):
        last = min(first + _ROWS, rows) - 1  # is swept several times at the end
        second, third = min(first + 1, last), min(first + 2, last)
        for k in range(models):
            at = k * weights
            sums = _sweep_rows(
                n, x, first * n, x, second * n, x, third * n, x, last * n,
                middle, 0, scale, 0, m, at, v, at, clip, 0.0
            )  # fmt: skip
            h = a = 0.0
            for i in range(at + n, at + weights):  # the intercept, if there is one
                h, a = m[i], v[i]
            for row in range(first, last + 1):
                mean[k, begin + row] = h + sums[2 * (row - first)]
                variance[k, begin + row] = a + sums[2 * (row - first) + 1]


@kernel(types.void, _table, types.float64[:, :, ::1])
def write_tiles(X: FloatArray, tiles: FloatArray) -> None:
    """Write rows as columns, ``TILE`` of them side by side; the last is repeated."""
    rows, n = X.shape
    x, t = pointer_to(X), pointer_to(tiles)
    for tile in range(min(len(tiles), -(-rows // TILE))):
        for first in range(tile * TILE, (tile + 1) * TILE, LANES):
            for i in range(n):
                at = (tile * n + i) * TILE - tile * TILE
                for row in range(first, first + LANES):
                    t[at + row] = x[min(row, rows - 1) * n + i]


@kernel(
    types.void, _tables, _given, _given, types.float64, _table, _tables, types.int64,
    _matrix, _matrix, _matrix
)  # fmt: skip
def write_full(
    tiles: FloatArray,
    center: FloatArray,
    inverse: FloatArray,
    clip: float,
    weight: FloatArray,
    covariance: FloatArray,
    begin: int,
    room: FloatArray,
    mean: FloatArray,
    variance: FloatArray,
) -> None:
    """Write mean and variance of fields, of shape (models, rows), from row ``begin``.

    ``room`` has ``TILE`` columns, and a row for each weight and two more.
    """
    n, rows = tiles.shape[1], mean.shape[1]
    models, weights = weight.shape
    t, z = pointer_to(tiles), pointer_to(room)
    size = weights * TILE
    fields = pointer_at(address_of(room) + 8 * size, TILE)
    forms = pointer_at(address_of(room) + 8 * (size + TILE), TILE)
    for at in range(n * TILE, size):
        z[at] = 1.0  # for the intercept
    for tile in range(min(len(tiles), -(-(rows - begin) // TILE))):
        for i in range(n):
            place, unit = center[i], inverse[i]
            for at in range(i * TILE, (i + 1) * TILE):
                entry = (t[tile * n * TILE + at] - place) * unit
                entry = clip if entry > clip else entry
                z[at] = -clip if entry < -clip else entry
        first = begin + tile * TILE
        some = min(TILE, rows - first)
        for k in range(models):
            own = address_of(weight) + 8 * k * weights
            linear_forms(pointer_at(own, weights), z, fields, weights, TILE)
            own = address_of(covariance) + 8 * k * weights * weights
            quadratic_forms(pointer_at(own, weights * weights), z, forms, weights, TILE)
            for row in range(some):
                mean[k, first + row] = fields[row]
                variance[k, first + row] = forms[row]


@kernel(types.void, _vector, _vector, types.float64, types.float64, _vector)
def write_ratios(
    mean: FloatArray, variance: FloatArray, width: float, noise: float, odds: FloatArray
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


@kernel(
    types.void, _matrix, _matrix, types.float64, types.float64, _matrix, allocates=True
)
def write_odds(
    mean: FloatArray, variance: FloatArray, width: float, noise: float, odds: FloatArray
) -> None:
    """Write the log-odds of +1, or of each of several classes, for each row."""
    rows, models = mean.shape
    chances = np.empty((2, models))
    for row in range(rows):
        if models == 1:
            odds[row, 0] = log_odds(mean[row, 0], width + variance[row, 0], noise)
        else:
            class_chances(mean[row], variance[row], width, noise, chances)
            for k in range(models):
                odds[row, k] = math.log(max(chances[1, k], SMALLEST))


@kernel(types.void, _table, _given, _given, types.int64, _matrix)
def write_exponents(
    odds: FloatArray,
    slopes: FloatArray,
    offsets: FloatArray,
    first: int,
    exponents: FloatArray,
) -> None:
    """Write the log-odds of the first class by each layer, from row ``first``.

    ``odds`` are those of the second class, of shape (filters, rows).
    """
    layers, some = exponents.shape
    o, result = pointer_to(odds), pointer_to(exponents)
    for layer in range(layers):
        slope, offset = slopes[layer], offsets[layer]
        at = layer // LAYERS * odds.shape[1] + first
        for row in range(some):
            x = min(max(o[at + row], -FARTHEST), FARTHEST)
            x = -slope * x - offset
            result[layer * some + row] = min(max(x, -_MOST), _MOST)


@kernel(types.void, _matrix, _given, types.int64, _matrix, _matrix)
def mix_layers(
    odds: FloatArray,
    weights: FloatArray,
    first: int,
    room: FloatArray,
    probabilities: FloatArray,
) -> None:
    """Write the mixed probabilities of two classes, from row ``first``.

    ``odds`` are those of the first class, of shape (layers, rows); ``room`` is for both
    probabilities of as many rows.
    """
    layers, some = odds.shape
    o, sums = pointer_to(odds), pointer_to(room)
    for i in range(2 * some):
        sums[i] = 0.0
    for layer in range(layers):
        weight = weights[layer]
        for row in range(some):
            other = o[layer * some + row]
            chance = weight / (1.0 + other)
            sums[row] += other * chance
            sums[some + row] += chance
    for row in range(some):
        probabilities[first + row, 0] = sums[row]
        probabilities[first + row, 1] = sums[some + row]
