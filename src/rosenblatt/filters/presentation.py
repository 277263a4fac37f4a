"""Rows for the kernels: of the right kind, precision and size."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters import sparse as filter_sparse
from rosenblatt.filters.addresses import seated
from rosenblatt.filters.dense import KERNELS
from rosenblatt.filters.state import Filter
from rosenblatt.rows.errors import explained

__all__ = ["LONG", "changes_itself", "present", "worn"]

# A belief in single precision drops news smaller than its rounding: measured against
# double precision its mean is off by 0.02 standard deviations after 2^18 rows, by 0.07
# after 2^19 and by 2 after 2^22. From this clock on rows are made double, so many
# entries at a time.
LONG, _ENTRIES = 2**19, 2**17


def changes_itself(filter: Filter) -> bool:
    """Return whether the kernels change the frame when it is due."""
    return not filter.frame.sparse and filter.covariance != "full"


def _narrow(filter: Filter) -> int:
    """Return for how many rows single precision is enough."""
    forgets = filter.half_life is not None and filter.half_life < LONG
    return LONG if forgets else max(LONG - filter.clock, 0)


def worn(filter: Filter) -> bool:
    """Return whether so many rows count that single precision is too short."""
    return filter.clock >= LONG and _narrow(filter) == 0


def present(
    filter: Filter,
    X: Any,
    codes: IntArray,
    piece: slice,
    times: IntArray,
    where: FloatArray,
) -> None:
    """Let kernels learn rows in place, up to where :func:`change` is called for.

    ``times``, and ``where`` odds are written, are those of the piece.
    """
    if piece.stop <= piece.start:
        return
    if filter.frame.sparse:
        _learn_sparse(filter, X, codes, piece, times, where)
        return
    first, most = piece.start, piece.stop - piece.start
    while first < piece.stop:
        wide = X.dtype == np.float32 and worn(filter)
        if wide:
            most = max(_ENTRIES // X.shape[1], 1)
        elif X.dtype == np.float32 and not times.size:
            most = _narrow(filter)
        stop = min(first + most, piece.stop)
        rows = X[first:stop].astype(np.float64) if wide else X[first:stop]
        own = slice(first - piece.start, stop - piece.start)
        seat = seated(filter)
        seat.write(filter)
        learn = KERNELS[filter.covariance, rows.itemsize]
        fault = learn(rows, codes[first:stop], times[own], where[own], seat.place)
        if fault >= 0:
            raise explained(X, first + fault)
        seat.read(filter)
        first = stop


def _learn_sparse(
    filter: Filter,
    X: Any,
    codes: IntArray,
    piece: slice,
    times: IntArray,
    where: FloatArray,
) -> None:
    """Let a kernel learn sparse rows."""
    single = X.data.dtype == np.float32
    learn = filter_sparse.advance_single if single else filter_sparse.advance_double
    fault = learn(
        X.data if single else X.data.astype(np.float64, copy=False),
        X.indices.astype(np.int32, copy=False),
        X.indptr[piece.start : piece.stop + 1].astype(np.int64),
        codes[piece],
        times,
        filter.frame.inverse_scale,
        filter.clip,
        filter.width,
        filter.noise,
        filter.mean,
        filter.belief,
        filter.frame.sums,
        filter.tally,
        where,
    )
    if fault >= 0:
        raise explained(X, piece.start + fault)
    presented = int(times.sum()) if times.size else piece.stop - piece.start
    filter.clock += presented
    filter.frame = filter.frame._replace(weight=filter.frame.weight + presented)
