r"""The loop of filters without correlations: one variance, or one for each weight.

With slope g and curvature c of the label, for N weights,

.. math::
    m &\leftarrow m + s\, z\, g, & s &\leftarrow s - c\, s^2 |z|^2 / N,   \tag{1} \\
    m_i &\leftarrow m_i + v_i z_i\, g, &
    v_i &\leftarrow v_i - c\, v_i^2 z_i^2.   \tag{2}

Eq. (1), spherical, is :cite:t:`winther1997`, eq. (9), with a variance that is learned
instead of fixed by the length of the weights; eq. (2) is diagonal.

Most time is spent on reading rows and belief, and on waiting for the evidence of a
label. So rows are learned in pairs. One pass moves the belief by the last two rows, and
finds for the next two what their fields are made of. After the first of them is
learned, the field of the second is

.. math::
    \sum m' z = \sum m z + g \sum q, \qquad
    \sum v' z^2 = \sum v z^2 - c \sum q^2, \qquad q = v\, z_\mathrm{first}\, z,
    \tag{3}

and likewise for one variance. Means and variances are computed with in the precision of
the rows, all scalars and the intercept in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.changing import change_before, drift, drift_piece
from rosenblatt.bayes.kernels.labels import HUGE, count_evidence, learn_label_at
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    CENTER,
    CLIP,
    CLOCK,
    COUNTS,
    FEATURES,
    HALF_LIFE,
    INPUT_HALF_LIFE,
    INVERSE_SCALE,
    LABEL_ROOM,
    LABEL_WORK,
    LEARN_LABEL,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NUMBERS,
    PRIOR,
    SINGLES,
    SIZE,
    SPHERICAL,
    SUMMED,
    SUMS,
    WEIGHT,
    WEIGHTS,
)
from rosenblatt.bayes.kernels.passes import add_rows, diagonal_pass, spherical_pass
from rosenblatt.bayes.standardisation import REACH, counts
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import (
    address_of,
    pointer_at,
    pointer_to,
    same_or,
    table_at,
)
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["learn_doubles", "learn_singles"]

_MOST = float(np.finfo(np.float32).max)
_LEFT = 0.125  # of a variance that is found as a difference: three bits are lost


@inlined
def _copy_to_singles(source: FloatArray, target: FloatArray, size: int) -> None:
    """Copy numbers to single precision, with its largest number for larger ones."""
    for i in range(size):
        target[i] = min(max(source[i], -_MOST), _MOST)


def _learn(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    """Learn rows, with all changes; return the first that is not finite, or -1."""
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    size = models * weights
    spherical, summed = table[SPHERICAL] != 0, table[SUMMED] > 0
    numbers = pointer_at(table[NUMBERS], INPUT_HALF_LIFE + 1)
    forgets = numbers[INPUT_HALF_LIFE] > 0.0
    # Weights drift before examples whose number is a multiple of the piece.
    piece, keep, drifted = 0, 1.0, -1
    if numbers[HALF_LIFE] > 0.0:
        piece = drift_piece(numbers[HALF_LIFE])
        keep = 0.5 ** (piece / numbers[HALF_LIFE])
    count = pointer_at(table[COUNTS], NEXT_CHANGE + 1)
    center, inverse = pointer_at(table[CENTER], n), pointer_at(table[INVERSE_SCALE], n)
    sums = pointer_at(table[SUMS], table[SUMMED])
    mean = pointer_at(table[MEAN], size)
    belief = pointer_at(table[BELIEF], models if spherical else size)
    work = pointer_at(table[LABEL_WORK], 4 * models)
    # The belief and the standardisation in the precision of the rows.
    room = table[SINGLES]
    ms, vs = same_or(mean, room, size, X), same_or(belief, room + 4 * size, size, X)
    middle = same_or(center, room + 8 * size, n, X)
    scale = same_or(inverse, room + 8 * size + 4 * n, n, X)
    single = X.itemsize == 4
    fresh = single
    flat, number = pointer_to(X), X.dtype.type
    clip, none = number(numbers[CLIP]), number(0.0)
    bias, share = weights > n, 1.0 / weights
    # For each model: fields and variances of two rows, and the sums of eq. (3); slopes
    # and curvatures by which the belief has not moved yet.
    found = pointer_at(table[LABEL_WORK] + 8 * (LABEL_ROOM * models + 1), 6 * models)
    gains = pointer_at(table[LABEL_WORK] + 8 * (12 * models + 1), 4 * models)
    odd = pointer_at(table[LABEL_WORK] + 8 * (16 * models + 1), 2)
    added = pointer_at(table[LABEL_WORK] + 8 * (16 * models + 3), 2)
    for i in range(4 * models):
        gains[i] = 0.0
    clock, due = int(count[CLOCK]), int(count[NEXT_CHANGE])
    row, done, rows = 0, 0, len(X)
    if piece > 0:
        due = min(due, clock + (-clock) % piece)
    before = last = 0
    while True:
        if fresh:
            _copy_to_singles(mean, ms, size)
            _copy_to_singles(belief, vs, models if spherical else size)
            _copy_to_singles(center, middle, n)
            _copy_to_singles(inverse, scale, n)
            fresh = False
        ending = row >= rows
        times = 1
        if repeats.size and not ending:
            times = repeats[row]
        changing = not ending and clock == due and times > 0
        second = row + 1 if done + 1 >= times else row
        first_at = 0 if ending else row * n
        second_at = second * n if second < rows else first_at
        for k in range(models):
            at = k * weights
            p, q = number(gains[k]), number(gains[models + k])
            if spherical:
                h, h1, cross, a, a1, odd[0], odd[1] = spherical_pass(
                    n, flat, first_at, flat, second_at, flat, before, flat, last,
                    middle, 0, scale, 0, ms, at, ms, at, p, q, clip, none
                )  # fmt: skip
                loss = 0.0
            else:
                h, a, h1, a1, cross, loss, odd[0], odd[1] = diagonal_pass(
                    n, flat, first_at, flat, second_at, flat, before, flat, last,
                    middle, 0, scale, 0, ms, at, vs, at, ms, at, vs, at, p,
                    number(gains[2 * models + k]), q, number(gains[3 * models + k]),
                    clip, none
                )  # fmt: skip
            found[k], found[models + k] = h, h1
            found[2 * models + k], found[3 * models + k] = a, a1
            found[4 * models + k], found[5 * models + k] = cross, loss
        for i in range(4 * models):
            gains[i] = 0.0
        if ending or changing:
            if single:  # the intercept is in double precision already
                for i in range(size):
                    if i % weights < n:
                        mean[i] = ms[i]
                        if not spherical:
                            belief[i] = vs[i]
            count[CLOCK] = clock
            if ending:
                break
            if odd[0] != 0.0:  # NaN too
                return row
            if piece > 0 and clock % piece == 0 and clock != drifted:
                variances = models if spherical else size
                drift(mean, size, belief, variances, keep, numbers[PRIOR])
                drifted = clock
            if clock == int(count[NEXT_CHANGE]):
                change_before(place, flat, first_at)
            fresh, due = single, int(count[NEXT_CHANGE])
            if piece > 0:
                due = min(due, clock + piece - clock % piece)
            continue
        before, last = first_at, second_at
        added[0] = added[1] = 0.0
        for turn in range(2):
            if turn == 1:
                # Is there a row, and no change before it?
                if row >= rows:
                    break
                times = repeats[row] if repeats.size else 1
                if clock == due and times > 0:
                    break
            if odd[turn] != 0.0:  # NaN too
                return row
            exact = True
            for k in range(models):
                own = turn * models + k
                h, a = found[own], found[2 * models + own]
                if turn == 1:
                    h += gains[k] * found[4 * models + k]
                    if not spherical:
                        whole = a
                        a -= gains[2 * models + k] * found[5 * models + k]
                        exact = exact and _LEFT * whole <= a <= whole / _LEFT
                if spherical:
                    a = belief[k] * (a + (1.0 if bias else 0.0))
                if exact and not abs(h) + a <= HUGE:
                    return row
                if bias:
                    at = k * weights + n
                    h += mean[at]
                    if not spherical:
                        a += belief[at]
                work[k], work[models + k] = h, a
            if not exact:  # a difference of large numbers: once more, as a first row
                break
            odds_place = 0
            if odds.size and done == 0:
                odds_place = address_of(odds) + 8 * models * row
            learn_label_at(table[LEARN_LABEL])(
                place, codes[row] if times > 0 else -1, odds_place
            )
            if times > 0:
                for k in range(models):
                    slope, curvature = work[2 * models + k], work[3 * models + k]
                    own, at = turn * models + k, k * weights + n
                    if spherical:
                        v = belief[k]
                        gains[own] = slope * v
                        belief[k] = v - curvature * v * work[models + k] * share
                        if bias:
                            mean[at] += slope * v
                    else:
                        gains[own], gains[2 * models + own] = slope, curvature
                        if bias:
                            v = belief[at]
                            mean[at] += slope * v
                            belief[at] = v - curvature * v * v
                if summed and (forgets or counts(clock)):
                    added[turn] = 1.0
                    count[WEIGHT] += 1.0
                clock += 1
            done += 1
            if done >= times:
                row, done = row + 1, 0
        if added[0] + added[1] > 0.0:
            add_rows(
                n, flat, before, flat, last, center, 0, inverse, 0, sums, 0, sums, n,
                sums, 0, sums, n, added[0], added[1], REACH, 0.0
            )  # fmt: skip
    count_evidence(table)
    return -1


def _kernel(number: Any) -> Any:
    whole = types.Array(types.int64, 1, "C", readonly=True)
    rows = types.Array(number, 2, "C", readonly=True)
    given = rows, whole, whole, types.float64[:, ::1], types.int64
    return kernel(types.int64, *given)(_learn)


learn_singles, learn_doubles = _kernel(types.float32), _kernel(types.float64)
