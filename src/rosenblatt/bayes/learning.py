r"""Learning of rows by one filter.

A filter is started by :func:`~rosenblatt.bayes.start` and goes on by :func:`learn`,
in any pieces. Changes between examples (standardisation, drift, a better estimate of
the label noise) depend on the number of examples alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.row_loop import change, learn_doubles, learn_singles
from rosenblatt.bayes.sparse import CHANGE_DUE, learn_sparse
from rosenblatt.bayes.table import CLOCK, DONE, NEXT_CHANGE, ROW
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
ONCE = np.zeros(0)  # no repeats: kernels take each row once
# With a clip above this a row may still overflow when it is standardised.
_FAR = 1e100


def learn(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: FloatArray | None = None,
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
        How many times in succession a row is presented; 0 leaves it out. A fraction is
        one more presentation, with this power of the likelihood.
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
    repeats: FloatArray | None = None,
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
    times = ONCE if repeats is None else np.ascontiguousarray(repeats, np.float64)
    with np.errstate(all="ignore"), threads([filter]):
        if filter.sparse:
            _learn_sparse(filter, X, codes, times, NOTHING if odds is None else odds)
            return
        where = NOTHING if odds is None else odds
        fault = kernel_for(X)(X, codes, times, where, filter.state.address)
        if fault >= 0:
            raise explained(X, fault)


def _learn_sparse(
    filter: Filter, X: Any, codes: IntArray, repeats: FloatArray, odds: FloatArray
) -> None:
    """Learn sparse rows in place."""
    place, counts = filter.state.address, filter.counts
    given = (
        X.data.astype(np.float64, copy=False),
        X.indices.astype(np.int32, copy=False),
        X.indptr.astype(np.int64, copy=False),
    )
    room = np.empty(int(np.diff(given[2]).max(initial=0)))
    while True:
        status = learn_sparse(*given, codes, repeats, odds, room, place)
        if status >= 0:
            raise explained(X, status)
        if status != CHANGE_DUE:
            counts[ROW] = counts[DONE] = 0.0
            return
        change(place)


def kernel_for(X: FloatArray) -> Any:
    """Return the kernel that learns dense rows of this precision."""
    return learn_singles if X.itemsize == 4 else learn_doubles


def threads(filters: Sequence[Filter]) -> AbstractContextManager[object]:
    """Return a context in which BLAS has one thread, for filters that call it much."""
    if not any(filter.routines.products for filter in filters):
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
        fault = learn_doubles(row, code, ONCE, odds, filter.state.address)
        if fault >= 0:
            raise explained(row, 0)
        return
    risky = PLAIN or filter.routines.products or filter.clip > _FAR
    own = filter.copy() if risky else filter
    with np.errstate(all="ignore"), threads([filter]):
        fault = learn_doubles(row, code, ONCE, odds, own.state.address)
    if fault >= 0:
        raise explained(row, 0)
    if risky:
        vars(filter).update(vars(own))
