"""Jumps of a function of one number, found on a grid that is refined."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

__all__ = ["jumps"]

_STEEP = 1e-3  # relative change between neighbours that is worth a closer look


def jumps(
    function: Callable[[float], float], grid: Iterable[float]
) -> list[tuple[float, float]]:
    """Return pairs of neighbouring floats between which a function jumps.

    The grid must be so fine that no two jumps lie between neighbours; a smooth function
    may be as steep as it likes.

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
