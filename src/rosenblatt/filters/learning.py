r"""Bayesian learning from a stream: Gaussian beliefs about the weights of a perceptron.

A belief is projected on a Gaussian after each label (:cite:t:`winther1997`, eq. 3): one
variance for all weights (``"spherical"``), one for each (``"diagonal"``), or a
covariance matrix (``"full"``). The three are one family; they differ in what they keep.

A filter is started by :func:`start` and goes on by :func:`learn`, in any pieces: what
happens between examples (a new frame, forgetting, a better guess of the label noise)
depends on the clock alone.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import seated
from rosenblatt.filters.changes import change, merge
from rosenblatt.filters.dense import KERNELS
from rosenblatt.filters.prediction import fields, log_odds, table_of
from rosenblatt.filters.presentation import LONG, changes_itself, present, worn
from rosenblatt.filters.row import ALL, BLOCK, SOME
from rosenblatt.filters.single import ROW_KERNELS
from rosenblatt.filters.standardisation import NEVER, Frame, watch
from rosenblatt.filters.state import COVARIANCES, Filter, start
from rosenblatt.rows.errors import explained

__all__ = [
    "COVARIANCES",
    "Filter",
    "absorb",
    "fields",
    "learn",
    "log_odds",
    "merge",
    "start",
]

_NOTHING = np.zeros((0, 0))
_ONCE = np.zeros(0, np.int64)  # no repeats: kernels take each row once


def learn(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: IntArray | None = None,
    odds: FloatArray | None = None,
) -> Filter:
    """Return what a filter becomes by examples; the filter itself stays as it is.

    Parameters
    ----------
    filter
        Where to begin.
    X
        One example a row: an array, or a CSR matrix for a sparse filter.
    codes
        The number of each row's class. With one model 1 is the label +1, 0 is -1.
    repeats
        How many times in succession a row is presented; 0 leaves it out.
    odds
        Where to write, for each row, the logarithm of the odds of the label +1 before
        the row was learned, or of the probability of each of several classes.
    """
    X = table_of(filter, X)
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    rows = X.shape[0]
    for given in (codes, repeats):
        if given is not None and given.shape != (rows,):
            raise ValueError(
                f"codes and repeats must have {rows} entries as X has rows, "
                f"got shape {given.shape}"
            )
    if repeats is None:
        return _learn_once(filter, X, codes, odds)
    ends = filter.clock + np.cumsum(repeats)
    starts = ends - repeats
    result = filter.copy()
    first = 0
    with np.errstate(all="ignore"):
        while True:
            until = min(result.change, _watched(result)[1])
            # Rows before `last` are done by then; it may be begun.
            last = int(np.searchsorted(ends, until, side="right"))
            begun = last < rows and starts[last] < until
            stop = last + begun
            piece = slice(first, stop)
            times = np.minimum(ends[piece], until)
            times -= np.maximum(starts[piece], result.clock)
            where = _NOTHING if odds is None else odds[piece]
            kept = where[:1].copy()
            again = stop > first and starts[first] < result.clock
            present(result, X, codes, piece, times, where)
            if again:  # the row was begun before, when its odds were found
                where[:1] = kept
            if last >= rows:
                return result
            if until == result.change:
                change(result, _row(X, last))
            first = last


def _learn_once(
    filter: Filter, X: Any, codes: IntArray, odds: FloatArray | None
) -> Filter:
    """Return what a filter becomes by rows that are presented once each."""
    result = filter.copy()
    first, rows = 0, X.shape[0]
    with np.errstate(all="ignore"):
        while True:
            due = NEVER if changes_itself(result) else result.change
            stop = min(first + due - result.clock, rows)
            piece = slice(first, stop)
            where = _NOTHING if odds is None else odds[piece]
            present(result, X, codes, piece, _ONCE, where)
            if stop >= rows:
                return result
            change(result, _row(X, stop))
            first = stop


def absorb(filter: Filter, row: FloatArray, code: IntArray, where: FloatArray) -> None:
    """Learn one row in place; if it is not finite, nothing changes.

    ``row`` has the shape (1, features), and ``where`` that of ``odds`` for one row,
    or (0, 0).
    """
    clock, size = filter.clock, row.itemsize
    if size == 4 and clock >= LONG and worn(filter):
        row, size = row.astype(np.float64), 8
    if clock >= filter.change:
        with np.errstate(all="ignore"):
            _absorb_changed(filter, row, code, where)
        return
    # No more Python than needed: it takes longer than to learn.
    seat = filter.seat or seated(filter)
    alone, together = _for_a_row(filter.covariance, size)
    keeps = filter.half_life is None
    if seat.alone:
        fault = alone(row, code, where, seat.place, clock if keeps else -1)
    else:
        seat.write(filter)
        fault = together(row, code, _ONCE, where, seat.place)
    if fault >= 0:
        raise explained(row, 0)
    filter.clock = clock + 1
    if not keeps or clock < ALL or clock % BLOCK < SOME:
        center, inverse_scale, sums, weight, sparse = filter.frame
        filter.frame = Frame(center, inverse_scale, sums, weight + 1.0, sparse)


def _absorb_changed(
    filter: Filter, row: FloatArray, code: IntArray, where: FloatArray
) -> None:
    """Change the filter and learn one row in place, or nothing at all."""
    one = slice(0, 1)
    if changes_itself(filter):
        present(filter, row, code, one, _ONCE, where)
        return
    changed = copy.copy(filter)
    change(changed, _row(row, 0))
    present(changed, row, code, one, _ONCE, where)
    vars(filter).update(vars(changed))


@functools.cache
def _for_a_row(covariance: str, size: int) -> tuple[Any, Any]:
    """Return the compiled loops for rows of numbers of so many bytes.

    The first learns a row with one model of one variance or several that does not
    change before; the other learns anything.
    """
    loops = ROW_KERNELS.get((covariance, size)), KERNELS[covariance, size]
    first, second = (getattr(loop, "build", lambda loop=loop: loop)() for loop in loops)
    return first, second


def _row(X: Any, row: int) -> FloatArray | None:
    """Return a row as numbers; sparse frames do without."""
    if not isinstance(X, np.ndarray):
        return None
    entries: FloatArray = X[row].astype(np.float64)
    if not np.isfinite(entries).all():
        raise explained(X, row)
    return entries


def _watched(filter: Filter) -> tuple[bool, int]:
    """Return whether rows count for the frame, and until which clock."""
    if filter.frame.sparse or filter.half_life is not None:
        return True, NEVER  # columns may be rare, or what is known of them forgotten
    return watch(filter.clock)
