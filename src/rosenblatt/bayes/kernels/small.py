r"""The loop of the filter with a full covariance of few weights, row by row.

The equations are those of :mod:`rosenblatt.bayes.kernels.full`. A covariance that
fits into the first cache is read and written faster than matrix products of a few rows
are called. Rows of the matrix are padded to whole vector registers.
"""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.changing import change_before, motion
from rosenblatt.bayes.kernels.full import ROUNDING
from rosenblatt.bayes.kernels.labels import HUGE, count_evidence, learn_label_at
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    CENTER,
    CLIP,
    CLOCK,
    COUNTS,
    FEATURES,
    INPUT_HALF_LIFE,
    INVERSE_SCALE,
    LABEL_WORK,
    LEARN_LABEL,
    MATRICES,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NUMBERS,
    SIZE,
    SUMMED,
    SUMS,
    WEIGHT,
    WEIGHTS,
)
from rosenblatt.bayes.kernels.passes import (
    add_row,
    copy_row,
    moments,
    move_mean,
    standardise,
)
from rosenblatt.bayes.standardisation import REACH, counts
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import address_of, pointer_at, pointer_to, table_at
from rosenblatt.compiling.vector.products import FEWEST_COLUMNS
from rosenblatt.compiling.vector.symmetric import (
    LANES,
    multiply_symmetric,
    update_symmetric,
)
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["MOST_WEIGHTS", "learn_small", "padded", "padded_size"]

# With more weights blocks are faster: measured. Blocks need some columns.
MOST_WEIGHTS = 40
assert MOST_WEIGHTS >= FEWEST_COLUMNS
_whole = types.Array(types.int64, 1, "C", readonly=True)


def padded_size(weights: int) -> int:
    """Return the number of entries in a row of the matrix."""
    return (weights + LANES - 1) // LANES * LANES


padded = inlined(padded_size)


@inlined
def _copy(table: IntArray, inside: bool) -> None:
    """Copy the covariances to padded rows, or back; the padding stays 0."""
    weights, models = table[WEIGHTS], table[MODELS]
    wide = padded(weights)
    belief = pointer_at(table[BELIEF], models * weights * weights)
    V = pointer_at(table[MATRICES], models * weights * wide)
    for row in range(models * weights):
        if inside:
            copy_row(weights, belief, row * weights, V, row * wide, 0.0)
        else:
            copy_row(weights, V, row * wide, belief, row * weights, 0.0)


@kernel(
    types.int64,
    types.Array(types.float64, 2, "C", readonly=True),
    _whole,
    _whole,
    types.float64[:, ::1],
    types.int64,
)
def learn_small(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    """Learn rows, with all changes; return the first that is not finite, or -1."""
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    numbers = pointer_at(table[NUMBERS], INPUT_HALF_LIFE + 1)
    clip, summed = numbers[CLIP], table[SUMMED] > 0
    forgets = numbers[INPUT_HALF_LIFE] > 0.0
    factor, added, shrink = motion(numbers)
    count = pointer_at(table[COUNTS], NEXT_CHANGE + 1)
    center, inverse = pointer_at(table[CENTER], n), pointer_at(table[INVERSE_SCALE], n)
    sums = pointer_at(table[SUMS], table[SUMMED])
    work = pointer_at(table[LABEL_WORK], 4 * models)
    mean = pointer_at(table[MEAN], models * weights)
    wide = padded(weights)
    square = weights * wide
    u_place = table[MATRICES] + 8 * models * square
    z = pointer_at(u_place + 8 * models * wide, wide)
    clock, due = int(count[CLOCK]), int(count[NEXT_CHANGE])
    rows_at = pointer_to(X)
    row, done, rows, status = 0, 0, len(X), -1
    _copy(table, True)
    for i in range(n, weights):
        z[i] = 1.0
    while row < rows:
        times = repeats[row] if repeats.size else 1
        (odd,) = standardise(
            n, rows_at, row * n, center, 0, inverse, 0, z, 0, clip, 0.0
        )  # fmt: skip
        if odd != 0.0:  # NaN too
            status = row
            break
        if times > 0 and clock == due:
            _copy(table, False)
            count[CLOCK] = clock
            change_before(place, rows_at, row * n)
            _copy(table, True)
            due = int(count[NEXT_CHANGE])
            continue
        for k in range(models):
            V = pointer_at(table[MATRICES] + 8 * k * square, square)
            u = pointer_at(u_place + 8 * k * wide, wide)
            multiply_symmetric(V, z, u, weights)
            h, a = moments(weights, mean, k * weights, u, 0, z, 0, 0.0)
            if not abs(h) + a <= HUGE:
                return row
            work[k], work[models + k] = h, max(a, 0.0)
        odds_place = 0
        if odds.size and done == 0:
            odds_place = address_of(odds) + 8 * models * row
        learn_label_at(table[LEARN_LABEL])(
            place, codes[row] if times > 0 else -1, odds_place
        )
        if times > 0:
            for k in range(models):
                V = pointer_at(table[MATRICES] + 8 * k * square, square)
                u = pointer_at(u_place + 8 * k * wide, wide)
                slope, a = work[2 * models + k], work[models + k]
                curvature = work[3 * models + k]
                if curvature * a > 1.0 - ROUNDING:
                    curvature = (1.0 - ROUNDING) / a
                root = math.sqrt(abs(curvature) * factor)
                at = k * weights
                move_mean(
                    weights, mean, at, u, 0, mean, at, u, 0, slope, shrink, root
                )  # fmt: skip
                sign = 1.0 if curvature > 0.0 else -1.0
                update_symmetric(V, u, sign, factor, weights)
                if added > 0.0:
                    for i in range(weights):
                        V[i * (wide + 1)] += added
            if summed and (forgets or counts(clock)):
                add_row(
                    n, rows_at, row * n, center, 0, inverse, 0, sums, 0, sums, n,
                    sums, 0, sums, n, REACH, 0.0
                )  # fmt: skip
                count[WEIGHT] += 1.0
            clock += 1
        done += 1
        if done >= times:
            row, done = row + 1, 0
    _copy(table, False)
    count[CLOCK] = clock
    count_evidence(table)
    return status
