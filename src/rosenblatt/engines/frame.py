r"""The frame: running centre and scale of each column.

Sums of :math:`z = (x - \mathrm{center}) / \mathrm{scale}` and of :math:`z^2` are kept,
in units of the frame, so that squares of 1e300 do not overflow. At some times, which
depend on the clock alone, the frame moves to the mean and the standard deviation that
these sums tell, the current row included: its inputs are known before its label is.
Then :math:`z' = \mathrm{ratio}\, z - \mathrm{shift}`.

A column that has had one value only has the scale of that value, or 1 if it is zero.
Its z is 0 in any case. Sparse columns are not centred, and their scale is the root of
the mean square of the entries that are not zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.engines.filter_row import REACH, SMALLEST

__all__ = ["NEVER", "Frame", "Move", "next_change", "watch"]

NEVER = 2**62  # no clock gets there
# All rows up to here count for the frame, later so many of each block. After 1024 rows
# a mean is known to 3% of the deviation, and rows that do not count are learned faster.
_ALL, _SOME, _BLOCK = 1024, 256, 4096
_OFTEN = 256  # up to here the frame changes twice while the clock doubles, then once
_LARGEST = 4e307  # differences and reciprocals of such numbers are still numbers


class Move(NamedTuple):
    """From one frame to another: z' = ratio * z - shift."""

    shift: FloatArray
    ratio: FloatArray  # 0 for columns that have not varied, and told nothing

    @classmethod
    def none(cls, features: int) -> Move:
        """Return the move that changes nothing."""
        return cls(np.zeros(features), np.ones(features))


class Frame(NamedTuple):
    """Centre and scale of each column, and the sums that tell better ones."""

    center: FloatArray
    inverse_scale: FloatArray  # 0 for a column of which nothing is known
    sums: FloatArray  # of z and z^2; sparse: the number of entries, and z^2
    weight: float  # the number of rows in the sums
    sparse: bool

    @classmethod
    def none(cls, features: int, sparse: bool) -> Frame:
        """Return the frame that leaves the inputs as they are, and counts nothing."""
        ones = np.ones(features)
        return cls(np.zeros(features), ones, np.zeros((2, 0)), 0.0, sparse)

    @classmethod
    def unseen(cls, features: int, sparse: bool) -> Frame:
        """Return the frame before the first row."""
        zeros = np.zeros(features)
        return cls(zeros, zeros.copy(), np.zeros((2, features)), 0.0, sparse)

    def copy(self) -> Frame:
        """Return a frame that shares nothing with this one."""
        return self._replace(
            center=self.center.copy(),
            inverse_scale=self.inverse_scale.copy(),
            sums=self.sums.copy(),
        )

    def faded(self, keep: float) -> Frame:
        """Return the frame with sums that count less."""
        return self._replace(sums=keep * self.sums, weight=keep * self.weight)

    def to(self, center: FloatArray, inverse_scale: FloatArray) -> tuple[Frame, Move]:
        """Return the same sums in another frame, and the way there."""
        if not self.sums.size:
            return self, Move.none(center.size)
        shift = (center - self.center) * inverse_scale  # finite, in the new units
        ratio = np.ones(center.size)
        seen = self.inverse_scale > 0.0
        np.divide(inverse_scale, self.inverse_scale, out=ratio, where=seen)
        first, second = self.sums
        # ratios are not squared: their squares overflow before the products do
        if self.sparse:
            sums = np.stack([first, ratio * (ratio * second)])
        else:
            first = ratio * first
            second = ratio * (ratio * second)
            second = second + shift * (self.weight * shift - 2.0 * first)
            sums = np.stack([first - self.weight * shift, np.maximum(second, 0.0)])
        moved = Frame(center, inverse_scale, sums, self.weight, self.sparse)
        return moved, Move(shift, np.where(self.sums[1] > 0.0, ratio, 0.0))

    def following(self, row: FloatArray | None) -> tuple[Frame, Move]:
        """Return the frame that the sums and this row tell, and the way there."""
        if self.sparse:
            return self._following_sparse()
        first, second = self.sums
        weight = self.weight
        if row is not None and weight == 0.0:
            center = np.clip(row, -_LARGEST, _LARGEST)
            return self.to(center, _inverse(np.zeros(row.size), center))
        if row is not None:
            z = np.clip((row - self.center) * self.inverse_scale, -REACH, REACH)
            first, second, weight = first + z, second + z * z, weight + 1.0
        mean = first / weight
        spread = np.sqrt(np.maximum(second / weight - mean * mean, 0.0))
        center = self.center + mean / self.inverse_scale
        center = np.clip(center, -_LARGEST, _LARGEST)
        return self.to(center, _inverse(spread / self.inverse_scale, center))

    def _following_sparse(self) -> tuple[Frame, Move]:
        """Return the frame in which entries have a mean square of 1."""
        count, squares = self.sums
        ratio = np.ones(count.size)
        np.divide(count, squares, out=ratio, where=squares > 0.0)
        inverse = np.minimum(self.inverse_scale * np.sqrt(ratio), 1.0 / SMALLEST)
        return self.to(self.center, inverse)

    def joined(self, other: Frame) -> Frame:
        """Return the frame of all rows of two."""
        if not self.sums.size:
            return self
        inverses = np.stack([self.inverse_scale, other.inverse_scale])
        known = np.where(inverses > 0.0, inverses, np.inf).min(axis=0)
        inverse = np.where(np.isfinite(known), known, 0.0)  # the larger of two scales
        if not self.sparse:  # with room for both columns, wherever their centres are
            apart = np.abs(other.center - self.center)
            inverse = 1.0 / np.maximum(1.0 / inverse, apart)
        one, two = (part.to(self.center, inverse)[0] for part in (self, other))
        both = one._replace(sums=one.sums + two.sums, weight=one.weight + two.weight)
        return both.following(None)[0]


def _inverse(spread: FloatArray, center: FloatArray) -> FloatArray:
    """Return the inverse scales of columns with this spread around this centre."""
    alone = np.where(center == 0.0, 1.0, np.abs(center))
    scale = np.where(spread > 0.0, spread, alone)
    return np.asarray(1.0 / np.clip(scale, SMALLEST, _LARGEST))


def next_change(clock: int) -> int:
    """Return when the frame changes again: at powers of 2; early, halfway between too.

    Examples
    --------
    >>> times = [0]
    >>> while times[-1] < 30:
    ...     times.append(next_change(times[-1]))
    >>> times
    [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
    """
    if clock == 0:
        return 1
    power = 1 << (clock.bit_length() - 1)
    halfway = power + power // 2
    return halfway if clock < halfway and power < _OFTEN else 2 * power


def watch(clock: int) -> tuple[bool, int]:
    """Return whether rows count for a dense frame, and until which clock.

    Examples
    --------
    >>> watch(0), watch(1024), watch(4096), watch(4096 + 256)
    ((True, 1024), (False, 4096), (True, 4352), (False, 8192))
    """
    block = clock - clock % _BLOCK
    until = block + _SOME if block else _ALL
    return (True, until) if clock < until else (False, block + _BLOCK)
