r"""The Gaussian filter with one variance for all weights.

.. math::
    m \leftarrow m + s\, z\, g, \qquad
    s \leftarrow s - c\, s^2 |z|^2 / N,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.core.evidence`, for N weights. This is
:cite:t:`winther1997`, eq. (9), with a variance that is learned instead of fixed by the
length of the weights.
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
    HUGE,
    MATRIX,
    VECTOR,
    log_odds,
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
    VECTOR,
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
    odds: FloatArray,
) -> int:
    """Return the first row that is not finite or far too large, or -1."""
    models, size = mean.shape
    z = np.ones(size)
    for row in range(len(X)):
        if not standardise(X[row], center, inverse_scale, clip, z):
            return row
        if sums.size:
            observe(X[row], center, inverse_scale, float(repeats[row]), sums)
        z2 = 0.0
        for i in range(size):
            z2 += z[i] * z[i]
        for k in range(models):
            m = mean[k]
            label = 1.0 if codes[row] == (k if models > 1 else 1) else -1.0
            for turn in range(max(repeats[row], 1)):
                h = 0.0
                for i in range(size):
                    h += m[i] * z[i]
                s = belief[k]
                variance = width + s * z2
                if not abs(h) + variance <= HUGE:
                    return row
                if turn == 0 and odds.size:
                    odds[row, k] = log_odds(h, variance, noise[k])
                if repeats[row] == 0:
                    break
                slope, curvature = news(h, variance, label, noise[k], tally[k])
                for i in range(size):  # eq. (1)
                    m[i] += slope * s * z[i]
                belief[k] -= curvature * s * (s * z2) / size
    return -1


advance_single = kernel(types.int64, rows_of(types.float32), *_SHARED)(_advance)
advance_double = kernel(types.int64, rows_of(types.float64), *_SHARED)(_advance)
