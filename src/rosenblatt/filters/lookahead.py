r"""The loop for one model that sees each row once, one row ahead of what is learned.

The pass over row t moves the belief by row t - 2, and finds what the field is for any
news that the label of row t - 1 may bring. With one variance s and the last gain,

.. math::
    m_t \cdot z_t = m_{t-1} \cdot z_t + \mathrm{gain}\; z_{t-1} \cdot z_t,   \tag{1}

and with a variance for each weight, slope g, curvature c and
:math:`q = v\, z_{t-1} z_t`,

.. math::
    \sum m_t z_t = \sum m_{t-1} z_t + g \sum q, \qquad
    \sum v_t z_t^2 = \sum v_{t-1} z_t^2 - c \sum q^2.   \tag{2}

So the pass does not wait for what the label before has told, which takes as long as a
pass over 200 columns. Otherwise this is :mod:`rosenblatt.filters.spherical` and
:mod:`rosenblatt.filters.diagonal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.loops import LANES, sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State
from rosenblatt.filters.row import (
    HUGE,
    framed,
    moved,
    narrowed,
    news,
    observe,
    settle,
    write_odds,
)

__all__ = ["LEFT", "foresee_diagonal", "foresee_spherical"]

LEFT = 0.125  # of a variance that is found as a difference: three bits are lost


def _foresee_spherical(
    x: Any, center: Any, scale: Any, m: Any, last: Any, before: Any,
    gain: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Move the mean by the row before the last; find the next, and sums of eq. (1)."""
    z = framed(x, center, scale, clip, none)
    m = m + before * gain
    return (z, m), (m * z, last * z, z * z, x * none)


