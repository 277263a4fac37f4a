"""Entries of the table by which kernels find a filter.

:class:`rosenblatt.bayes.state.KernelState` writes the table.
"""

from __future__ import annotations

__all__ = [
    "BELIEF",
    "BLOCK_ROWS",
    "CENTER",
    "CHANGE",
    "CHANGED",
    "CHANGE_COLUMNS",
    "CLIP",
    "CLOCK",
    "COUNTS",
    "DONE",
    "FEATURES",
    "GEMM",
    "HALF_LIFE",
    "INPUT_HALF_LIFE",
    "INVERSE_SCALE",
    "LABELS",
    "LABEL_ROOM",
    "LABEL_WORK",
    "LEARN_LABEL",
    "MATRICES",
    "MEAN",
    "MODELS",
    "NEXT_CHANGE",
    "NOISE",
    "NUMBERS",
    "PIECE",
    "PIECES",
    "PRIOR",
    "RATIOS",
    "ROW",
    "ROW_COPY",
    "SHIFTS",
    "SINGLES",
    "SIZE",
    "SPARSE",
    "SPHERICAL",
    "SUMMED",
    "SUMS",
    "TURNING",
    "WEIGHT",
    "WEIGHTS",
    "WIDTH",
]

# Entries of the table: addresses of arrays, then sizes, then addresses of routines.
CENTER, INVERSE_SCALE, SUMS, NOISE, MEAN, BELIEF, LABELS, NUMBERS, COUNTS = range(9)
LABEL_WORK, ROW_COPY, SHIFTS, RATIOS, MATRICES, TURNING, SINGLES = range(9, 16)
FEATURES, WEIGHTS, MODELS, SUMMED, SPHERICAL, SPARSE = range(16, 22)
GEMM, LEARN_LABEL, CHANGE_COLUMNS, CHANGE = range(22, 26)
SIZE = 26
# Entries of NUMBERS, which stay: half-lives of the weights, and of the rows in the sums
# of the columns, which are forgotten by changes after so many examples (PIECE) at most;
# 0 is never.
CLIP, WIDTH, PRIOR, HALF_LIFE, INPUT_HALF_LIFE, PIECE = range(6)
# Entries of COUNTS: rows in the sums of the columns, examples so far, the example at
# which the standardisation last changed and changes next; and where a kernel is: the
# row, and how many of its presentations are done.
WEIGHT, CLOCK, CHANGED, NEXT_CHANGE, ROW, DONE = range(6)
# Entries of LABEL_WORK, for each of so many models: field and variance of a row are
# read, slope and curvature are written; then there is room, and after that the product
# of probabilities whose logarithm is not yet counted, and room for pairs of rows.
LABEL_ROOM = 6
PIECES = 8.0  # a half-life passes in so many pieces
# Rows that a full covariance learns at once. Measured at 20 to 500 columns: 8 and 32
# are slower.
BLOCK_ROWS = 16
