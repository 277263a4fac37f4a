r"""Learning of rows by one filter.

A belief is projected on a Gaussian after each label (:cite:t:`winther1997`, eq. 3). It
has one variance for all weights (``"spherical"``), one for each (``"diagonal"``), or a
covariance matrix (``"full"``). The three are one family; they differ in what they keep.

A filter is started by :func:`~rosenblatt.bayes.start` and goes on by :func:`learn`,
in any pieces. Changes between examples (standardisation, drift, a better estimate of
the label noise) depend on the number of examples alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.changing import change_independent
from rosenblatt.bayes.kernels.full import learn_full
from rosenblatt.bayes.kernels.independent import learn_doubles, learn_singles
from rosenblatt.bayes.kernels.layout import CLOCK, DONE, NEXT_CHANGE, ROW
from rosenblatt.bayes.kernels.small import MOST_WEIGHTS, learn_small
from rosenblatt.bayes.kernels.sparse import (
    CHANGE_DUE,
    columns_together,
    learn_sparse,
    separate_columns,
)
from rosenblatt.bayes.state import Filter
from rosenblatt.compiling.blas import dgemm
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.errors import explained
from rosenblatt.system.threads import MANY_ROWS, interruptible, one_thread

__all__ = [
    "NOTHING",
    "ONCE",
    "kernel_for",
    "learn",
    "learn_in_place",
    "learn_rows",
    "threads",
]

NOTHING = np.zeros((0, 0))
ONCE = np.zeros(0, np.int64)  # no repeats: kernels take each row once
# A belief in single precision drops news smaller than its rounding: measured against
# double precision its mean is off by 0.02 standard deviations after 2^18 rows, by 0.07
# after 2^19 and by 2 after 2^22. After so many examples rows are made double, so many
# entries at a time.
_LONG, _ENTRIES = 2**19, 2**16
# With a clip above this a row may still overflow when it is standardised.
_FAR = 1e100


def learn(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: IntArray | None = None,
    odds: FloatArray | None = None,
) -> Filter:
    """Return a filter that has learned examples; the given one does not change.

    Parameters
    ----------
    filter
        Filter to start from.
    X
        One example a row: an array, or a CSR matrix for a sparse filter.
    codes
        The number of each row's class. With one model 1 is the label +1, 0 is -1.
    repeats
        How many times in succession a row is presented; 0 leaves it out.
    odds
        Array for the predictions of each row before it is learned. They are the
        log-odds of the label +1, or the log-probabilities of several classes.
    """
    result = filter.copy()
    presented = len(codes) if repeats is None else np.sum(repeats)
    interruptible(
        lambda: learn_rows(result, X, codes, repeats, odds),
        long=bool(presented > MANY_ROWS),
    )
    return result


def learn_rows(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: IntArray | None = None,
    odds: FloatArray | None = None,
) -> None:
    """Learn examples in place, as :func:`learn` does; an error may come after some."""
    X = filter.table(X)
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    rows = X.shape[0]
    for given in (codes, repeats):
        if given is not None and given.shape != (rows,):
            raise ValueError(
                f"codes and repeats must have {rows} entries as X has rows, "
                f"got shape {given.shape}"
            )
    times = ONCE if repeats is None else repeats
    with np.errstate(all="ignore"), threads([filter]):
        if filter.sparse:
            _learn_sparse(filter, X, codes, times, NOTHING if odds is None else odds)
            return
        for piece, table in _pieces(filter, X):
            where = NOTHING if odds is None else odds[piece]
            own = times[piece] if times.size else ONCE
            fault = _learn_dense(filter, table, codes[piece], own, where)
            if fault >= 0:
                raise explained(X, piece.start + fault)


def _pieces(filter: Filter, X: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Yield the rows in the precision in which they are learned, some at a time."""
    first, rows = 0, len(X)
    single = X.dtype == np.float32
    some = max(_ENTRIES // X.shape[1], 1)
    while first < rows:
        stop, double = rows, single and filter.covariance == "full"
        if single and not double and not _forgets(filter):
            double = filter.clock >= _LONG
            stop = min(first + _LONG - filter.clock, rows)
        if double:
            stop = min(first + some, rows)
        piece = slice(first, stop)
        yield piece, X[piece].astype(np.float64) if double else X[piece]
        first = stop


def _forgets(filter: Filter) -> bool:
    """Return whether so few examples count that single precision is always enough."""
    return filter.half_life is not None and filter.half_life < _LONG


def _learn_dense(
    filter: Filter,
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
) -> int:
    """Learn rows in place; return the first that is not finite, or -1."""
    learn_rows = learn_singles if X.itemsize == 4 else kernel_for(filter)
    return int(learn_rows(X, codes, repeats, odds, filter.state.address))


def _learn_sparse(
    filter: Filter, X: Any, codes: IntArray, repeats: IntArray, odds: FloatArray
) -> None:
    """Learn sparse rows in place."""
    state, counts = filter.state, filter.counts
    given = (
        X.data.astype(np.float64, copy=False),
        X.indices.astype(np.int32, copy=False),
        X.indptr.astype(np.int64, copy=False),
    )
    room = np.empty(int(np.diff(given[2]).max(initial=0)))
    while True:
        row = int(counts[ROW])
        left = int(min(counts[NEXT_CHANGE] - counts[CLOCK], len(codes) - row))
        together = columns_together(filter, int(given[2][row + left] - given[2][row]))
        presented = codes, repeats, odds
        status = learn_sparse(*given, *presented, together, room, state.address)
        if status >= 0:
            raise explained(X, status)
        separate_columns(together, filter)
        if status != CHANGE_DUE:
            counts[ROW] = counts[DONE] = 0.0
            return
        change_independent(state.address)


def kernel_for(filter: Filter) -> Any:
    """Return the kernel that learns dense rows in double precision."""
    if filter.covariance != "full":
        return learn_doubles
    return learn_small if filter.mean.shape[1] <= MOST_WEIGHTS else learn_full


def threads(filters: Sequence[Filter]) -> AbstractContextManager[object]:
    """Return a context in which BLAS has one thread, for filters that call it much."""
    if not any(kernel_for(filter) is learn_full for filter in filters):
        return nullcontext()
    dgemm()  # a library that is loaded later is not limited
    return one_thread()


def learn_in_place(
    filter: Filter, row: FloatArray, code: IntArray, odds: FloatArray
) -> None:
    """Learn one row in place; if it is not finite, nothing changes.

    ``row`` has the shape (1, features), and ``odds`` that of one row, or (0, 0).
    """
    if row.itemsize < 8:  # single precision
        row = row.astype(np.float64)
    counts = filter.counts
    if counts[CLOCK] < counts[NEXT_CHANGE] and not PLAIN:
        # No more Python than needed: it takes longer than to learn.
        fault = kernel_for(filter)(row, code, ONCE, odds, filter.state.address)
        if fault >= 0:
            raise explained(row, 0)
        return
    risky = PLAIN or filter.covariance == "full" or filter.clip > _FAR
    own = filter.copy() if risky else filter
    with np.errstate(all="ignore"), threads([filter]):
        fault = _learn_dense(own, row, code, ONCE, odds)
    if fault >= 0:
        raise explained(row, 0)
    if risky:
        vars(filter).update(vars(own))
