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

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines import (
    filter_diagonal,
    filter_full,
    filter_single,
    filter_sparse,
    filter_spherical,
)
from rosenblatt.engines.filter_changes import change, merge
from rosenblatt.engines.filter_faults import explained
from rosenblatt.engines.filter_fields import fields, log_odds, table_of
from rosenblatt.engines.filter_row import ALL, BLOCK, SOME
from rosenblatt.engines.filter_state import COVARIANCES, Filter, start
from rosenblatt.engines.frame import NEVER, Frame, counted, watch

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

_DENSE = {
    "spherical": filter_spherical,
    "diagonal": filter_diagonal,
    "full": filter_full,
}
_SINGLE = {  # for one row and one model, by the bytes of a number
    ("spherical", 4): filter_single.spherical_single,
    ("spherical", 8): filter_single.spherical_double,
    ("diagonal", 4): filter_single.diagonal_single,
    ("diagonal", 8): filter_single.diagonal_double,
}
# A belief in single precision drops news smaller than its rounding: measured against
# double precision its mean is off by 0.02 standard deviations after 2^18 rows, by 0.07
# after 2^19 and by 2 after 2^22. From this clock on, at which the frame changes anyway,
# rows are made double, so many entries at a time.
_LONG, _ENTRIES = 2**19, 2**17
_NOTHING = np.zeros((0, 0))
_UNWATCHED = np.zeros((2, 0))
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
            _present(result, X, codes, piece, times, where)
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
            stop = min(first + result.change - result.clock, rows)
            piece = slice(first, stop)
            where = _NOTHING if odds is None else odds[piece]
            _present(result, X, codes, piece, _ONCE, where)
            if stop >= rows:
                return result
            change(result, _row(X, stop))
            first = stop


def absorb(filter: Filter, row: FloatArray, code: IntArray, where: FloatArray) -> None:
    """Learn one row in place; if it is not finite, nothing changes.

    ``row`` has the shape (1, features), and ``where`` that of ``odds`` for one row,
    or (0, 0).
    """
    if filter.clock >= _LONG and row.itemsize == 4 and _worn(filter):
        row = row.astype(np.float64)
    if filter.clock >= filter.change:
        with np.errstate(all="ignore"):
            changed = copy.copy(filter)
            change(changed, _row(row, 0))
            _present(changed, row, code, slice(0, 1), _ONCE, where)
        vars(filter).update(vars(changed))
        return
    # What follows is _present for one row, with no more Python than needed.
    center, inverse_scale, sums, weight, sparse = filter.frame
    clock = filter.clock
    fault = _for_a_row(filter.covariance, row.itemsize, len(filter.mean))(
        row,
        code,
        _ONCE,
        center,
        inverse_scale,
        filter.clip,
        filter.width,
        filter.noise,
        filter.mean,
        filter.belief,
        sums,
        filter.tally,
        where,
        clock if filter.half_life is None else -1,
    )
    if fault >= 0:
        raise explained(row, 0)
    filter.clock += 1
    filter.seen += 1.0
    if filter.half_life is not None or clock < ALL or clock % BLOCK < SOME:
        filter.frame = Frame(center, inverse_scale, sums, weight + 1.0, sparse)


@functools.cache
def _for_a_row(covariance: str, size: int, models: int) -> Any:
    """Return the compiled loop itself for numbers of so many bytes."""
    module = _DENSE[covariance]
    loop = module.advance_single if size == 4 else module.advance_double
    if models == 1:
        loop = _SINGLE.get((covariance, size), loop)
    return loop.build() if hasattr(loop, "build") else loop


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


def _present(
    filter: Filter,
    X: Any,
    codes: IntArray,
    piece: slice,
    times: IntArray,
    where: FloatArray,
) -> None:
    """Let a kernel learn rows under one frame, in place."""
    if not _worn(filter) or X.dtype != np.float32:
        _learn_rows(filter, X, codes, piece, times, where, X)
        return
    most = max(_ENTRIES // X.shape[1], 1)
    for first in range(piece.start, piece.stop, most):
        rows = slice(first, min(first + most, piece.stop))
        own = slice(first - piece.start, rows.stop - piece.start)
        wide = X[rows].astype(np.float64)
        _learn_rows(filter, wide, codes, rows, times[own], where[own], X)


def _worn(filter: Filter) -> bool:
    """Return whether so many rows count that single precision is too short."""
    kept = np.inf if filter.half_life is None else filter.half_life
    return not filter.frame.sparse and min(filter.clock, kept) >= _LONG


def _learn_rows(
    filter: Filter,
    X: Any,
    codes: IntArray,
    piece: slice,
    times: IntArray,
    where: FloatArray,
    given: Any,
) -> None:
    """Let a kernel learn a piece of the rows that are given: X, or its own copy."""
    first = piece.start
    if piece.stop <= first:
        return
    center, inverse_scale, sums, weight, sparse = filter.frame
    presented = int(times.sum()) if times.size else piece.stop - first
    clock, news = -1, presented  # rows that count for the frame: all, or by the clock
    if times.size and not _watched(filter)[0]:
        sums, news = _UNWATCHED, 0
    elif not (times.size or sparse or filter.half_life is not None):
        clock = filter.clock
        news = counted(clock + presented) - counted(clock)
    belief = (
        filter.clip,
        filter.width,
        filter.noise,
        filter.mean,
        filter.belief,
        sums,
        filter.tally,
        where,
    )
    if sparse:
        single = X.data.dtype == np.float32
        kernel = (
            filter_sparse.advance_single if single else filter_sparse.advance_double
        )
        fault = kernel(
            X.data if single else X.data.astype(np.float64, copy=False),
            X.indices.astype(np.int32, copy=False),
            X.indptr[first : piece.stop + 1].astype(np.int64),
            codes[piece],
            times,
            inverse_scale,
            *belief,
        )
    else:
        module = _DENSE[filter.covariance]
        single = X.dtype == np.float32
        kernel = module.advance_single if single else module.advance_double
        rows = X[piece] if X is given else X
        fault = kernel(rows, codes[piece], times, center, inverse_scale, *belief, clock)
    if fault >= 0:
        raise explained(given, first + fault)
    filter.clock += presented
    filter.seen += presented
    filter.frame = filter.frame._replace(weight=weight + news)
