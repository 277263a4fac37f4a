r"""The Gaussian filter with a variance for each weight, on rows that are mostly zero.

Columns are not centred, so that zero stays zero, and only the entries that are not zero
are touched. The scale of a column begins as that of its first entry. ``sums`` are the
number of these entries and the sum of their squares. The updates are those of
:mod:`rosenblatt.filters.diagonal`, all in double precision: what takes time is
to find the weights in memory.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import inlined_as_written
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.row import (
    CODES,
    GIVEN,
    HUGE,
    MATRIX,
    REACH,
    SMALLEST,
    VECTOR,
    settle,
    tell,
    write_odds,
)
from rosenblatt.filters.sparse_columns import WORTH, advance_in_lines

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


@inlined_as_written
def _arrive(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    inverse_scale: FloatArray,
    clip: float,
    m: FloatArray,
    v: FloatArray,
    z: FloatArray,
) -> tuple[float, float, float, bool]:
    """Write a row in the frame, and find mean and variance of the first model's field.

    Return these, a number that is zero if the row is finite, and if a column is new.
    The compiler makes no vectors of this loop, since z might be m, and that is right:
    to gather eight weights takes longer than to read them one by one.
    """
    h, a, odd = 0.0, 0.0, 0.0
    least = np.inf  # of the scales, which are 0 for new columns
    begin = np.uint64(first)  # never negative, which would be looked for
    for j in range(begin, np.uint64(last)):
        entry = float(entries[j])
        i = np.uint64(columns[j])
        odd += entry * 0.0  # NaN if the entry is NaN or infinite
        scale = inverse_scale[i]
        least = min(least, scale)
        value = min(max(entry * scale, -clip), clip)
        z[j - begin] = value
        h += m[i] * value
        a += v[i] * value * value
    return h, a, odd, least == 0.0


@inlined_as_written
def _field(
    columns: IntArray,
    first: int,
    last: int,
    m: FloatArray,
    v: FloatArray,
    at: int,
    z: FloatArray,
) -> tuple[float, float]:
    """Return mean and variance of the field of the model that begins at ``at``."""
    h, a = 0.0, 0.0
    for j in range(last - first):
        i = np.uint64(at + columns[first + j])
        h += m[i] * z[j]
        a += v[i] * z[j] * z[j]
    return h, a


@inlined_as_written
def _begin(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    inverse_scale: FloatArray,
) -> None:
    """Set the scales of columns that had no entry so far."""
    for j in range(first, last):
        if inverse_scale[columns[j]] == 0.0 and entries[j] != 0.0:
            size = abs(float(entries[j]))
            inverse_scale[columns[j]] = 1.0 / max(size, SMALLEST)


@inlined_as_written
def _observe(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    inverse_scale: FloatArray,
    times: float,
    sums: FloatArray,
) -> None:
    """Add a row that many times to the number of entries and their squares."""
    n = np.uint64(inverse_scale.size)
    for j in range(np.uint64(first), np.uint64(last)):
        i = np.uint64(columns[j])
        far = float(entries[j]) * inverse_scale[i]
        far = min(max(far, -REACH), REACH)
        sums[i] += times if entries[j] != 0.0 else 0.0
        sums[n + i] += times * far * far


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
    odds: FloatArray,
) -> int:
    """Return the first row that is not finite, or -1.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``.
    """
    models, size = mean.shape
    n = inverse_scale.size
    rows = codes.size
    m, v, moments = mean.reshape(-1), belief.reshape(-1), sums.reshape(-1)
    longest = 0
    for row in range(rows):
        longest = max(longest, ends[row + 1] - ends[row])
    z = np.empty(longest)
    # Copies of all columns must pay, and rows that come once are the usual ones.
    many = ends[rows] - ends[0] > WORTH * n
    if many and models == 1 and not repeats.size:
        return advance_in_lines(  # type: ignore[no-any-return]
            entries, columns, ends, codes, inverse_scale, clip, width, noise, mean,
            belief, sums, tally, odds, z
        )  # fmt: skip
    products = np.ones(models)
    fields, squares, chances = np.empty(models), np.empty(models), np.empty((2, models))
    slopes, curvatures = np.empty(models), np.empty(models)
    for row in range(rows):
        first, last = ends[row], ends[row + 1]
        times = repeats[row] if repeats.size else 1
        h0, a0, odd, new = _arrive(
            entries, columns, first, last, inverse_scale, clip, m, v, z
        )
        if odd != 0.0:  # NaN too
            return row
        if new:
            _begin(entries, columns, first, last, inverse_scale)
            h0, a0, _, _ = _arrive(
                entries, columns, first, last, inverse_scale, clip, m, v, z
            )
        if sums.size:
            _observe(
                entries, columns, first, last, inverse_scale, float(times), moments
            )
        for turn in range(max(times, 1)):
            for k in range(models):
                at = k * size
                h, a = h0, a0
                if k + turn > 0:
                    h, a = _field(columns, first, last, m, v, at, z)
                for i in range(at + n, at + size):  # the intercept, if there is one
                    h += m[i]
                    a += v[i]
                if not abs(h) + a <= HUGE:
                    return row
                fields[k], squares[k] = h, a
            if turn == 0 and odds.size:
                write_odds(fields, squares, width, noise, chances, odds[row])
            if times == 0:
                break
            tell(
                fields, squares, width, codes[row], noise, chances, slopes, curvatures,
                products, tally
            )  # fmt: skip
            for k in range(models):
                at = k * size
                slope, curvature = slopes[k], curvatures[k]
                for i in range(at + n, at + size):
                    m[i] += slope * v[i]
                    v[i] -= curvature * v[i] * v[i]
                begin = np.uint64(first)
                for j in range(begin, np.uint64(last)):
                    place = np.uint64(at) + np.uint64(columns[j])
                    step = v[place] * z[j - begin]
                    m[place] += slope * step
                    v[place] -= curvature * step * step
    settle(tally, products)
    return -1


advance_single = kernel(
    _i, types.Array(types.float32, 1, "C", readonly=True), *_SHARED
)(_advance)
advance_double = kernel(
    _i, types.Array(types.float64, 1, "C", readonly=True), *_SHARED
)(_advance)
