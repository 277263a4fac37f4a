"""Columns side by side, in the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from rosenblatt.core.files.memory import double_at, half_word_at, single_at, word_at
from rosenblatt.core.jit import IntArray, inlined, kernel

__all__ = ["KINDS", "place_double", "place_single"]

KINDS = ("float", "double", "int32", "int64")  # of columns, by their number here
# Rows that are written together. They stay in the cache, which has a megabyte or half
# of one, while columns are read for long enough to be fetched ahead.
_STRIP = 512


def _placing(load: Any, size: int) -> Any:
    """Return the piece of a kernel that reads columns of one type."""

    @inlined
    def place(places: IntArray, where: IntArray, first: int, strip: Any) -> None:
        columns, skip = len(places), size * first
        whole = columns - columns % 4
        for c in range(0, whole, 4):  # so that what is written is side by side
            p, q = places[c] + skip, places[c + 1] + skip
            r, s = places[c + 2] + skip, places[c + 3] + skip
            a, b, d, e = where[c], where[c + 1], where[c + 2], where[c + 3]
            for i in range(len(strip)):
                row = strip[i]
                row[a] = load(p, i)
                row[b] = load(q, i)
                row[d] = load(r, i)
                row[e] = load(s, i)
        for c in range(whole, columns):
            p, a = places[c] + skip, where[c]
            for i in range(len(strip)):
                strip[i, a] = load(p, i)

    return place


_singles, _doubles = _placing(single_at, 4), _placing(double_at, 8)
_halves, _wholes = _placing(half_word_at, 4), _placing(word_at, 8)


def _vanishing(load: Any, none: Any) -> Any:
    """Return the piece of a kernel that tells if all numbers are finite, for certain.

    Only then is the sum of their products with zero not NaN.
    """

    @inlined
    def vanishes(place: int, count: int) -> bool:
        total = none
        for i in range(count):
            total += load(place, i) * none
        return bool(total == none)

    return vanishes


_finite_singles = _vanishing(single_at, np.float32(0.0))
_finite_doubles = _vanishing(double_at, 0.0)


def _place(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns that begin at ``places`` to the columns ``where`` of a block.

    Returned is whether all numbers are finite, for certain.
    """
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        if kind == 0:
            for c in range(len(places)):
                finite &= _finite_singles(places[c] + 4 * first, len(strip))
            _singles(places, where, first, strip)
        elif kind == 1:
            for c in range(len(places)):
                finite &= _finite_doubles(places[c] + 8 * first, len(strip))
            _doubles(places, where, first, strip)
        elif kind == 2:
            _halves(places, where, first, strip)
        else:
            _wholes(places, where, first, strip)
    return finite


_columns = types.int64[::1]
place_single = kernel(
    types.boolean, _columns, _columns, types.int64, types.float32[:, ::1]
)(_place)
place_double = kernel(
    types.boolean, _columns, _columns, types.int64, types.float64[:, ::1]
)(_place)
