"""Learning of one row by several filters and their mixture, in one kernel call.

To call a kernel for each of them takes longer than to learn a row of some columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.addresses import function_at, kernel_address
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.kernels.mixing import learn_mixture
from rosenblatt.filters.learning import kernel_for
from rosenblatt.filters.mixture import Mixture
from rosenblatt.filters.state import Filter

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
# Entries of the table for each filter; those of the mixture follow.
_KERNEL, _PLACE, _ENTRIES = range(3)
_ONE = np.ones(1, np.int64)


@kernel(
    types.int64, _ROWS, _WHOLE, _WHOLE, types.float64[:, :, ::1], _MATRIX, _WHOLE
)  # fmt: skip
def _learn_row(
    X: FloatArray,
    code: IntArray,
    once: IntArray,
    odds: FloatArray,
    probabilities: FloatArray,
    table: IntArray,
) -> int:
    """Learn a row; return -1, or 0 if it is not finite."""
    filters = len(odds)
    for e in range(filters):
        own = e * _ENTRIES
        learn = _filter_at(table[own + _KERNEL])
        fault = learn(X, code, once[:0], odds[e], table[own + _PLACE])
        if fault >= 0:
            return 0
    own = filters * _ENTRIES
    _mixture_at(table[own])(odds, code, once, probabilities, table[own + 1])
    return -1


class RowLearner:
    """The table of addresses for the kernel, as long as filters keep their arrays."""

    def __init__(self, filters: Sequence[Filter], mixture: Mixture) -> None:
        entries: list[Any] = []
        self._in_use = [filter.state for filter in filters]
        for filter in filters:
            entries += [kernel_address(kernel_for(filter)), filter.state.address]
        entries += [kernel_address(learn_mixture), mixture.address]
        self._table = np.array(entries, np.int64)
        self._odds = np.empty((len(filters), 1, len(filters[0].mean)))
        self.probabilities = np.empty((1, mixture.offsets.shape[1]))

    def learn(self, row: FloatArray, code: IntArray) -> int:
        """Learn a row; return -1, or 0 if it is not finite."""
        return int(
            _learn_row(row, code, _ONE, self._odds, self.probabilities, self._table)
        )
