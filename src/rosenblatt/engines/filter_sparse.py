r"""The Gaussian filter with a variance for each weight, on rows that are mostly zero.

Columns are not centred, so that zero stays zero, and only the entries that are not zero
are touched. ``sums`` are the number of these and the sum of their squares. A column's
first entry gives it its first scale. The updates are those of
:mod:`rosenblatt.engines.filter_diagonal`.
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
    REACH,
    SMALLEST,
    VECTOR,
    chance,
    news,
)

__all__ = ["advance_double", "advance_single"]

_f, _i = types.float64, types.int64
_SHARED = (
    types.Array(types.int32, 1, "C", readonly=True),
    CODES,
    CODES,
    CODES,
    VECTOR,
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
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    codes: IntArray,
    repeats: IntArray,
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
    """Return the first row that is not finite, or -1.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``.
    """
    models, size = mean.shape
    features = inverse_scale.size
    longest = 0
    for row in range(len(codes)):
        longest = max(longest, ends[row + 1] - ends[row])
    z = np.empty(longest)
    for row in range(len(codes)):
        first = ends[row]
        count = ends[row + 1] - first
        odd = 0.0
        for j in range(count):
            entry = float(entries[first + j])
            odd += entry * 0.0  # NaN if the entry is NaN or infinite
            i = columns[first + j]
            if inverse_scale[i] == 0.0 and entry != 0.0:
                inverse_scale[i] = 1.0 / max(abs(entry), SMALLEST)
            deviation = entry * inverse_scale[i]
            z[j] = min(max(deviation, -REACH), REACH)
        if not odd == 0.0:
            return row
        if sums.size:
            for j in range(count):
                if entries[first + j] != 0.0:
                    sums[0, columns[first + j]] += repeats[row]
                    sums[1, columns[first + j]] += repeats[row] * z[j] * z[j]
        for j in range(count):
            z[j] = min(max(z[j], -clip), clip)
        for k in range(models):
            m, v = mean[k], belief[k]
            label = 1.0 if codes[row] == (k if models > 1 else 1) else -1.0
            for turn in range(max(repeats[row], 1)):
                h = 0.0
                a = 0.0
                for i in range(features, size):  # the intercept, if there is one
                    h += m[i]
                    a += v[i]
                for j in range(count):
                    i = columns[first + j]
                    h += m[i] * z[j]
                    a += v[i] * z[j] * z[j]
                if turn == 0 and chances.size:
                    chances[row, k] = chance(h, width + a, noise[k])
                if repeats[row] == 0:
                    break
                slope, curvature = news(h, width + a, label, noise[k], tally[k])
                for i in range(features, size):
                    m[i] += slope * v[i]
                    v[i] -= curvature * v[i] * v[i]
                for j in range(count):
                    i = columns[first + j]
                    step = v[i] * z[j]
                    m[i] += slope * step
                    v[i] -= curvature * step * step
    return -1


advance_single = kernel(_i, types.Array(types.float32, 1, "C", readonly=True), *_SHARED)(
    _advance
)
advance_double = kernel(_i, types.Array(types.float64, 1, "C", readonly=True), *_SHARED)(
    _advance
)
