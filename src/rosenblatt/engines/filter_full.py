r"""The Gaussian filter with a full covariance.

.. math::
    m \leftarrow m + V z\, g, \qquad V \leftarrow V - c\, V z z^T V,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.core.evidence`. What is kept is a
square root, :math:`V = S S^T`, so that V cannot lose its positive definiteness to
rounding. With :math:`f = S^T z` and :math:`a = f \cdot f` eq. (1) is

.. math::
    S \leftarrow S - \gamma\, (S f) f^T, \qquad
    \gamma = \frac{c}{1 + \sqrt{1 - c a}}.   \tag{2}

One pass over the matrix does eq. (2) and finds f for the next row, four rows of the
matrix at a time, since f is then read once for four. Everything is computed in double
precision.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from rosenblatt.core import inlined, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.core.sweeps import sweep
from rosenblatt.engines.filter_row import (
    CODES,
    GIVEN,
    HUGE,
    MATRIX,
    TALLIES,
    framed,
    log_odds,
    news,
    observe,
    rows_of,
    settle,
)

__all__ = ["advance_double", "advance_single"]

_f = types.float64
_SHARED = (
    CODES,
    CODES,
    GIVEN,
    GIVEN,
    _f,
    _f,
    GIVEN,
    MATRIX,
    _f[:, :, ::1],
    MATRIX,
    MATRIX,
    MATRIX,
)


def _arrive(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Find a row in the frame."""
    return (framed(x, center, scale, clip, none),), (x * none,)


def _multiply(f: Any, s: Any, none: Any) -> Any:
    """Find an entry of S f."""
    return (), (f * s,)


def _multiply_4(f: Any, s: Any, t: Any, u: Any, v: Any, none: Any) -> Any:
    """Find four entries of S f."""
    return (), (f * s, f * t, f * u, f * v)


def _shrink(f: Any, after: Any, s: Any, p: Any, z: Any) -> Any:
    """Do eq. (2) for a row of the matrix, and add it to the next f."""
    s = s - f * p
    return (after + s * z, s), ()


def _shrink_4(
    f: Any, after: Any, s: Any, t: Any, u: Any, v: Any,
    p: Any, q: Any, r: Any, o: Any, z: Any, y: Any, x: Any, w: Any
) -> Any:  # fmt: skip
    """Do eq. (2) for four rows of the matrix, and add them to the next f."""
    s, t, u, v = s - f * p, t - f * q, u - f * r, v - f * o
    return (after + s * z + t * y + (u * x + v * w), s, t, u, v), ()


_arriving = sweep(_arrive, reads=3, writes=1, sums=1, streamed=True)
_multiplying = sweep(_multiply, reads=2, writes=0, sums=1)
_multiplying_4 = sweep(_multiply_4, reads=5, writes=0, sums=4)
_shrinking = sweep(_shrink, reads=3, writes=2, sums=0)
_shrinking_4 = sweep(_shrink_4, reads=6, writes=5, sums=0)


@inlined
def _learn(
    root: FloatArray,
    m: FloatArray,
    first: int,
    size: int,
    products: FloatArray,
    f: int,
    after: int,
    slope: float,
    gamma: float,
    z: FloatArray,
) -> tuple[float, float]:
    """Do eqs. (1) and (2), then find f of the row z; return its m.z and f.f.

    The mean begins at ``first``, the matrix at ``first * size``; the f that is there
    begins at ``f``, and the one to be found at ``after``.
    """
    for j in range(after, after + size):
        products[j] = 0.0
    h = 0.0
    fours = size - size % 4
    for i in range(0, fours, 4):
        b = first + i
        s = b * size
        t, u, v = s + size, s + 2 * size, s + 3 * size
        p, q, r, o = _multiplying_4(
            size, products, f, root, s, root, t, root, u, root, v, 0.0
        )
        m[b] += slope * p
        m[b + 1] += slope * q
        m[b + 2] += slope * r
        m[b + 3] += slope * o
        h += m[b] * z[i] + m[b + 1] * z[i + 1]
        h += m[b + 2] * z[i + 2] + m[b + 3] * z[i + 3]
        _shrinking_4(
            size, products, f, products, after, root, s, root, t, root, u, root, v,
            products, after, root, s, root, t, root, u, root, v, gamma * p, gamma * q,
            gamma * r, gamma * o, z[i], z[i + 1], z[i + 2], z[i + 3]
        )  # fmt: skip
    for i in range(fours, size):
        b = first + i
        s = b * size
        (p,) = _multiplying(size, products, f, root, s, 0.0)
        m[b] += slope * p
        h += m[b] * z[i]
        _shrinking(
            size, products, f, products, after, root, s, products, after, root, s,
            gamma * p, z[i]
        )  # fmt: skip
    a = 0.0
    for j in range(after, after + size):
        a += products[j] * products[j]
    return h, a


def _advance(
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    center: FloatArray,
    inverse_scale: FloatArray,
    clip: float,
    width: float,
    noise: FloatArray,
    mean: FloatArray,
    belief: FloatArray,
    sums: FloatArray,
    tally: FloatArray,
    odds: FloatArray,
) -> int:
    """Return the first row that is not finite, or -1."""
    models, size = mean.shape
    rows, n = X.shape
    m, root, table = mean.reshape(-1), belief.reshape(-1), X.reshape(-1)
    moments = sums.reshape(-1)
    inputs = np.ones((2, size))
    found = np.zeros(2 * models * size)  # for each model, f and the next one
    turns = np.zeros(models, np.int64)
    fields, squares = np.empty(models), np.empty(models)
    products = np.ones(models)
    odd = 0.0
    for row in range(-1, rows):  # at -1 nothing is learned, the first row is looked at
        if odd != 0.0:  # NaN too
            return row
        z, coming = inputs[row & 1], inputs[(row + 1) & 1]
        if row + 1 < rows:
            (odd,) = _arriving(
                n, table, (row + 1) * n, center, 0, inverse_scale, 0, coming, 0,
                clip, 0.0
            )  # fmt: skip
        times = repeats[row] if row >= 0 else 0
        if row >= 0 and sums.size:
            observe(table, row * n, center, inverse_scale, float(times), moments)
        for k in range(models):
            label = 1.0
            if row >= 0 and codes[row] != (k if models > 1 else 1):
                label = -1.0
            for turn in range(max(times, 1)):
                h, variance = fields[k], width + squares[k]
                slope, gamma = 0.0, 0.0
                if row >= 0 and turn == 0:
                    if not abs(h) + variance <= HUGE:
                        return row
                    if odds.size:
                        odds[row, k] = log_odds(h, variance, noise[k])
                if times > 0:
                    told = news(h, variance, label, noise[k], products[k])
                    products[k] = told.product
                    for entry in range(TALLIES):
                        tally[k, entry] += told.counts[entry]
                    left = max(1.0 - told.curvature * squares[k], 0.0)
                    slope = told.slope
                    gamma = told.curvature / (1.0 + math.sqrt(left))
                following = z if turn + 1 < times else coming
                f, after = (2 * k + turns[k]) * size, (2 * k + 1 - turns[k]) * size
                turns[k] = 1 - turns[k]
                fields[k], squares[k] = _learn(
                    root, m, k * size, size, found, f, after, slope, gamma, following
                )
    settle(tally, products)
    return -1


advance_single = kernel(types.int64, rows_of(types.float32), *_SHARED)(_advance)
advance_double = kernel(types.int64, rows_of(types.float64), *_SHARED)(_advance)
