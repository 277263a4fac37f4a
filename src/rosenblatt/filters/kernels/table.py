"""A filter as kernels take it: one address of a table of addresses and sizes.

To pass an array to a kernel takes a tenth of a microsecond, and a filter has many. To
learn a row of a few columns takes not much longer. :class:`KernelState` is the only
constructor of such a table. :class:`~rosenblatt.filters.state.Filter` has checked types
and shapes. The constructor checks that kernels may write to the arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling.addresses import kernel_address
from rosenblatt.compiling.blas import dgemm
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.filters.kernels.changing import change_columns, change_independent
from rosenblatt.filters.kernels.labels import learn_class, learn_label
from rosenblatt.filters.kernels.layout import (
    BLOCK_ROWS,
    LABEL_ROOM,
    MATRICES,
    PIECES,
    RATIOS,
    ROW_COPY,
    SIZE,
)
from rosenblatt.filters.kernels.small import MOST_WEIGHTS, padded_size
from rosenblatt.filters.kernels.turning import turn_full
from rosenblatt.filters.label_law import STATISTICS

__all__ = ["KernelState", "piece_of"]

_ROWS = 32.0  # of a piece of the columns' half-life: a change takes longer than a row


def piece_of(half_life: float) -> float:
    """Return after how many examples sums are forgotten; 0 for no half-life."""
    return max(_ROWS, half_life // PIECES) if half_life > 0.0 else 0.0


class KernelState:
    """The table of a filter, for kernels that are given its address.

    It stays valid as long as the filter has the same arrays, and in one process. A
    change reads ``row``, and leaves ``shifts`` and ``ratios`` of the columns.
    """

    def __init__(self, filter: Any) -> None:
        models, weights = filter.mean.shape
        features = filter.center.size
        full = filter.covariance == "full"
        matrices = turning = 0  # numbers in the work space of full covariances
        if full:
            own = 2 * weights + BLOCK_ROWS + 3  # for each model and row
            matrices = BLOCK_ROWS * (weights + models * own + BLOCK_ROWS + 6) + 3
            turning = weights * (3 * BLOCK_ROWS + 5)
            if weights <= MOST_WEIGHTS:  # learned row by row
                small = padded_size(weights) * (models * (weights + 1) + 1)
                matrices = max(matrices, small)
        lives = filter.half_life or 0.0, filter.input_half_life or 0.0
        given = filter.clip, filter.label_variance, filter.prior
        numbers = (*given, *lives, piece_of(lives[1]))
        self._arrays = (
            filter.center,
            filter.inverse_scale,
            filter.sums,
            filter.noise,
            filter.mean,
            filter.belief,
            filter.statistics,
            np.array(numbers, dtype=np.float64),
            filter.counts,
            np.ones((LABEL_ROOM + 10) * models + 5),
            np.zeros(features),
            np.zeros(features),
            np.zeros(features),
            aligned_table(matrices),
            np.zeros(turning),
            np.zeros(0 if full else 2 * (models * weights + features), np.float32),
        )
        assert filter.statistics.shape == (models, STATISTICS)
        addresses = [array.ctypes.data for array in self._arrays]
        sizes = (features, weights, models, filter.sums.size)
        kind = filter.covariance == "spherical", filter.sparse
        changes = change_columns, turn_full if full else change_independent
        calls = (
            dgemm() if full else 0,
            kernel_address(learn_class if models > 1 else learn_label),
            *(map(kernel_address, changes) if filter.sums.size else (0, 0)),
        )
        self._table = np.array([*addresses, *sizes, *kind, *calls], dtype=np.int64)
        assert self._table.size == SIZE
        self.address: int = self._table.ctypes.data

        self.row, self.shifts, self.ratios = self._arrays[ROW_COPY : RATIOS + 1]
        self.matrices = self._arrays[MATRICES]

    @property
    def writable(self) -> bool:
        """True if kernels may read and write the arrays where they are."""
        return all(array.flags.carray for array in self._arrays)
