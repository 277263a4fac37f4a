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
    framed,
    observe,
    rows_of,
    settle,
    tell,
    write_odds,
)

__all__ = ["advance_double", "advance_single"]

_TOGETHER = 4  # rows of the matrix
_LINE = 8  # numbers in a line of the cache, or in a register
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
    types.int64,
)


def _arrive(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Find a row in the frame."""
    return (framed(x, center, scale, clip, none),), (x * none,)


def _multiply(f: Any, s: Any, t: Any, u: Any, v: Any, none: Any) -> Any:
    """Find four entries of S f."""
    return (), (f * s, f * t, f * u, f * v)


def _shrink(
    f: Any, after: Any, s: Any, t: Any, u: Any, v: Any,
    p: Any, q: Any, r: Any, o: Any, z: Any, y: Any, x: Any, w: Any
) -> Any:  # fmt: skip
    """Do eq. (2) for four rows of the matrix, and add them to the next f."""
    s, t, u, v = s - f * p, t - f * q, u - f * r, v - f * o
    return (after + s * z + t * y + (u * x + v * w), s, t, u, v), ()


_arriving = sweep(_arrive, reads=3, writes=1, sums=1, streamed=1)
_multiplying = sweep(_multiply, reads=5, writes=0, sums=4)
_shrinking = sweep(_shrink, reads=6, writes=5, sums=0)


@inlined
def _learn(
    root: FloatArray,
    start: int,
    m: FloatArray,
    found: FloatArray,
    f: int,
    after: int,
    slope: float,
    gamma: float,
    z: FloatArray,
) -> tuple[float, float]:
    """Do eqs. (1) and (2), then find f of the row z; return its m.z and f.f.

    The matrix begins at ``start`` and has rows as long as z; of ``found`` the f that is
    there begins at ``f``, and the one to be found at ``after``.
    """
    n = z.size
    for j in range(after, after + n):
        found[j] = 0.0
    h = 0.0
    for i in range(0, m.size, _TOGETHER):
        s = start + i * n
        t, u, v = s + n, s + 2 * n, s + 3 * n
        p, q, r, o = _multiplying(n, found, f, root, s, root, t, root, u, root, v, 0.0)
        m[i] += slope * p
        m[i + 1] += slope * q
        m[i + 2] += slope * r
        m[i + 3] += slope * o
        h += m[i] * z[i] + m[i + 1] * z[i + 1]
        h += m[i + 2] * z[i + 2] + m[i + 3] * z[i + 3]
        _shrinking(
            n, found, f, found, after, root, s, root, t, root, u, root, v,
            found, after, root, s, root, t, root, u, root, v, gamma * p, gamma * q,
            gamma * r, gamma * o, z[i], z[i + 1], z[i + 2], z[i + 3]
        )  # fmt: skip
    a = 0.0
    for j in range(after, after + n):
        a += found[j] * found[j]
    return h, a


@inlined
def _aligned(size: int) -> tuple[FloatArray, int]:
    """Return zeros, and where to begin for registers to be read from one line each."""
    zeros = np.zeros(size + _LINE)
    return zeros, (-zeros.ctypes.data // 8) % _LINE


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
    clock: int,
) -> int:
    """Return the first row that is not finite, or -1."""
    models, size = mean.shape
    rows, n = X.shape
    # Rows of the matrix are made whole lines of the cache, and as many as are learned
    # together: what is added is zero, and stays so.
    length = -(-size // _LINE) * _LINE
    height = -(-size // _TOGETHER) * _TOGETHER
    root, start = _aligned(models * height * length)
    found, origin = _aligned(2 * models * length)  # for each model, f and the next one
    means = np.zeros((models, height))
    for k in range(models):
        means[k, :size] = mean[k]
        for i in range(size):
            at = start + (k * height + i) * length
            root[at : at + size] = belief[k, i]
    inputs = np.zeros((2, length))
    inputs[:, n:size] = 1.0
    table, moments = X.reshape(-1), sums.reshape(-1)
    waiting = np.zeros(8)
    turns = np.zeros(models, np.int64)
    fields, squares, chances = np.zeros(models), np.zeros(models), np.empty((2, models))
    slopes, curvatures = np.empty(models), np.empty(models)
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
        times = 0
        if row >= 0:
            times = repeats[row] if repeats.size else 1
        if row >= 0:
            observe(
                table, row, rows, clock, float(times), waiting, center, inverse_scale,
                moments
            )  # fmt: skip
        if row >= 0:
            for k in range(models):
                if not abs(fields[k]) + squares[k] <= HUGE:
                    return row
            if odds.size:
                write_odds(fields, squares, width, noise, chances, odds[row])
        for turn in range(max(times, 1)):
            if times > 0:
                tell(
                    fields, squares, width, codes[row], noise, chances, slopes,
                    curvatures, products, tally
                )  # fmt: skip
            else:
                slopes[:] = 0.0
                curvatures[:] = 0.0
            for k in range(models):
                left = max(1.0 - curvatures[k] * squares[k], 0.0)
                gamma = curvatures[k] / (1.0 + math.sqrt(left))
                f = origin + (2 * k + turns[k]) * length
                after = origin + (2 * k + 1 - turns[k]) * length
                turns[k] = 1 - turns[k]
                fields[k], squares[k] = _learn(
                    root, start + k * height * length, means[k], found, f, after,
                    slopes[k], gamma, z if turn + 1 < times else coming
                )  # fmt: skip
    for k in range(models):
        mean[k] = means[k, :size]
        for i in range(size):
            at = start + (k * height + i) * length
            belief[k, i] = root[at : at + size]
    settle(tally, products)
    return -1


advance_single = kernel(types.int64, rows_of(types.float32), *_SHARED)(_advance)
advance_double = kernel(types.int64, rows_of(types.float64), *_SHARED)(_advance)
