r"""The loop for one model that sees each row once, two rows in a pass, for long rows.

Of long rows the belief, the frame and the inputs are in no fast cache, and a pass is as
long as it takes to fetch them. One pass moves the belief by two rows and finds, for the
next two, what their fields are: of the first as it is, of the second by eqs. (1) or (2)
of :mod:`rosenblatt.filters.lookahead`. Inputs in the frame are found again from
the rows, which are near, instead of kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State
from rosenblatt.filters.lookahead import LEFT
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

__all__ = ["PAIRED", "pair_diagonal", "pair_spherical"]

PAIRED = 500  # columns from which on this is faster: at 1000 it is, at 100 not


def _arrive_spherical(
    x: Any, y: Any, before: Any, last: Any, center: Any, scale: Any, m: Any,
    p: Any, q: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Move the mean by two rows; find fields, product and lengths of the next two."""
    m = m + framed(before, center, scale, clip, none) * p
    m = m + framed(last, center, scale, clip, none) * q
    s, t = framed(x, center, scale, clip, none), framed(y, center, scale, clip, none)
    return (m,), (m * s, m * t, s * t, s * s, t * t, x * none, y * none)


def _arrive_diagonal(
    x: Any, y: Any, before: Any, last: Any, center: Any, scale: Any, m: Any, v: Any,
    g: Any, c: Any, slope: Any, curvature: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Learn two rows; find what the fields of the next two are made of."""
    m, v = moved(m, v, framed(before, center, scale, clip, none), g, c)
    m, v = moved(m, v, framed(last, center, scale, clip, none), slope, curvature)
    s, t = framed(x, center, scale, clip, none), framed(y, center, scale, clip, none)
    q = v * s * t
    sums = (m * s, v * s * s, m * t, v * t * t, q, q * q, x * none, y * none)
    return (m, v), sums


def _learn(
    x: Any, y: Any, center: Any, scale: Any, m: Any, v: Any,
    slope: Any, curvature: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Learn a row, and find mean and variance of the field of another."""
    m, v = moved(m, v, framed(x, center, scale, clip, none), slope, curvature)
    z = framed(y, center, scale, clip, none)
    return (m, v), (m * z, v * z * z)


_spherical = sweep(_arrive_spherical, reads=7, writes=1, sums=7, streamed=2)
_diagonal = sweep(_arrive_diagonal, reads=8, writes=2, sums=8, streamed=2)
_learning = sweep(_learn, reads=6, writes=2, sums=2)


@inlined
def pair_spherical(
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
    number = X.dtype.type
    own = mean[0, :n].astype(X.dtype)
    place, scale = center.astype(X.dtype), narrowed(inverse_scale, X)
    farthest, none = number(clip), number(0.0)
    gains = np.zeros(2, X.dtype)
    bias = size - n
    share = 1.0 / size
    table = X.reshape(-1)
    waiting, products, chances = np.zeros(8), np.ones(1), np.empty((2, 1))
    fields, squares, odd = np.empty(2), np.empty(2), np.empty(2)
    offset, s = (mean[0, n] if bias else 0.0), belief[0]
    before = last = 0
    for first in range(0, rows, 2):
        second = min(first + 1, rows - 1)  # a single row at the end comes twice
        fields[0], fields[1], cross, squares[0], squares[1], odd[0], odd[1] = (
            _spherical(
                n, table, first * n, table, second * n, table, before, table, last,
                place, 0, scale, 0, own, 0, own, 0, gains[0], gains[1], farthest, none
            )
        )  # fmt: skip
        gains[:] = none
        before, last = first * n, second * n
        for row in range(first, second + 1):
            turn = row - first
            h = fields[turn]
            if turn:  # the product is not finite if one of the rows is not
                h += gains[0] * cross
            h += offset
            z2 = squares[turn] + bias
            if not (odd[turn] == 0.0 and abs(h) + z2 <= HUGE):
                return row
            observe(
                table, row, rows, clock, 1.0, waiting, center, inverse_scale, moments
            )
            a = s * z2
            if odds.size:
                given = np.array([h]), np.array([a])
                write_odds(*given, width, noise, chances, odds[row])
            told = news(
                h, width + a, 2.0 * codes[row] - 1.0, noise[0], products[0], tally
            )
            products[0] = told.product
            gains[turn] = told.slope * s
            if bias:
                offset += told.slope * s
            s -= told.curvature * s * a * share
    _spherical(
        n, table, 0, table, 0, table, before, table, last, place, 0, scale, 0, own, 0,
        own, 0, gains[0], gains[1], farthest, none
    )  # fmt: skip
    mean[0, :n] = own
    if bias:
        mean[0, n] = offset
    belief[0] = s
    settle(tally, products)
    return -1


@inlined
def pair_diagonal(
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
    number = X.dtype.type
    ms, vs = mean[0, :n].astype(X.dtype), belief[0, :n].astype(X.dtype)
    place, scale = center.astype(X.dtype), narrowed(inverse_scale, X)
    farthest, none = number(clip), number(0.0)
    slopes, bends = np.zeros(2, X.dtype), np.zeros(2, X.dtype)
    table = X.reshape(-1)
    waiting, products, chances = np.zeros(8), np.ones(1), np.empty((2, 1))
    fields, squares, odd = np.empty(2), np.empty(2), np.empty(2)
    bias = mean.shape[1] > n
    offset, spread = (mean[0, n], belief[0, n]) if bias else (0.0, 0.0)
    before = last = 0
    for first in range(0, rows, 2):
        second = min(first + 1, rows - 1)  # a single row at the end comes twice
        fields[0], squares[0], fields[1], squares[1], cross, loss, odd[0], odd[1] = (
            _diagonal(
                n, table, first * n, table, second * n, table, before, table, last,
                place, 0, scale, 0, ms, 0, vs, 0, ms, 0, vs, 0, slopes[0], bends[0],
                slopes[1], bends[1], farthest, none
            )
        )  # fmt: skip
        slopes[:] = none
        bends[:] = none
        before, last = first * n, second * n
        for row in range(first, second + 1):
            turn = row - first
            if odd[turn] != 0.0:  # NaN too
                return row
            h, a = fields[turn], squares[turn]
            if turn:
                h, a = h + slopes[0] * cross, a - bends[0] * loss
                if not (LEFT * squares[1] <= a <= squares[1] / LEFT):
                    # A difference of large numbers, or an overflow: without it.
                    h, a = _learning(
                        n, table, before, table, last, place, 0, scale, 0, ms, 0,
                        vs, 0, ms, 0, vs, 0, slopes[0], bends[0], farthest, none
                    )  # fmt: skip
                    slopes[0] = bends[0] = none
            if not abs(h) + a <= HUGE:
                return row
            observe(
                table, row, rows, clock, 1.0, waiting, center, inverse_scale, moments
            )
            h += offset
            a += spread
            if odds.size:
                given = np.array([h]), np.array([a])
                write_odds(*given, width, noise, chances, odds[row])
            told = news(
                h, width + a, 2.0 * codes[row] - 1.0, noise[0], products[0], tally
            )
            products[0] = told.product
            slopes[turn], bends[turn] = told.slope, told.curvature
            offset += spread * told.slope
            spread -= told.curvature * spread * spread
    _diagonal(
        n, table, 0, table, 0, table, before, table, last, place, 0, scale, 0, ms, 0,
        vs, 0, ms, 0, vs, 0, slopes[0], bends[0], slopes[1], bends[1], farthest, none
    )  # fmt: skip
    mean[0, :n], belief[0, :n] = ms, vs
    if bias:
        mean[0, n], belief[0, n] = offset, spread
    settle(tally, products)
    return -1
