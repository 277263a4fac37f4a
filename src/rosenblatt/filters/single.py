r"""One row through a filter of one model, in place.

The updates are those of :mod:`rosenblatt.filters.spherical` and
:mod:`rosenblatt.filters.diagonal`, in the precision of the row. For many rows it
pays to copy what is believed to where it is read fast; for a single row of many columns
the copies take longer than all the rest.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State, diagonal_at, spherical_at, state_at
from rosenblatt.filters.label_law import LOG_EVIDENCE
from rosenblatt.filters.row import (
    CODES,
    HUGE,
    MATRIX,
    REACH,
    News,
    counts,
    framed,
    log_odds,
    moved,
    news,
    rows_of,
)

__all__ = ["ROW_KERNELS"]


def _arrive_spherical(
    x: Any, center: Any, scale: Any, m: Any, clip: Any, most: Any, none: Any
) -> Any:
    """Find the row in the frame, its field, its length, and if it is finite."""
    z = framed(x, center, scale.clip(none, most), clip, none)
    return (z,), (m * z, z * z, x * none)


def _arrive_diagonal(
    x: Any, center: Any, scale: Any, m: Any, v: Any, clip: Any, most: Any, none: Any
) -> Any:
    """Find the row in the frame, mean and variance of its field, if it is finite."""
    z = framed(x, center, scale.clip(none, most), clip, none)
    return (z,), (m * z, v * z * z, x * none)


def _move(m: Any, z: Any, gain: Any) -> Any:
    """Move the mean by a row."""
    return (m + z * gain,), ()


def _learn(m: Any, v: Any, z: Any, slope: Any, curvature: Any) -> Any:
    """Learn a row."""
    return moved(m, v, z, slope, curvature), ()


def _count(
    x: Any, center: Any, scale: Any, first: Any, second: Any, reach: Any, none: Any
) -> Any:
    """Add a row to the sums of deviations and of their squares."""
    far = framed(x, center, scale, reach, none)
    return (first + far, second + far * far), ()


_arriving_spherical = sweep(_arrive_spherical, reads=4, writes=1, sums=3)
_arriving_diagonal = sweep(_arrive_diagonal, reads=5, writes=1, sums=3)
_moving = sweep(_move, reads=2, writes=1, sums=0)
_learning = sweep(_learn, reads=3, writes=2, sums=0)
_counting = sweep(_count, reads=5, writes=2, sums=0)


@inlined
def _told(
    h: float,
    a: float,
    x: FloatArray,
    code: int,
    odds: FloatArray,
    state: State,
    clock: int,
) -> News:
    """Count the row for the frame, predict it if asked, and return what it tells."""
    center, inverse_scale, moments, noise, _, tally, _, width = state
    n = center.size
    if moments.size and (clock < 0 or counts(clock)):
        _counting(
            n, x, 0, center, 0, inverse_scale, 0, moments, 0, moments, n,
            moments, 0, moments, n, REACH, 0.0
        )  # fmt: skip
    if odds.size:
        odds[0, 0] = log_odds(h, width + a, noise[0])
    told: News = news(h, width + a, 2.0 * code - 1.0, noise[0], 1.0, tally)
    tally[0, LOG_EVIDENCE] += math.log(told.product)
    return told


def _spherical(
    X: FloatArray, codes: IntArray, odds: FloatArray, place: int, clock: int
) -> int:
    """Return 0 if the row is not finite, else -1."""
    state, belief = state_at(place), spherical_at(place)
    center, inverse_scale, _, _, mean, _, clip, _ = state
    size, n = mean.shape[1], X.shape[1]
    x, m, z = X[0], mean[0], np.empty(n, X.dtype)
    number = X.dtype.type
    none, most = number(0.0), np.finfo(X.dtype).max
    h, z2, odd = _arriving_spherical(
        n, x, 0, center, 0, inverse_scale, 0, m, 0, z, 0, number(clip), most, none
    )
    if not (odd == 0.0 and abs(h) + z2 <= HUGE):
        return 0
    bias = size - n
    if bias:
        h += m[n]
    s = belief[0]
    a = s * (z2 + bias)
    told = _told(h, a, x, codes[0], odds, state, clock)
    gain = told.slope * s
    _moving(n, m, 0, z, 0, m, 0, number(gain))
    if bias:
        m[n] += gain
    belief[0] = s - told.curvature * s * a / size
    return -1


def _diagonal(
    X: FloatArray, codes: IntArray, odds: FloatArray, place: int, clock: int
) -> int:
    """Return 0 if the row is not finite, else -1."""
    state, belief = state_at(place), diagonal_at(place)
    center, inverse_scale, _, _, mean, _, clip, _ = state
    n = X.shape[1]
    x, m, v = X[0], mean[0], belief[0]
    z = np.empty(n, X.dtype)
    number = X.dtype.type
    none, most = number(0.0), np.finfo(X.dtype).max
    h, a, odd = _arriving_diagonal(
        n, x, 0, center, 0, inverse_scale, 0, m, 0, v, 0, z, 0, number(clip), most, none
    )
    if not (odd == 0.0 and abs(h) + a <= HUGE):
        return 0
    bias = m.size > n
    if bias:
        h += m[n]
        a += v[n]
    told = _told(h, a, x, codes[0], odds, state, clock)
    slope, curvature = number(told.slope), number(told.curvature)
    _learning(n, m, 0, v, 0, z, 0, m, 0, v, 0, slope, curvature)
    if bias:
        own = v[n]
        m[n] += own * told.slope
        v[n] = own - told.curvature * own * own
    return -1


def _kernel(number: Any, loop: Any) -> Any:
    given = rows_of(number), CODES, MATRIX, types.int64, types.int64
    return kernel(types.int64, *given)(loop)


spherical_single = _kernel(types.float32, _spherical)
spherical_double = _kernel(types.float64, _spherical)
diagonal_single = _kernel(types.float32, _diagonal)
diagonal_double = _kernel(types.float64, _diagonal)
ROW_KERNELS = {  # by covariance and the bytes of a number
    ("spherical", 4): spherical_single,
    ("spherical", 8): spherical_double,
    ("diagonal", 4): diagonal_single,
    ("diagonal", 8): diagonal_double,
}
