"""The loops over dense rows: what the filters do with rows, and between them.

There is one kernel for each kind of belief and each precision of the rows. Beliefs with
variances are changed inside, whenever it is due. A full covariance is not: that takes
many times longer than to call a kernel, and is done by NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import (
    CHANGE,
    CLOCK,
    State,
    diagonal_at,
    full_at,
    spherical_at,
    state_at,
    upkeep_at,
)
from rosenblatt.filters.diagonal import advance_diagonal
from rosenblatt.filters.full import advance_full
from rosenblatt.filters.row import CODES, MATRIX, rows_of
from rosenblatt.filters.spherical import advance_spherical
from rosenblatt.filters.upkeep import (
    change_in_place,
    copies,
    count_rows,
    put_back,
    row_clock,
    watched,
)

__all__ = ["KERNELS"]


@inlined
def _advance(
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    state: State,
    clock: int,
) -> int:
    """Learn rows under one frame; only the branch of this belief is compiled."""
    if belief.ndim == 1:
        return advance_spherical(X, codes, repeats, odds, belief, state, clock)  # type: ignore[no-any-return]
    if belief.ndim == 2:
        return advance_diagonal(X, codes, repeats, odds, belief, state, clock)  # type: ignore[no-any-return]
    return advance_full(X, codes, repeats, odds, belief, state, clock)  # type: ignore[no-any-return]


@inlined
def _learn_piece(
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    place: int,
) -> int:
    """Learn rows before the next change; return the first that is not finite, or -1."""
    upkeep, again = upkeep_at(place), repeats.size > 0
    state = watched(upkeep, state_at(place), again)
    clock = row_clock(upkeep, again)
    fault: int = _advance(X, codes, repeats, odds, belief, state, clock)
    if fault < 0:
        count_rows(upkeep, repeats.sum() if again else len(X), again)
    return fault


@inlined
def _learn(
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    place: int,
) -> int:
    """Learn rows, with all changes if they come once each.

    Return the first row that is not finite, or -1. If it is the only one, nothing has
    changed.
    """
    if repeats.size:
        return _learn_piece(X, codes, repeats, odds, belief, place)  # type: ignore[no-any-return]
    state, upkeep = state_at(place), upkeep_at(place)
    first, rows = 0, len(X)
    while True:
        left = upkeep.times[CHANGE] - upkeep.times[CLOCK]
        stop = min(first + int(left), rows)
        if stop > first:
            part = X[first:stop], codes[first:stop]
            fault: int = _learn_piece(*part, repeats, odds[first:stop], belief, place)
            if fault >= 0:
                return first + fault
        if stop >= rows:
            return -1
        row = X[stop].astype(np.float64)
        if np.sum(row * 0.0) != 0.0:  # NaN if an entry is NaN or infinite
            return stop
        if rows == 1:
            before = copies(belief, state, upkeep)
            change_in_place(belief, state, upkeep, row)
            fault = _learn_piece(X, codes, repeats, odds, belief, place)
            if fault >= 0:
                put_back(before, belief, state, upkeep)
            return fault
        change_in_place(belief, state, upkeep, row)
        first = stop


def _spherical(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    return _learn(X, codes, repeats, odds, spherical_at(place), place)  # type: ignore[no-any-return]


def _diagonal(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    return _learn(X, codes, repeats, odds, diagonal_at(place), place)  # type: ignore[no-any-return]


def _full(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    return _learn_piece(X, codes, repeats, odds, full_at(place), place)  # type: ignore[no-any-return]


def _kernel(number: Any, loop: Any) -> Any:
    given = rows_of(number), CODES, CODES, MATRIX, types.int64
    return kernel(types.int64, *given)(loop)


spherical_single = _kernel(types.float32, _spherical)
spherical_double = _kernel(types.float64, _spherical)
diagonal_single = _kernel(types.float32, _diagonal)
diagonal_double = _kernel(types.float64, _diagonal)
full_single, full_double = _kernel(types.float32, _full), _kernel(types.float64, _full)
KERNELS = {  # by covariance and the bytes of a number
    ("spherical", 4): spherical_single,
    ("spherical", 8): spherical_double,
    ("diagonal", 4): diagonal_single,
    ("diagonal", 8): diagonal_double,
    ("full", 4): full_single,
    ("full", 8): full_double,
}
