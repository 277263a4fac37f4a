r"""The Gaussian filter with a variance for each weight.

.. math::
    m_i \leftarrow m_i + v_i z_i\, g, \qquad
    v_i \leftarrow v_i - c\, v_i^2 z_i^2,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.core.evidence`.
"""

from __future__ import annotations

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
    MATRIX,
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
    for row in range(len(X)):
        if not standardise(X[row], center, inverse_scale, clip, z):
            return row
        if sums.size:
            observe(X[row], center, inverse_scale, float(repeats[row]), sums)
        for k in range(models):
            m, v = mean[k], belief[k]
            label = 1.0 if codes[row] == (k if models > 1 else 1) else -1.0
            for turn in range(max(repeats[row], 1)):
                h = 0.0
                a = 0.0
                for i in range(size):
                    h += m[i] * z[i]
                    a += v[i] * z[i] * z[i]
                if turn == 0 and chances.size:
                    chances[row, k] = chance(h, width + a, noise[k])
                if repeats[row] == 0:
                    break
                slope, curvature = news(h, width + a, label, noise[k], tally[k])
                for i in range(size):  # eq. (1)
                    step = v[i] * z[i]
                    m[i] += slope * step
                    v[i] -= curvature * step * step
    return -1


advance_single = kernel(types.int64, rows_of(types.float32), *_SHARED)(_advance)
advance_double = kernel(types.int64, rows_of(types.float64), *_SHARED)(_advance)
