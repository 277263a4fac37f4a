"""Table by which kernels find the arrays, sizes and routines of a filter.

:class:`rosenblatt.bayes.filter.KernelState` checks and writes the table. Kernels are
given its address: to pass an array takes a tenth of a microsecond, and a filter has
many. To learn a row of a few columns takes not much longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.compiling import force_inlined
from rosenblatt.compiling.pointers import address_of, pointer_at, structure
from rosenblatt.compiling.types import Pointer
from rosenblatt.compiling.vectors import aligned_copy
from rosenblatt.core.types import FloatArray

# Entries of numbers, which stay: half-lives of the weights, and of the rows in the sums
# of the columns, which are forgotten by changes after so many examples (PIECE) at most;
# 0 is never. An example leaves the part KEPT of a weight's variance.
CLIP, WIDTH, PRIOR, HALF_LIFE, INPUT_HALF_LIFE, PIECE, KEPT = range(7)
# Entries of counts: rows in the sums of the columns, examples so far, the example at
# which the standardisation last changed and changes next; and where sparse rows are:
# the row, and how many of its presentations are done. The label that is learned now
# counts as this POWER of its likelihood.
WEIGHT, CLOCK, CHANGED, NEXT_CHANGE, ROW, DONE, POWER = range(7)
# Entries of label, for each of so many models: field and variance of a row are
# read, slope and curvature are written; then there is room, and after that the product
# of probabilities whose logarithm is not yet counted.
LABEL_ROOM = 6
STATISTICS = 9  # entries of each model's statistics of the labels
MOST_ROWS = 16  # in a block. Measured at 20 to 500 columns: 8 and 32 are slower
# Entries of shown, for each row of a block: its number, the power with which it is
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
    """Arrays, sizes and routines of a filter: entries of its table."""

    center: Pointer
    inverse: Pointer
    sums: Pointer
    noise: Pointer
    mean: Pointer
    belief: Pointer
    statistics: Pointer
    numbers: Pointer
    counts: Pointer
    label: Pointer
    row: Pointer
    shifts: Pointer
    ratios: Pointer
    rows: Pointer  # standardised, with a 1 for the intercept
    shown: Pointer
    work: Pointer
    features: int
    weights: int
    models: int
    summed: int
    entries: int  # numbers of each model's belief
    sparse: int
    block: int  # rows that are learned at once
    gemm: int  # addresses: of the product of matrices, the law of the labels, the
    learn_label: int  # change of standardisation and estimates, and of the belief's
    change: int
    rescale: int
    start: int
    predict: int
    learn: int
    finish: int


arrays_at = structure(Arrays)


@force_inlined
def part(numbers: FloatArray, first: int, size: int) -> FloatArray:
    """Return some numbers of an array of a table, from an entry on."""
    return pointer_at(address_of(numbers) + 8 * first, size)  # type: ignore[no-any-return]
