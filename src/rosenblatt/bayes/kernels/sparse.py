r"""The loop of the diagonal filter on rows that are mostly zero.

Columns are not centred, so that zero stays zero, and only the entries that are not zero
are touched. The scale of a column begins as that of its first entry. The updates are
those of :mod:`rosenblatt.bayes.kernels.independent`, all in double precision.

Most time is spent on finding the numbers of a column in memory. With many entries for
each column these are copied side by side, so that all of them come with one access.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.changing import drift, drift_piece
from rosenblatt.bayes.kernels.labels import HUGE, count_evidence, learn_label_at
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    CLIP,
    CLOCK,
    COUNTS,
    DONE,
    FEATURES,
    HALF_LIFE,
    INVERSE_SCALE,
    LABEL_WORK,
    LEARN_LABEL,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NUMBERS,
    PRIOR,
    ROW,
    SIZE,
    SUMMED,
    SUMS,
    WEIGHT,
    WEIGHTS,
)
from rosenblatt.bayes.standardisation import REACH, SMALLEST
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import inlined_as_written
from rosenblatt.compiling.pointers import address_of, pointer_at, pointer_to, table_at
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["CHANGE_DUE", "columns_together", "learn_sparse", "separate_columns"]

CHANGE_DUE = -2  # returned where the standardisation has to change before a row

# Entries for each column from which on it pays to copy columns. To copy one takes 10 ns
# at 10 000 columns, and 2.4 ns an entry are saved.
_WORTH = 8
_TOGETHER = 8  # numbers in a line of the cache; those of a column are five


def columns_together(filter: Any, entries: int) -> FloatArray:
    """Return the numbers of each column side by side, or nothing if it does not pay."""
    features = filter.center.size
    if len(filter.mean) > 1 or entries <= _WORTH * features:
        return np.zeros(0)
    space = np.zeros((features + 1) * _TOGETHER)
    first = -(space.ctypes.data // 8) % _TOGETHER
    numbers = space[first : first + features * _TOGETHER].reshape(features, _TOGETHER)
    numbers[:, 0], numbers[:, 1] = (
        filter.mean[0, :features],
        filter.belief[0, :features],
    )
    numbers[:, 2] = filter.inverse_scale
    if filter.sums.size:
        numbers[:, 3:5] = filter.sums.T
    return numbers.ravel()


def separate_columns(together: FloatArray, filter: Any) -> None:
    """Write the numbers of all columns to the arrays of the filter."""
    if together.size:
        features = filter.center.size
        numbers = together.reshape(features, _TOGETHER)
        filter.mean[0, :features] = numbers[:, 0]
        filter.belief[0, :features] = numbers[:, 1]
        filter.inverse_scale[:] = numbers[:, 2]
        if filter.sums.size:
            filter.sums[:] = numbers[:, 3:5].T


@inlined_as_written
def _field(
    columns: IntArray,
    first: int,
    last: int,
    m: FloatArray,
    v: FloatArray,
    at: int,
    stride: int,
    z: FloatArray,
) -> tuple[float, float]:
    """Return mean and variance of the field of the model that begins at ``at``."""
    h, a = 0.0, 0.0
    for j in range(first, last):
        i = at + columns[j] * stride
        value = z[j - first]
        h += m[i] * value
        a += v[i] * value * value
    return h, a


_whole = types.Array(types.int64, 1, "C", readonly=True)


@kernel(
    types.int64,
    types.Array(types.float64, 1, "C", readonly=True),
    types.Array(types.int32, 1, "C", readonly=True),
    _whole,
    _whole,
    _whole,
    types.float64[:, ::1],
    types.float64[::1],
    types.float64[::1],
    types.int64,
)
def learn_sparse(
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
    together: FloatArray,
    room: FloatArray,
    place: int,
) -> int:
    """Learn rows from where the state says, up to the next change.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``. Numbers of the columns
    are ``together``, if these are any, and the longest row has ``room``. Return the
    first row that is not finite, -1 if all are learned, or CHANGE_DUE.
    """
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    numbers = pointer_at(table[NUMBERS], HALF_LIFE + 1)
    clip = numbers[CLIP]
    # Weights drift before examples whose number is a multiple of the piece.
    piece, keep, drifted = 0, 1.0, -1
    if numbers[HALF_LIFE] > 0.0:
        piece = drift_piece(numbers[HALF_LIFE])
        keep = 0.5 ** (piece / numbers[HALF_LIFE])
    count = pointer_at(table[COUNTS], DONE + 1)
    mean = pointer_at(table[MEAN], models * weights)
    belief = pointer_at(table[BELIEF], models * weights)
    summed = table[SUMMED] > 0
    work = pointer_at(table[LABEL_WORK], 4 * models)
    m, v, stride, other = mean, belief, 1, table[SUMS] + 8 * n
    scale, seen = pointer_at(table[INVERSE_SCALE], n), pointer_at(table[SUMS], n)
    if together.size:
        base, stride, other = address_of(together), _TOGETHER, 0
        m, v = pointer_at(base, n * stride), pointer_at(base + 8, n * stride - 1)
        scale = pointer_at(base + 16, n * stride - 2)
        seen = pointer_at(base + 24, n * stride - 3)
        other = base + 32
    squares = pointer_at(other, n * stride)
    row, done, rows = int(count[ROW]), int(count[DONE]), codes.size
    clock, due = int(count[CLOCK]), int(count[NEXT_CHANGE])
    z, column, given = pointer_to(room), pointer_to(columns), pointer_to(entries)
    status = -1
    while row < rows:
        times = repeats[row] if repeats.size else 1
        learned = times > 0
        if learned and clock == due:
            status = CHANGE_DUE
            break
        if piece > 0 and learned and clock % piece == 0 and clock != drifted:
            drifted = clock
            size = models * weights
            drift(mean, size, belief, size, keep, numbers[PRIOR])
            if together.size:  # means and variances of the columns are here
                root, more = math.sqrt(keep), (1.0 - keep) * numbers[PRIOR]
                for i in range(0, n * stride, stride):
                    m[i] *= root
                    v[i] = keep * v[i] + more
        first, last = ends[row], ends[row + 1]
        odd = h = a = 0.0
        for j in range(first, last):
            i = column[j] * stride
            entry = given[j]
            odd += entry * 0.0  # NaN if the entry is NaN or infinite
            if scale[i] == 0.0 and entry != 0.0:
                scale[i] = 1.0 / max(abs(entry), SMALLEST)
            value = min(max(entry * scale[i], -clip), clip)
            z[j - first] = value
            h += m[i] * value
            a += v[i] * value * value
        if odd != 0.0:
            return row
        for k in range(models):
            if k > 0:
                h, a = _field(column, first, last, m, v, k * weights, stride, z)
            for bias in range(k * weights + n, (k + 1) * weights):  # the intercept
                h += mean[bias]
                a += belief[bias]
            if not abs(h) + a <= HUGE:
                return row
            work[k], work[models + k] = h, a
        odds_place = 0
        if odds.size and done == 0:
            odds_place = address_of(odds) + 8 * models * row
        learn_label_at(table[LEARN_LABEL])(
            place, codes[row] if learned else -1, odds_place
        )
        if learned:
            for k in range(models):
                slope, curvature = work[2 * models + k], work[3 * models + k]
                for bias in range(k * weights + n, (k + 1) * weights):
                    step = belief[bias]
                    mean[bias] += slope * step
                    belief[bias] -= curvature * step * step
                for j in range(first, last):
                    i = k * weights + column[j] * stride
                    step = v[i] * z[j - first]
                    m[i] += slope * step
                    v[i] -= curvature * step * step
                    if summed and k == 0:
                        entry = given[j]
                        far = min(max(entry * scale[i], -REACH), REACH)
                        seen[i] += 1.0 if entry != 0.0 else 0.0
                        squares[i] += far * far
            count[WEIGHT] += 1.0
            clock += 1
        done += 1
        if done >= times:
            row, done = row + 1, 0
    count[CLOCK], count[ROW], count[DONE] = clock, row, done
    count_evidence(table)
    return status
