"""Many sparse rows through one model, all that belongs to a column side by side.

The entries of a row are at random places. What takes time is to find these in memory,
in a line of the cache for each array: here it is one line for all of them. It takes a
pass over all columns before the first row and after the last, so that there have to be
enough rows. The updates are those of :mod:`rosenblatt.filters.sparse`, to the
last bits.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.compiling.jit import inlined_as_written
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.row import (
    HUGE,
    LINE,
    REACH,
    SMALLEST,
    aligned,
    log_odds,
    news,
    settle,
)

__all__ = ["WORTH", "advance_in_lines"]

# Entries for each column from which on it pays. The passes take 10 ns a column at
# 10 000 columns, and 2.4 ns an entry are saved.
WORTH = 8
_MEAN, _VARIANCE, _SCALE, _COUNT, _SQUARES = range(5)


@inlined_as_written
def _lines(
    inverse_scale: FloatArray, mean: FloatArray, belief: FloatArray, sums: FloatArray
) -> FloatArray:
    """Return a line for each column."""
    n = inverse_scale.size
    space, start = aligned(n * LINE)
    lines: FloatArray = space[start : start + n * LINE].reshape(n, LINE)
    for i in range(n):
        lines[i, _MEAN], lines[i, _VARIANCE] = mean[0, i], belief[0, i]
        lines[i, _SCALE] = inverse_scale[i]
        if sums.size:
            lines[i, _COUNT], lines[i, _SQUARES] = sums[0, i], sums[1, i]
    return lines


@inlined_as_written
def _put_back(
    lines: FloatArray,
    inverse_scale: FloatArray,
    mean: FloatArray,
    belief: FloatArray,
    sums: FloatArray,
) -> None:
    """Write the lines to the arrays that they are from."""
    for i in range(inverse_scale.size):
        mean[0, i], belief[0, i] = lines[i, _MEAN], lines[i, _VARIANCE]
        inverse_scale[i] = lines[i, _SCALE]
        if sums.size:
            sums[0, i], sums[1, i] = lines[i, _COUNT], lines[i, _SQUARES]


@inlined_as_written
def advance_in_lines(
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    codes: IntArray,
    inverse_scale: FloatArray,
    clip: float,
    width: float,
    noise: FloatArray,
    mean: FloatArray,
    belief: FloatArray,
    sums: FloatArray,
    tally: FloatArray,
    odds: FloatArray,
    z: FloatArray,
) -> int:
    """Return the first row that is not finite, or -1; then nothing has changed.

    ``z`` has room for the longest row.
    """
    n = inverse_scale.size
    lines = _lines(inverse_scale, mean, belief, sums)
    bias = mean.shape[1] > n
    offset, spread = (mean[0, n], belief[0, n]) if bias else (0.0, 0.0)
    products = np.ones(1)
    counted = tally.copy()
    for row in range(codes.size):
        first, last = np.uint64(ends[row]), np.uint64(ends[row + 1])
        h, a, odd = 0.0, 0.0, 0.0
        for j in range(first, last):
            entry, i = float(entries[j]), np.uint64(columns[j])
            odd += entry * 0.0  # NaN if the entry is NaN or infinite
            if lines[i, _SCALE] == 0.0 and entry != 0.0:
                lines[i, _SCALE] = 1.0 / max(abs(entry), SMALLEST)
            far = entry * lines[i, _SCALE]
            value = min(max(far, -clip), clip)
            z[j - first] = value
            h += lines[i, _MEAN] * value
            a += lines[i, _VARIANCE] * value * value
            far = min(max(far, -REACH), REACH)
            lines[i, _COUNT] += 1.0 if entry != 0.0 else 0.0
            lines[i, _SQUARES] += far * far
        h += offset
        a += spread
        if not (odd == 0.0 and abs(h) + a <= HUGE):
            return row
        if odds.size:
            odds[row, 0] = log_odds(h, width + a, noise[0])
        label = 2.0 * codes[row] - 1.0
        told = news(h, width + a, label, noise[0], products[0], counted)
        products[0] = told.product
        slope, curvature = told.slope, told.curvature
        offset += slope * spread
        spread -= curvature * spread * spread
        for j in range(first, last):
            i = np.uint64(columns[j])
            step = lines[i, _VARIANCE] * z[j - first]
            lines[i, _MEAN] += slope * step
            lines[i, _VARIANCE] -= curvature * step * step
    _put_back(lines, inverse_scale, mean, belief, sums)
    if bias:
        mean[0, n], belief[0, n] = offset, spread
    tally[:] = counted
    settle(tally, products)
    return -1
