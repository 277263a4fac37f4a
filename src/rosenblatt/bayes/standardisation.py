r"""Standardisation of columns by running means and deviations.

.. math:: z_i = \mathrm{clip}\big((x_i - \mathrm{center}_i) / \mathrm{scale}_i\big).
    \tag{1}

Sums of z, without the clip, and of :math:`z^2` are kept in standardised units, so that
squares of 1e300 do not overflow. At times that depend only on the number of examples,
centre and scale become the mean and the standard deviation of these sums. They include
the current row. Its inputs are known before its label is. Then
:math:`z' = \mathrm{ratio}\, z - \mathrm{shift}`.

A column that has had one value only has the scale of that value, or 1 if it is zero.
Its z is 0 in any case. Sparse columns are not centred, and their scale is the root of
the mean square of the entries that are not zero.

The sums may forget rows with a half-life. Then there is a change after every eighth of
it, but after 32 rows at the earliest. A column whose scale was forgotten begins anew.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import rosenblatt.bayes.layout as layout
from rosenblatt.bayes.layout import Arrays
from rosenblatt.compiling import inlined, kernel
from rosenblatt.compiling.types import ReadMatrix, ReadVector, Vector
from rosenblatt.core.schema import Array, Flag, Number, Relation, Schema, record
from rosenblatt.core.types import FloatArray

NEVER = 2**62  # no number of examples gets there
# For the sums an entry counts as no farther than this many scales from the centre: its
# square cannot overflow, and one absurd entry does not make the scale absurd for ever.
REACH = 1e3
SMALLEST = 1e-307  # a scale whose reciprocal is still a number
_LARGEST = 4e307  # differences and reciprocals of such numbers are still numbers
# A scale that shrinks more than this tells that all entries before were next to zero,
# and what is known of the weight is rounding.
KNOWN = 1e4
# A column that was constant for many half-lives has a scale next to zero. Where so many
# rows, and this share of all, are out of reach of it, the column begins anew.
_AWAY_ROWS, _AWAY_SHARE = 2.5, 0.01
_OFTEN = 256  # up to here there are two changes while the examples double, then one
# All rows up to here are added to the sums, later so many of each block. After 1024
# rows a mean is known to 3% of the deviation, and rows not added are learned faster.
_ALL, _SOME, _BLOCK = 1024, 128, 4096


@inlined
def counts(clock: int) -> bool:
    """Return whether the row after this many examples is added to the sums."""
    return clock < _ALL or clock % _BLOCK < _SOME


@inlined
def follow(
    first: float, second: float, weight: float, center: float, inverse: float, x: float
) -> tuple[float, float]:
    """Return centre and inverse scale from the sums of a column and its last entry.

    The weight is the number of rows in the sums; an ``x`` that is NaN is left out.
    """
    scale, place = 0.0, center
    share = 1.0 / weight if weight > 0.0 else 1.0
    if x == x:
        z = min(max((x - center) * inverse, -REACH), REACH)
        first, second, share = first + z, second + z * z, 1.0 / (weight + 1.0)
    if weight > 0.0:
        mean = first * share
        unit = 1.0 / inverse
        scale = math.sqrt(max(second * share - mean * mean, 0.0)) * unit
        place += mean * unit
    else:
        place = x
    place = min(max(place, -_LARGEST), _LARGEST)
    alone = 1.0 if place == 0.0 else abs(place)
    scale = scale if scale > 0.0 else alone
    return place, 1.0 / min(max(scale, SMALLEST), _LARGEST)


@inlined
def move(
    first: float,
    second: float,
    weight: float,
    center: float,
    inverse: float,
    new_center: float,
    new_inverse: float,
    sparse: bool,
) -> tuple[float, float, float, float]:
    """Return shift, ratio and both sums of a column in another standardisation.

    The ratio is 0 for a column that has not varied, and carries no information.
    """
    shift = (new_center - center) * new_inverse  # finite, in the new units
    ratio = new_inverse / inverse if inverse > 0.0 else 1.0
    known = ratio if second > 0.0 else 0.0
    # ratios are not squared: their squares overflow before the products do
    second = ratio * (ratio * second)
    if not sparse:
        first = ratio * first
        second = max(second + shift * (weight * shift - 2.0 * first), 0.0)
        first = first - weight * shift
    return shift, known, first, second


@kernel()
def _move_all(
    center: Vector,
    inverse: Vector,
    first: Vector,
    second: Vector,
    weight: float,
    sparse: bool,
    new_center: Vector,
    new_inverse: Vector,
    shifts: Vector,
    ratios: Vector,
) -> None:
    """Move the sums of all columns in place, and write shifts and ratios."""
    for i in range(center.size):
        shifts[i], ratios[i], first[i], second[i] = move(
            first[i], second[i], weight, center[i], inverse[i], new_center[i],
            new_inverse[i], sparse
        )  # fmt: skip


@kernel()
def _follow_all(
    sums: ReadMatrix,
    weight: float,
    center: ReadVector,
    inverse: ReadVector,
    row: ReadVector,
    new_center: Vector,
    new_inverse: Vector,
) -> None:
    for i in range(center.size):
        new_center[i], new_inverse[i] = follow(
            sums[0, i], sums[1, i], weight, center[i], inverse[i], row[i]
        )


class Standardisation(NamedTuple):
    """Centre and scale of each column, and the sums that give better ones."""

    center: FloatArray
    inverse_scale: FloatArray  # 0 for a column of which nothing is known
    sums: FloatArray  # of z and z^2; sparse: the number of entries, and z^2
    weight: float  # the number of rows in the sums
    sparse: bool

    @classmethod
    def none(cls, features: int, sparse: bool) -> Standardisation:
        """Return the standardisation that leaves inputs as they are, without sums."""
        ones = np.ones(features)
        return cls(np.zeros(features), ones, np.zeros((2, 0)), 0.0, sparse)

    @classmethod
    def unseen(cls, features: int, sparse: bool) -> Standardisation:
        """Return the standardisation before the first row."""
        zeros = np.zeros(features)
        return cls(zeros, zeros.copy(), np.zeros((2, features)), 0.0, sparse)

    def to(
        self, center: FloatArray, inverse_scale: FloatArray
    ) -> tuple[Standardisation, FloatArray, FloatArray]:
        """Return the same sums in other units, and shifts and ratios of the move."""
        shift, ratio = np.zeros(center.size), np.ones(center.size)
        if not self.sums.size:
            return self, shift, ratio
        sums = self.sums.copy()
        _move_all(
            self.center, self.inverse_scale, sums[0], sums[1], self.weight, self.sparse,
            center, inverse_scale, shift, ratio
        )  # fmt: skip
        moved = self._replace(center=center, inverse_scale=inverse_scale, sums=sums)
        return moved, shift, ratio

    def following(self, row: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return centre and inverse scale by all rows and this one, but for its NaN."""
        found = np.empty(self.center.size), np.empty(self.center.size)
        own = self.center, self.inverse_scale
        _follow_all(self.sums, self.weight, *own, row, *found)
        return found

    def joined(self, other: Standardisation) -> Standardisation:
        """Return the standardisation by the rows of both."""
        if not self.sums.size:
            return self
        inverses = np.stack([self.inverse_scale, other.inverse_scale])
        known = np.where(inverses > 0.0, inverses, np.inf).min(axis=0)
        inverse = np.where(np.isfinite(known), known, 0.0)  # the larger of two scales
        if not self.sparse:  # with room for both columns, wherever their centres are
            apart = np.abs(other.center - self.center)
            inverse = 1.0 / np.maximum(1.0 / inverse, apart)
        one, two = (part.to(self.center, inverse)[0] for part in (self, other))
        sums, weight = one.sums + two.sums, one.weight + two.weight
        result = self._replace(inverse_scale=inverse, sums=sums, weight=weight)
        if self.sparse:
            center, following = self.center, _sparse_scale(inverse, *sums)
        else:
            center, following = result.following(np.full(inverse.size, math.nan))
        return result.to(center, following)[0]


