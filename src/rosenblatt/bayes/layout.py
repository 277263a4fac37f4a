"""Table by which kernels find the arrays, sizes and routines of a filter.

:class:`rosenblatt.bayes.filter.KernelState` checks and writes the table. Kernels are
given its address: to pass an array takes a tenth of a microsecond, and a filter has
many. To learn a row of a few columns takes not much longer.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.compiling import force_inlined
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.compiling.vectors import aligned_copy
from rosenblatt.core.types import FloatArray

# Addresses of arrays.
CENTER, INVERSE_SCALE, SUMS, NOISE, MEAN, BELIEF, LABELS, NUMBERS, COUNTS = range(9)
LABEL_WORK, ROW_COPY, SHIFTS, RATIOS, ROWS, SHOWN, WORK = range(9, 16)
# Sizes: ENTRIES are the numbers of each model's belief, BLOCK the rows that are learned
# at once.
FEATURES, WEIGHTS, MODELS, SUMMED, ENTRIES, SPARSE, BLOCK = range(16, 23)
# Addresses of routines: the product of matrices, the law of the labels, the change of
# standardisation and estimates, and those of the belief.
GEMM, LEARN_LABEL, CHANGE, RESCALE, START, PREDICT, LEARN, FINISH = range(23, 31)
SIZE = 31
# Entries of NUMBERS, which stay: half-lives of the weights, and of the rows in the sums
# of the columns, which are forgotten by changes after so many examples (PIECE) at most;
# 0 is never. An example leaves the part KEPT of a weight's variance.
CLIP, WIDTH, PRIOR, HALF_LIFE, INPUT_HALF_LIFE, PIECE, KEPT = range(7)
# Entries of COUNTS: rows in the sums of the columns, examples so far, the example at
# which the standardisation last changed and changes next; and where sparse rows are:
# the row, and how many of its presentations are done. The label that is learned now
# counts as this POWER of its likelihood.
WEIGHT, CLOCK, CHANGED, NEXT_CHANGE, ROW, DONE, POWER = range(7)
# Entries of LABEL_WORK, for each of so many models: field and variance of a row are
# read, slope and curvature are written; then there is room, and after that the product
# of probabilities whose logarithm is not yet counted.
LABEL_ROOM = 6
STATISTICS = 9  # entries of each model's statistics of the labels
MOST_ROWS = 16  # in a block. Measured at 20 to 500 columns: 8 and 32 are slower
# Entries of SHOWN, for each row of a block: its number, the power with which it is
# learned, whether it is added to the sums, and whether its prediction is wanted; then
# the rows in it, and whether others may have changed the belief since the block before,
# or may read it before the next one.
SHOWN_ROW, LEARNED, ADDED, WANTED, IN_BLOCK = range(0, 5 * MOST_ROWS, MOST_ROWS)
CHANGED_BEFORE, READ_AFTER = IN_BLOCK + 1, IN_BLOCK + 2
_MANY = 256  # numbers that are read faster from aligned arrays
HUGE = 1e300  # fields and squares above it are taken for infinite, as NaN is


class Record:
    """A record of arrays and of other records.

    Names that begin with "_" are of what is derived, such as addresses of the arrays.
    """

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is derived: copies have other addresses."""
        return {name: own for name, own in vars(self).items() if name[0] != "_"}

    def copy(self) -> Self:
        """Return a record that shares no array with this one."""
        other = object.__new__(type(self))
        for name, own in self.__getstate__().items():
            if isinstance(own, np.ndarray) and own.size > _MANY:
                own = aligned_copy(own)
            elif isinstance(own, list):
                own = [part.copy() for part in own]
            elif hasattr(own, "copy"):
                own = own.copy()
            vars(other)[name] = own
        return other

    def make_writable(self) -> None:
        """Replace arrays that are only to be read, such as those of files."""
        for name, own in vars(self).items():
            if isinstance(own, np.ndarray) and not own.flags.carray:
                setattr(self, name, own.copy())


class Arrays(NamedTuple):
    """Arrays and sizes of a filter."""

    center: FloatArray
    inverse: FloatArray
    sums: FloatArray
    noise: FloatArray
    mean: FloatArray
    belief: FloatArray
    statistics: FloatArray
    numbers: FloatArray
    counts: FloatArray
    label: FloatArray
    row: FloatArray
    shifts: FloatArray
    ratios: FloatArray
    rows: FloatArray  # standardised, with a 1 for the intercept
    shown: FloatArray
    features: int
    weights: int
    models: int
    summed: int
    entries: int


def _arrays_at(place: int) -> Arrays:
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    summed, entries = table[SUMMED], table[ENTRIES]
    return Arrays(
        pointer_at(table[CENTER], n),
        pointer_at(table[INVERSE_SCALE], n),
        pointer_at(table[SUMS], summed),
        pointer_at(table[NOISE], models),
        pointer_at(table[MEAN], models * weights),
        pointer_at(table[BELIEF], models * entries),
        pointer_at(table[LABELS], STATISTICS * models),
        pointer_at(table[NUMBERS], 7),
        pointer_at(table[COUNTS], 7),
        pointer_at(table[LABEL_WORK], LABEL_ROOM * models + 1),
        pointer_at(table[ROW_COPY], n),
        pointer_at(table[SHIFTS], n),
        pointer_at(table[RATIOS], n),
        pointer_at(table[ROWS], table[BLOCK] * weights),
        pointer_at(table[SHOWN], READ_AFTER + 1),
        n,
        weights,
        models,
        summed,
        entries,
    )


@functools.lru_cache(maxsize=64)
def _known_arrays(place: int, content: tuple[int, ...]) -> Arrays:
    """Return the arrays of a table with this content: plain Python makes them once."""
    return _arrays_at(place)


def _plain_arrays_at(place: int) -> Arrays:
    """Return the arrays and sizes of the table at an address."""
    return _known_arrays(place, tuple(table_at(place, SIZE).tolist()))


arrays_at = _plain_arrays_at if PLAIN else force_inlined(_arrays_at)


@force_inlined
def part(place: int, name: int, first: int, size: int) -> FloatArray:
    """Return some numbers of an array of a table, from its entry ``first`` on."""
    return pointer_at(table_at(place, SIZE)[name] + 8 * first, size)  # type: ignore[no-any-return]
