r"""The Gaussian filter with a full covariance.

.. math::
    m \leftarrow m + V z\, g, \qquad V \leftarrow V - c\, V z z^T V,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.core.evidence`. What is kept is a square
root, :math:`V = S S^T`, so that V cannot lose its positive definiteness to rounding.
With :math:`f = S^T z` and :math:`a = f \cdot f` eq. (1) is

.. math::
    S \leftarrow S - \gamma\, (S f) f^T, \qquad
    \gamma = \frac{c}{1 + \sqrt{1 - c a}}.   \tag{2}
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from rosenblatt.core import kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.filter_row import (
    CODES,
    GIVEN,
    MATRIX,
    chance,
    news,
    observe,
    rows_of,
    standardise,
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
    chances: FloatArray,
) -> int:
    """Return the first row that is not finite, or -1."""
    models, size = mean.shape
    z = np.ones(size)
    f = np.empty(size)
    for row in range(len(X)):
        if not standardise(X[row], center, inverse_scale, clip, z):
            return row
        if sums.size:
            observe(X[row], center, inverse_scale, float(repeats[row]), sums)
        for k in range(models):
            m, root = mean[k], belief[k]
            label = 1.0 if codes[row] == (k if models > 1 else 1) else -1.0
            for turn in range(max(repeats[row], 1)):
                f[:] = 0.0
                h = 0.0
                for i in range(size):
                    h += m[i] * z[i]
                    for j in range(size):
                        f[j] += root[i, j] * z[i]
                a = 0.0
                for j in range(size):
                    a += f[j] * f[j]
                if turn == 0 and chances.size:
                    chances[row, k] = chance(h, width + a, noise[k])
                if repeats[row] == 0:
                    break
                slope, curvature = news(h, width + a, label, noise[k], tally[k])
                left = max(1.0 - curvature * a, 0.0)
                gamma = curvature / (1.0 + math.sqrt(left))
                for i in range(size):  # eqs. (1) and (2)
                    q = 0.0
                    for j in range(size):
                        q += root[i, j] * f[j]
                    m[i] += slope * q
                    for j in range(size):
                        root[i, j] -= gamma * q * f[j]
    return -1


advance_single = kernel(types.int64, rows_of(types.float32), *_SHARED)(_advance)
advance_double = kernel(types.int64, rows_of(types.float64), *_SHARED)(_advance)