def _foresee_diagonal(
    x: Any, center: Any, scale: Any, m: Any, v: Any, last: Any, before: Any,
    slope: Any, curvature: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Learn the row before the last; find the next row, and sums of eq. (2)."""
    z = framed(x, center, scale, clip, none)
    m, v = moved(m, v, before, slope, curvature)
    q = v * last * z
    return (z, m, v), (m * z, v * z * z, q, q * q, x * none)


def _move(m: Any, z: Any, gain: Any) -> Any:
    """Move the mean by a row."""
    return (m + z * gain,), ()


def _learn(m: Any, v: Any, z: Any, slope: Any, curvature: Any) -> Any:
    """Learn a row."""
    return moved(m, v, z, slope, curvature), ()


def _look(m: Any, v: Any, z: Any, none: Any) -> Any:
    """Find mean and variance of the field."""
    return (), (m * z + none, v * z * z)


_foreseeing_spherical = sweep(
    _foresee_spherical, reads=6, writes=2, sums=4, streamed=1, padded=True
)
_foreseeing_diagonal = sweep(
    _foresee_diagonal, reads=7, writes=3, sums=5, streamed=1, padded=True
)
_moving = sweep(_move, reads=2, writes=1, sums=0)
_learning = sweep(_learn, reads=3, writes=2, sums=0)
_looking = sweep(_look, reads=3, writes=0, sums=2)


@inlined
def foresee_spherical(
    X: FloatArray,
    codes: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    state: State,
    clock: int,
) -> int:
    """Return the first row that is not finite, or -1."""
    center, inverse_scale, moments, noise, mean, tally, clip, width = state
    size, (rows, n) = mean.shape[1], X.shape
    # Arrays of whole registers; what is added is zero, and stays so.
    length = -(-n // LANES) * LANES
    own, inputs = np.zeros(length, X.dtype), np.zeros(2 * length, X.dtype)
    place, scale = np.zeros(length, X.dtype), np.zeros(length, X.dtype)
    own[:n] = mean[0, :n]
    place[:n], scale[:n] = center, narrowed(inverse_scale, X)
    number = X.dtype.type
    farthest, none = number(clip), number(0.0)
    gain = before = none  # of the last row, and of the one before
    bias = size - n
    share = 1.0 / size
    table = X.reshape(-1)
    waiting, products, chances = np.zeros(8), np.ones(1), np.empty((2, 1))
    offset, s = (mean[0, n] if bias else 0.0), belief[0]
    for row in range(rows):
        now, last = (row & 1) * length, (~row & 1) * length
        h, cross, z2, odd = _foreseeing_spherical(
            n, table, row * n, place, 0, scale, 0, own, 0, inputs, last, inputs, now,
            inputs, now, own, 0, before, farthest, none
        )  # fmt: skip
        h += gain * cross + offset  # eq. (1)
        z2 += bias
        if not (odd == 0.0 and abs(h) + z2 <= HUGE):
            return row
        observe(table, row, rows, clock, 1.0, waiting, center, inverse_scale, moments)
        a = s * z2
        if odds.size:
            write_odds(np.array([h]), np.array([a]), width, noise, chances, odds[row])
        told = news(h, width + a, 2.0 * codes[row] - 1.0, noise[0], products[0], tally)
        products[0] = told.product
        before, gain = gain, number(told.slope * s)
        if bias:
            offset += told.slope * s
        s -= told.curvature * s * a * share
    now, last = (rows & 1) * length, (~rows & 1) * length
    _moving(n, own, 0, inputs, now, own, 0, before)
    _moving(n, own, 0, inputs, last, own, 0, gain)
    mean[0, :n] = own[:n]
    if bias:
        mean[0, n] = offset
    belief[0] = s
    settle(tally, products)
    return -1


@inlined
def foresee_diagonal(
    X: FloatArray,
    codes: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    state: State,
    clock: int,
) -> int:
    """Return the first row that is not finite, or -1."""
    center, inverse_scale, moments, noise, mean, tally, clip, width = state
    rows, n = X.shape
    # Arrays of whole registers; what is added is zero, and stays so.
    length = -(-n // LANES) * LANES
    ms, vs = np.zeros(length, X.dtype), np.zeros(length, X.dtype)
    place, scale = np.zeros(length, X.dtype), np.zeros(length, X.dtype)
    inputs = np.zeros(2 * length, X.dtype)
    ms[:n], vs[:n] = mean[0, :n], belief[0, :n]
    place[:n], scale[:n] = center, narrowed(inverse_scale, X)
    number = X.dtype.type
    farthest, none = number(clip), number(0.0)
    # What the last row has told, and the one before.
    slope = curvature = slope_before = curvature_before = none
    table = X.reshape(-1)
    waiting, products, chances = np.zeros(8), np.ones(1), np.empty((2, 1))
    bias = mean.shape[1] > n
    offset, spread = (mean[0, n], belief[0, n]) if bias else (0.0, 0.0)
    for row in range(rows):
        now, last = (row & 1) * length, (~row & 1) * length
        h, a, cross, squares, odd = _foreseeing_diagonal(
            n, table, row * n, place, 0, scale, 0, ms, 0, vs, 0, inputs, last,
            inputs, now, inputs, now, ms, 0, vs, 0, slope_before, curvature_before,
            farthest, none
        )  # fmt: skip
        if odd != 0.0:  # NaN too
            return row
        whole = a
        h, a = h + slope * cross, a - curvature * squares  # eq. (2)
        if not (LEFT * whole <= a <= whole / LEFT):
            # A difference of large numbers, or an overflow: once more, without eq. (2).
            _learning(n, ms, 0, vs, 0, inputs, last, ms, 0, vs, 0, slope, curvature)
            h, a = _looking(n, ms, 0, vs, 0, inputs, now, none)
            slope = curvature = none
        if not abs(h) + a <= HUGE:
            return row
        observe(table, row, rows, clock, 1.0, waiting, center, inverse_scale, moments)
        h += offset
        a += spread
        if odds.size:
            write_odds(np.array([h]), np.array([a]), width, noise, chances, odds[row])
        told = news(h, width + a, 2.0 * codes[row] - 1.0, noise[0], products[0], tally)
        products[0] = told.product
        slope_before, curvature_before = slope, curvature
        slope, curvature = number(told.slope), number(told.curvature)
        offset += spread * told.slope
        spread -= told.curvature * spread * spread
    now, last = (rows & 1) * length, (~rows & 1) * length
    _learning(
        n, ms, 0, vs, 0, inputs, now, ms, 0, vs, 0, slope_before, curvature_before
    )
    _learning(n, ms, 0, vs, 0, inputs, last, ms, 0, vs, 0, slope, curvature)
    mean[0, :n], belief[0, :n] = ms[:n], vs[:n]
    if bias:
        mean[0, n], belief[0, n] = offset, spread
    settle(tally, products)
    return -1
