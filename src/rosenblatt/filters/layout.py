"""Entries of the table by which kernels find a filter.

:class:`rosenblatt.filters.kernel_state.KernelState` writes the table.
"""

from __future__ import annotations

__all__ = [
    "BELIEF",
    "BLOCK_ROWS",
    "CENTER",
    "CHANGE",
    "CHANGED",
    "CLASS_WORK",
    "CLIP",
    "CLOCK",
    "COUNTS",
    "DONE",
    "FEATURES",
    "GEMM",
    "HALF_LIFE",
    "INVERSE_SCALE",
    "LABELS",
    "LEARN_CLASS",
    "MATRICES",
    "MEAN",
    "MODELS",
    "NEXT_CHANGE",
    "NOISE",
    "NUMBERS",
    "POTRF",
    "POTRI",
    "PRIOR",
    "RATIOS",
    "ROW",
    "ROW_COPY",
    "SHIFTS",
    "SIZE",
    "SPARSE",
    "SPHERICAL",
    "SUMMED",
    "SUMS",
    "TRSM",
    "WEIGHT",
    "WEIGHTS",
    "WIDTH",
]

# Entries of the table: addresses of arrays, then sizes, then addresses of routines.
CENTER, INVERSE_SCALE, SUMS, NOISE, MEAN, BELIEF, LABELS, NUMBERS, COUNTS = range(9)
CLASS_WORK, ROW_COPY, SHIFTS, RATIOS, MATRICES = range(9, 14)
FEATURES, WEIGHTS, MODELS, SUMMED, SPHERICAL, SPARSE = range(14, 20)
GEMM, TRSM, POTRF, POTRI, LEARN_CLASS, CHANGE = range(20, 26)
SIZE = 26
# Entries of NUMBERS, which stay.
CLIP, WIDTH, PRIOR, HALF_LIFE = range(4)
# Entries of COUNTS: rows in the sums of the columns, examples so far, the example at
# which the standardisation last changed and changes next; and where a kernel is: the
# row, and how many of its presentations are done.
WEIGHT, CLOCK, CHANGED, NEXT_CHANGE, ROW, DONE = range(6)
# Rows that a full covariance learns at once. Measured at 20 to 500 columns: 8 and 32
# are slower, but for 500 columns, where 32 is faster by a tenth.
BLOCK_ROWS = 16