def _sparse_scale(
    inverse: FloatArray, count: FloatArray, squares: FloatArray
) -> FloatArray:
    """Return the inverse scales by which entries have a mean square of 1."""
    ratio = np.ones(count.size)
    np.divide(count, squares, out=ratio, where=squares > 0.0)
    return np.minimum(inverse * np.sqrt(ratio), 1.0 / SMALLEST)


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
            lambda own, _: bool((own.sums[0 if own.sparse else 1 :] >= 0).all()),
            values=True,
        ),
    ),
)
record(STANDARDISATION)(Standardisation)


def next_change(clock: int) -> int:
    """Return the next row of a change: powers of 2, and early also halfway points.

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


next_change_in_kernels = inlined(next_change)


def _sooner(change: int, clock: float, piece: float) -> float:
    """Return the example of the next change, early enough to forget in pieces."""
    return min(float(change), clock + piece) if piece > 0.0 else float(change)


_following = inlined(_sooner)


def following_change(clock: int, piece: float) -> int:
    """Return the number of examples at which the next change is due."""
    return int(_sooner(next_change(clock), clock, piece))


@inlined
def change_columns(f: Arrays, sparse: bool) -> None:
    """Standardise columns by their sums and the current row.

    Shifts and ratios of the columns are left in the work space of the filter.
    """
    counts, n, keep, most = f.counts, f.features, 1.0, math.inf
    clock, half_life = counts[layout.CLOCK], f.numbers[layout.INPUT_HALF_LIFE]
    if half_life > 0.0:
        most = max(_AWAY_ROWS, _AWAY_SHARE * counts[layout.WEIGHT]) * REACH * REACH
        keep = 0.5 ** ((clock - counts[layout.CHANGED]) / half_life)
    counts[layout.WEIGHT] *= keep
    weight = counts[layout.WEIGHT]
    for i in range(n):
        first, second = keep * f.sums[i], keep * f.sums[n + i]
        place, unit = f.center[i], f.inverse[i]
        if sparse:
            if second > 0.0:
                unit = min(unit * math.sqrt(first / second), 1.0 / SMALLEST)
        else:
            known = weight
            if f.sums[n + i] > most:
                first = second = known = 0.0
            place, unit = follow(first, second, known, place, unit, f.row[i])
        f.shifts[i], f.ratios[i], f.sums[i], f.sums[n + i] = move(
            first, second, weight, f.center[i], f.inverse[i], place, unit, sparse
        )
        if not f.ratios[i] < KNOWN:
            f.ratios[i] = 0.0
        f.center[i], f.inverse[i] = place, unit
    counts[layout.CHANGED] = clock
    counts[layout.NEXT_CHANGE] = _following(
        next_change_in_kernels(int(clock)), clock, f.numbers[layout.PIECE]
    )


@inlined
def standardise(f: Arrays, rows: FloatArray, first: int, at: int) -> float:
    """Write eq. (1) of the row that begins at ``first`` to place ``at`` of a block.

    Return 0, or NaN if an entry is not finite.
    """
    odd, clip = 0.0, f.numbers[layout.CLIP]
    for i in range(f.features):
        entry = float(rows[first + i])
        odd += entry * 0.0
        z = (entry - f.center[i]) * f.inverse[i]
        f.rows[at + i] = min(max(z, -clip), clip)
    for i in range(f.features, f.weights):
        f.rows[at + i] = 1.0
    return odd


@inlined
def add_row(f: Arrays, rows: FloatArray, first: int) -> None:
    """Add a row to the sums of deviations and of their squares."""
    n = f.features
    for i in range(n):
        z = (float(rows[first + i]) - f.center[i]) * f.inverse[i]
        z = min(max(z, -REACH), REACH)
        f.sums[i] += z
        f.sums[n + i] += z * z
    f.counts[layout.WEIGHT] += 1.0
