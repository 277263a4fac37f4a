"""Kernels that write columns into a block in row order."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN, inlined, kernel
from rosenblatt.compiling.vector.memory import (
    double_at,
    half_word_at,
    single_at,
    word_at,
)
from rosenblatt.compiling.vector.tiles import SIDE, fetch, tile_of
from rosenblatt.core.types import IntArray

__all__ = ["KINDS", "place_double", "place_single"]

KINDS = ("float", "double", "int32", "int64")  # of columns, by their number here
# Rows that are written together. They stay in the cache, which has a megabyte or half
# of one, while columns are read for long enough to be fetched ahead.
_STRIP = 512
_LINE = 64  # bytes that memory gives at once
_FAR = 4096  # bytes ahead of what is read
_LOADS = (single_at, double_at, half_word_at, word_at)
_SIZES = (4, 8, 4, 8)


def _placing(source: int, target: str) -> Any:
    """Return compiled code that copies columns of one type."""
    load, size = _LOADS[source], _SIZES[source]
    tile = tile_of(KINDS[source], target)

    @inlined
    def place(places: IntArray, where: IntArray, first: int, strip: Any) -> None:
        columns, rows, skip = len(places), len(strip), size * first
        stride = strip.shape[1] * strip.itemsize
        begin = strip.ctypes.data
        c = 0
        while c < columns:
            square = c + SIDE <= columns and where[c + SIDE - 1] - where[c] == SIDE - 1
            done = 0 if PLAIN or not square else rows - rows % SIDE
            for i in range(0, done, SIDE):
                to = begin + stride * i + strip.itemsize * where[c]
                tile(places, c, skip + size * i, to, stride)
            many = SIDE if square else 1
            for k in range(c, c + many):
                for i in range(done, rows):
                    strip[i, where[k]] = load(places[k] + skip, i)
            c += many

    return place


def _vanishing(load: Any, none: Any) -> Any:
    """Return compiled code that checks that all numbers are finite.

    Only then is the sum of their products with zero not NaN.
    """

    @inlined
    def vanishes(place: int, count: int) -> bool:
        total = none
        for i in range(count):
            total += load(place, i) * none
        return bool(total == none)

    return vanishes


_finite_singles = _vanishing(single_at, 0.0 if PLAIN else np.float32(0.0))
_finite_doubles = _vanishing(double_at, 0.0)


@inlined
def _finite(places: IntArray, kind: int, first: int, count: int) -> bool:
    """Return whether some rows are finite; this also loads them into the cache."""
    finite = True
    for c in range(len(places)):
        if kind == 0 or kind == 2:
            begin, size = places[c] + 4 * first, 4 * count
        else:
            begin, size = places[c] + 8 * first, 8 * count
        if not PLAIN:
            for line in range(0, size, _LINE):
                fetch(begin + _FAR + line)
        if kind == 0:
            finite &= _finite_singles(begin, count)
        elif kind == 1:
            finite &= _finite_doubles(begin, count)
    return finite


_singles_to_single, _halves_to_single = _placing(0, "float"), _placing(2, "float")
_singles, _doubles = _placing(0, "double"), _placing(1, "double")
_halves, _wholes = _placing(2, "double"), _placing(3, "double")
_COLUMNS = types.int64[::1], types.int64[::1], types.int64


@kernel(types.boolean, *_COLUMNS, types.float32[:, ::1])
def place_single(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns that begin at ``places`` to the columns ``where`` of a block.

    ``where`` must increase, and the columns be such that a block of single precision
    holds. Returned is whether all numbers are finite, for certain.
    """
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles_to_single(places, where, first, strip)
        else:
            _halves_to_single(places, where, first, strip)
    return finite


@kernel(types.boolean, *_COLUMNS, types.float64[:, ::1])
def place_double(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns to a block of double precision, as ``place_single`` does."""
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles(places, where, first, strip)
        elif kind == 1:
            _doubles(places, where, first, strip)
        elif kind == 2:
            _halves(places, where, first, strip)
        else:
            _wholes(places, where, first, strip)
    return finite
