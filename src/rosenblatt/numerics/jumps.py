"""Jumps of a function of one number and of a schedule, found on a refined grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

import numpy as np

from rosenblatt.compiling import compiled
from rosenblatt.core import Clock, Schedule

__all__ = ["jumps", "rate_jumps"]

_STEEP = 1e-3  # relative change between neighbours that is worth a closer look
_TIMES = 4000  # at which a rate is tried, evenly and on a logarithmic scale


def jumps(
    function: Callable[[float], float], grid: Iterable[float]
) -> list[tuple[float, float]]:
    """Return pairs of neighbouring floats between which a function jumps.

    The grid must be so fine that no two jumps lie between neighbours; a smooth function
    may be arbitrarily steep.

    Examples
    --------
    >>> [(low, high)] = jumps(lambda x: 1.0 if x < 0.5 else 0.0, [0.0, 0.3, 0.7, 1.0])
    >>> low < 0.5 == high
    True
    """
    found = []
    for (low, before), (high, after) in itertools.pairwise(
        (x, function(x)) for x in grid
    ):
        height = abs(after - before)
        if not height > _STEEP * max(abs(before), abs(after)):
            continue
        while True:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            value = function(middle)
            if abs(value - before) < abs(after - value):
                low, before = middle, value
            else:
                high, after = middle, value
        if abs(after - before) > 0.5 * height:
            found.append((low, high))
    return found


def rate_jumps(schedule: Schedule, alpha: float) -> list[tuple[float, float]]:
    """Return where the rate jumps before ``alpha``: last time before, first after."""
    if schedule.smooth or alpha <= 0:
        return []
    rate = compiled(schedule)
    even = np.linspace(0, alpha, _TIMES)
    grid = np.union1d(even, np.geomspace(1e-6 * alpha, alpha, _TIMES))
    return jumps(lambda time: float(rate(Clock(time, time, math.inf))), grid.tolist())
