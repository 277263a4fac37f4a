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

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.core.schema import Array, Flag, Number, Relation, Schema
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.row import (
    ALL,
    BLOCK,
    GIVEN,
    MATRIX,
    REACH,
    SMALLEST,
    SOME,
    VECTOR,
)

__all__ = [
    "NEVER",
    "STANDARDISATION",
    "Frame",
    "Move",
    "counted",
    "counted_in_kernels",
    "follow",
    "next_change",
    "next_change_in_kernels",
    "turn",
    "watch",
]

NEVER = 2**62  # no clock gets there
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
        shift, ratio = np.empty(center.size), np.empty(center.size)
        sums = np.empty_like(self.sums)
        _turning(*self, center, inverse_scale, sums, shift, ratio)
        moved = Frame(center, inverse_scale, sums, self.weight, self.sparse)
        return moved, Move(shift, ratio)

    def following(self, row: FloatArray | None) -> tuple[Frame, Move]:
        """Return the frame that the sums and this row tell, and the way there."""
        if self.sparse:
            return self._following_sparse()
        center, inverse = np.empty(self.center.size), np.empty(self.center.size)
        known = np.zeros(0) if row is None else row
        _following(*self[:4], known, center, inverse)
        return self.to(center, inverse)

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


STANDARDISATION = Schema(
    "standardisation",
    {
        "center": Array((("columns",),)),
        "inverse_scale": Array((("columns",),), low=0.0),
        "sums": Array(((2, "columns"), (2, 0))),
        "weight": Number(low=0.0),
        "sparse": Flag(),
    },
    (
        Relation(
            "sums of squares, and of sparse rows numbers of entries, at least 0",
            lambda frame, _: bool((frame.sums[0 if frame.sparse else 1 :] >= 0).all()),
            values=True,
        ),
    ),
)
_f = types.float64
_SUMS = types.Array(_f, 2, "C", readonly=True)


def _follow(
    center: FloatArray,
    inverse_scale: FloatArray,
    sums: FloatArray,
    weight: float,
    row: FloatArray,
    new_center: FloatArray,
    new_inverse: FloatArray,
) -> None:
    """Write centre and inverse scale that the sums and a row, if there is one, tell."""
    added = 1.0 if row.size else 0.0
    share = 1.0 / (weight + added)
    for i in range(center.size):
        first, second, scale = sums[0, i], sums[1, i], 0.0
        place = center[i]
        if row.size:
            z = min(max((row[i] - place) * inverse_scale[i], -REACH), REACH)
            first, second = first + z, second + z * z
        if weight > 0.0:
            mean = first * share
            unit = 1.0 / inverse_scale[i]
            scale = math.sqrt(max(second * share - mean * mean, 0.0)) * unit
            place += mean * unit
        else:
            place = row[i]
        place = min(max(place, -_LARGEST), _LARGEST)
        alone = 1.0 if place == 0.0 else abs(place)
        scale = scale if scale > 0.0 else alone
        new_center[i] = place
        new_inverse[i] = 1.0 / min(max(scale, SMALLEST), _LARGEST)


def _turn(
    center: FloatArray,
    inverse_scale: FloatArray,
    sums: FloatArray,
    weight: float,
    sparse: bool,
    new_center: FloatArray,
    new_inverse: FloatArray,
    new_sums: FloatArray,
    shifts: FloatArray,
    ratios: FloatArray,
) -> None:
    """Write sums in another frame, and shift and ratio of the move."""
    for i in range(center.size):
        first, second = sums[0, i], sums[1, i]
        shift = (new_center[i] - center[i]) * new_inverse[i]  # finite, in the new units
        seen = inverse_scale[i] > 0.0
        ratio = new_inverse[i] / inverse_scale[i] if seen else 1.0
        shifts[i] = shift
        ratios[i] = ratio if second > 0.0 else 0.0
        # ratios are not squared: their squares overflow before the products do
        second = ratio * (ratio * second)
        if not sparse:
            first = ratio * first
            second = max(second + shift * (weight * shift - 2.0 * first), 0.0)
            first = first - weight * shift
        new_sums[0, i] = first
        new_sums[1, i] = second


follow, turn = inlined(_follow), inlined(_turn)
_following = kernel(types.void, GIVEN, GIVEN, _SUMS, _f, GIVEN, VECTOR, VECTOR)(_follow)
_turning = kernel(
    types.void, GIVEN, GIVEN, _SUMS, _f, types.boolean, GIVEN, GIVEN, MATRIX, VECTOR,
    VECTOR
)(_turn)  # fmt: skip


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
    power = 1
    while 2 * power <= clock:
        power *= 2
    if clock < power:
        return power
    halfway = power + power // 2
    return halfway if clock < halfway and power < _OFTEN else 2 * power


def watch(clock: int) -> tuple[bool, int]:
    """Return whether rows count for a dense frame, and until which clock.

    Examples
    --------
    >>> watch(0), watch(1024), watch(4096), watch(4096 + 128)
    ((True, 1024), (False, 4096), (True, 4224), (False, 8192))
    """
    block = clock - clock % BLOCK
    until = block + SOME if block else ALL
    return (True, until) if clock < until else (False, block + BLOCK)


def counted(clock: int) -> int:
    """Return how many rows before a clock count for a dense frame.

    Examples
    --------
    >>> counted(1000), counted(4096), counted(4100), counted(9000)
    (1000, 1024, 1028, 1280)
    """
    blocks, rest = divmod(clock, BLOCK)
    if not blocks:
        return min(rest, ALL)
    return ALL + (blocks - 1) * SOME + min(rest, SOME)


next_change_in_kernels, counted_in_kernels = inlined(next_change), inlined(counted)
