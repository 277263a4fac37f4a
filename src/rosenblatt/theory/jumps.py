"""Jumps of a function of one number and of a schedule, found on a refined grid."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled
from rosenblatt.core import Clock, Schedule
from rosenblatt.core.types import FloatArray

__all__ = ["jumps", "rate_jumps"]

_STEEP = 1e-3  # relative change between neighbours that is worth a closer look
_TIMES = 4000  # at which a rate is tried, evenly and on a logarithmic scale


def jumps(
    function: Callable[[FloatArray], FloatArray], grid: npt.ArrayLike
) -> list[tuple[float, float]]:
    """Return pairs of neighbouring floats between which a function jumps.

    All steep intervals are halved together, so the function is called with arrays. The
    grid must be so fine that no two jumps lie between neighbours; a smooth function
    may be arbitrarily steep.

    Examples
    --------
    >>> [(low, high)] = jumps(lambda x: (x < 0.5) * 1.0, [0.0, 0.3, 0.7, 1.0])
    >>> low < 0.5 == high
    True
    """
    x = np.asarray(grid, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # heights of what is infinite on both sides
        values = function(x)
        height = np.abs(np.diff(values))
        size = np.abs(values)
        steep = height > _STEEP * np.maximum(size[:-1], size[1:])
        ends = np.array([x[:-1], x[1:]])[:, steep]
        sides = np.array([values[:-1], values[1:]])[:, steep]
        while True:
            middle = 0.5 * (ends[0] + ends[1])
            open_ = np.flatnonzero((ends[0] < middle) & (middle < ends[1]))
            if not open_.size:
                break
            middle = middle[open_]
            found = function(middle)
            before, after = np.abs(sides[:, open_] - found)
            side = np.where(before < after, 0, 1)  # the end that moves to the middle
            ends[side, open_], sides[side, open_] = middle, found
        sharp = np.abs(sides[1] - sides[0]) > 0.5 * height[steep]
    return [(low, high) for low, high in ends[:, sharp].T.tolist()]


def rate_jumps(schedule: Schedule, alpha: float) -> list[tuple[float, float]]:
    """Return where the rate jumps before ``alpha``: last time before, first after."""
    if schedule.smooth or alpha <= 0:
        return []
    rate = compiled(schedule)
    even = np.linspace(0, alpha, _TIMES)
    grid = np.union1d(even, np.geomspace(1e-6 * alpha, alpha, _TIMES))

    def rates(times: FloatArray) -> FloatArray:
        return np.array([rate(Clock(t, t, math.inf)) for t in times.tolist()])

    return jumps(rates, grid)
