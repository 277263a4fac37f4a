"""Rows that several filters and their mixture learn in one kernel call.

To call a kernel for each of them takes longer than to learn a row of some columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rosenblatt.bayes.horizon import Horizon
from rosenblatt.bayes.kernels.later import (
    COUNTERS,
    GAP,
    RENEWED,
    follow,
    rows_until_due_in_kernels,
)
from rosenblatt.bayes.kernels.layout import CLOCK
from rosenblatt.bayes.kernels.mixing import learn_mixture
from rosenblatt.bayes.learning import kernel_for
from rosenblatt.bayes.mixture import Mixture
from rosenblatt.bayes.state import Filter
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.pointers import function_at, kernel_address, pointer_at
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["RowLearner"]

_ROWS = types.Array(types.float64, 2, "C", readonly=True)
_WHOLE = types.Array(types.int64, 1, "C", readonly=True)
_ODDS = types.Array(types.float64, 3, "C", readonly=True)
_MATRIX = types.float64[:, ::1]
_filter_at = function_at(
    types.FunctionType(types.int64(_ROWS, _WHOLE, _WHOLE, _MATRIX, types.int64))
)
_mixture_at = function_at(
    types.FunctionType(types.void(_ODDS, _WHOLE, _WHOLE, _MATRIX, types.int64))
)
_follow_at = function_at(
    types.FunctionType(types.void(_ROWS, _WHOLE, types.int64, types.int64))
)
# Entries of the table: of the mixture and of the horizon, the kernel and the place;
# counters of the horizon and of a filter; then the kernel and the place of each filter.
_MIX, _MIXTURE, _FOLLOW, _HORIZON, _COUNTERS, _COUNTS, _FILTERS = range(7)
_MOST = 2**12  # rows whose log-odds are kept at once
_ONE = np.ones(1, np.int64)


@kernel(
    types.int64, _ROWS, _WHOLE, _WHOLE, _MATRIX, types.int64, types.float64[::1], _WHOLE
)  # fmt: skip
def _learn(
    X: FloatArray,
    codes: IntArray,
    once: IntArray,
    probabilities: FloatArray,
    models: int,
    room: FloatArray,
    table: IntArray,
) -> int:
    """Learn rows; return -1, or 0 if one is not finite.

    There is ``room`` for the log-odds of as many rows as ``once``, a 1 for each, has.
    """
    filters = (table.size - _FILTERS) // 2
    counters = pointer_at(table[_COUNTERS], COUNTERS)
    counts = pointer_at(table[_COUNTS], CLOCK + 1)
    first = 0
    while first < len(X):
        clock = int(counts[CLOCK])
        due = rows_until_due_in_kernels(counters[RENEWED], counters[GAP], clock)
        stop = min(len(X), first + min(due, once.size))
        rows, known = X[first:stop], codes[first:stop]
        size = filters * (stop - first) * models
        odds = room[:size].reshape(filters, stop - first, models)
        for e in range(filters):
            own = _FILTERS + 2 * e
            learn = _filter_at(table[own])
            fault = learn(rows, known, once[:0], odds[e], table[own + 1])
            if fault >= 0:
                return 0
        mixed = probabilities[first:stop]
        times = once[: stop - first]
        _mixture_at(table[_MIX])(odds, known, times, mixed, table[_MIXTURE])
        _follow_at(table[_FOLLOW])(rows, known, clock, table[_HORIZON])
        first = stop
    return -1


class RowLearner:
    """The table of addresses for the kernel, as long as filters keep their arrays."""

    def __init__(
        self, filters: Sequence[Filter], mixture: Mixture, horizon: Horizon
    ) -> None:
        self._in_use = [filter.state for filter in filters]
        entries = [kernel_address(learn_mixture), mixture.address]
        entries += [kernel_address(follow), horizon.address(filters, mixture)]
        entries += [horizon.counters.ctypes.data, filters[0].counts.ctypes.data]
        for filter in filters:
            entries += [kernel_address(kernel_for(filter)), filter.state.address]
        self._table = np.array(entries, np.int64)
        self._models = len(filters[0].mean)
        self._room = np.empty(len(filters) * self._models)
        self.probabilities = np.empty((1, mixture.offsets.shape[1]))

    def learn(self, row: FloatArray, code: IntArray) -> int:
        """Learn a row; return -1, or 0 if it is not finite: then nothing changes."""
        own = self.probabilities, self._models, self._room, self._table
        return int(_learn(row, code, _ONE, *own))

    def learn_rows(
        self, X: FloatArray, codes: IntArray, probabilities: FloatArray
    ) -> int:
        """Learn rows; return -1, or 0 if one is not finite, after some are learned."""
        once = np.ones(min(len(X), _MOST), np.int64)
        room = np.empty(self._room.size * once.size)
        own = self._models, room, self._table
        return int(_learn(X, codes, once, probabilities, *own))
