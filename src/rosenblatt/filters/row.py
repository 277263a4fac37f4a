r"""Update by one row, shared by all Gaussian filters.

A frame makes numbers of any scale comparable,

.. math:: z_i = \mathrm{clip}\big((x_i - \mathrm{center}_i) / \mathrm{scale}_i\big),
    \tag{1}

and an intercept is one more coordinate :math:`z = 1`, the last. All filters believe
that the field is Gaussian with mean :math:`m \cdot z` and variance :math:`z^T V z`, to
which the ``width`` of the label law is added: 0 for a step, 1 for the probit law.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.jit import woven
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.label_law import LOG_EVIDENCE, MISTAKES, guess, guess_class
from rosenblatt.numerics import evidence_table
from rosenblatt.numerics.class_evidence import class_chances, class_evidence
from rosenblatt.numerics.evidence import evidence

__all__ = [
    "ALL",
    "BLOCK",
    "CODES",
    "GIVEN",
    "HUGE",
    "LINE",
    "MATRIX",
    "REACH",
    "SMALLEST",
    "SOME",
    "VECTOR",
    "News",
    "aligned",
    "counts",
    "framed",
    "log_odds",
    "moved",
    "narrowed",
    "news",
    "observe",
    "rows_of",
    "settle",
    "tell",
    "write_odds",
]

# For the statistics of a column an entry counts as no farther than this many scales
# from the centre: its square cannot overflow, and one absurd entry does not make the
# column's spread absurd for ever.
REACH = 1e3
# All rows up to here count for the frame, later so many of each block. After 1024 rows
# a mean is known to 3% of the deviation, and rows that do not count are learned faster.
ALL, SOME, BLOCK = 1024, 128, 4096
_TOGETHER = 8  # rows that are added to the statistics of columns in one pass
HUGE = 1e300  # fields and squares above it are taken for infinite, as NaN is
# A product of probabilities is settled when it is below this: one more factor, at least
# 1e-58 in the table, does not underflow.
_SMALL = 1e-200
LINE = 8  # numbers in a line of the cache, or in a register
SMALLEST = 1e-307  # a scale whose reciprocal is still a number


class News(NamedTuple):
    """One label: what it asks of the field's mean."""

    slope: float
    curvature: float
    product: float  # of probabilities whose logarithm is not yet counted


_f, _i = types.float64, types.int64
VECTOR, MATRIX = _f[::1], _f[:, ::1]
GIVEN = types.Array(_f, 1, "C", readonly=True)
CODES = types.Array(_i, 1, "C", readonly=True)


@inlined
def aligned(size: int) -> tuple[FloatArray, int]:
    """Return zeros, and where to begin for registers to be read from one line each."""
    zeros = np.zeros(size + LINE)
    return zeros, (-zeros.ctypes.data // 8) % LINE


def rows_of(number: Any) -> Any:
    """Return the type of a table of such numbers."""
    return types.Array(number, 2, "C", readonly=True)


def framed(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Return eq. (1), for a sweep; ``none`` is zero."""
    return ((x - center) * scale).clip(none - clip, clip)


def moved(m: Any, v: Any, before: Any, slope: Any, curvature: Any) -> Any:
    """Return mean and variance after the row before, for a sweep: diagonal, eq. (1)."""
    step = v * before
    return m + step * slope, v - step * step * curvature


@inlined
def narrowed(numbers: FloatArray, like: FloatArray) -> FloatArray:
    """Return numbers in the precision of others, or the largest that it has."""
    return np.minimum(numbers, np.finfo(like.dtype).max).astype(like.dtype)


@inlined
def counts(clock: int) -> bool:
    """Return whether a row at this clock counts for the frame; a negative one does."""
    return clock < ALL or clock % BLOCK < SOME


def _observed(
    a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any,
    center: Any, scale: Any, first: Any, second: Any,
    o: Any, p: Any, q: Any, r: Any, s: Any, t: Any, u: Any, v: Any,
    reach: Any, none: Any
) -> Any:  # fmt: skip
    """Add eight rows to the sums of deviations and of their squares, for a sweep."""
    rows, times = (a, b, c, d, e, f, g, h), (o, p, q, r, s, t, u, v)
    for x, often in zip(rows, times, strict=True):
        far = framed(x, center, scale, reach, none)
        first, second = first + far * often, second + far * far * often
    return (first, second), ()


_observing = sweep(_observed, reads=12, writes=2, sums=0)


@woven
def observe(
    table: FloatArray,
    row: int,
    rows: int,
    clock: int,
    times: float,
    waiting: FloatArray,
    center: FloatArray,
    inverse_scale: FloatArray,
    sums: FloatArray,
) -> None:
    """Add a row that many times to ``sums``, which are flat, if it counts.

    The first of all ``rows`` is at the ``clock``, which is negative if all of them
    count. Rows wait until there are eight or none follows: the sums of many columns are
    in no fast cache, and one pass over them takes longer than learning a row.
    ``waiting`` are eight numbers, zero at first.
    """
    n = center.size
    turn = row % _TOGETHER
    counted = sums.size > 0 and (clock < 0 or counts(clock + row))
    if counted:
        waiting[turn] = times
    more = row + 1 < rows and (clock < 0 or counts(clock + row + 1))
    if counted and (turn == _TOGETHER - 1 or not more):
        i = row - turn
        _observing(
            n, table, i * n, table, min(i + 1, row) * n, table, min(i + 2, row) * n,
            table, min(i + 3, row) * n, table, min(i + 4, row) * n,
            table, min(i + 5, row) * n, table, min(i + 6, row) * n, table, row * n,
            center, 0, inverse_scale, 0, sums, 0, sums, n, sums, 0, sums, n,
            waiting[0], waiting[1], waiting[2], waiting[3], waiting[4], waiting[5],
            waiting[6], waiting[7], REACH, 0.0
        )  # fmt: skip
        waiting[:] = 0.0


@inlined
def log_odds(mean: float, variance: float, noise: float) -> float:
    """Return by how much the label +1 is likelier than -1, as a logarithm."""
    if not variance > 0.0:
        return 0.0
    positive = evidence(mean, variance, 1.0, noise)
    negative = evidence(mean, variance, -1.0, noise)
    return float(positive.log_probability - negative.log_probability)


@woven
def news(
    mean: float,
    variance: float,
    label: float,
    noise: float,
    product: float,
    tally: FloatArray,
) -> News:
    """Return what one label tells, and keep count."""
    # With a step, and nothing of the input left, the label tells nothing.
    # The root and the reciprocal do not wait for each other.
    inverse = math.sqrt(variance) * (1.0 / variance) if variance > SMALLEST else 0.0
    u = label * mean * inverse
    log_z = 0.0
    if abs(u) < evidence_table.REACH:
        z, factor = evidence_table.tabulated(u, noise)
        slope = label * factor * inverse
        curvature = factor * (u + factor) * (inverse * inverse)
        product *= z
        if product < _SMALL:
            log_z = math.log(product)
            product = 1.0
    else:
        log_z, slope, curvature = evidence(mean, variance, label, noise)
    tally[0, LOG_EVIDENCE] += log_z
    tally[0, MISTAKES] += 1.0 if u <= 0.0 else 0.0
    guess(u, tally)
    return News(slope, curvature, product)


@inlined
def write_odds(
    fields: FloatArray,
    squares: FloatArray,
    width: float,
    noise: FloatArray,
    chances: FloatArray,
    odds: FloatArray,
) -> None:
    """Write the logarithm of the odds of +1, or of each of several classes."""
    if fields.size == 1:
        odds[0] = log_odds(fields[0], width + squares[0], noise[0])
        return
    class_chances(fields, squares, width, noise[0], chances)
    for k in range(fields.size):
        odds[k] = math.log(max(chances[1, k], SMALLEST))


@woven
def tell(
    fields: FloatArray,
    squares: FloatArray,
    width: float,
    code: int,
    noise: FloatArray,
    chances: FloatArray,
    slopes: FloatArray,
    curvatures: FloatArray,
    products: FloatArray,
    tally: FloatArray,
) -> None:
    """Write what a label tells each model, and keep count.

    One model tells two classes apart. Several are one classifier, with the same counts.
    """
    if fields.size == 1:
        label = 1.0 if code == 1 else -1.0
        told = news(fields[0], width + squares[0], label, noise[0], products[0], tally)
        slopes[0], curvatures[0] = told.slope, told.curvature
        products[0] = told.product
    else:
        class_chances(fields, squares, width, noise[0], chances)
        class_evidence(squares, width, code, noise[0], chances, slopes, curvatures)
        mistake = 0.0
        for k in range(fields.size):
            if k != code and chances[0, k] >= chances[0, code]:
                mistake = 1.0
        tally[0, LOG_EVIDENCE] += math.log(max(chances[1, code], SMALLEST))
        tally[0, MISTAKES] += mistake
        guess_class(fields, squares, width, code, tally)
        tally[1:] = tally[0]


@inlined
def settle(tally: FloatArray, product: FloatArray) -> None:
    """Add the logarithms of the products of probabilities."""
    for model in range(product.size):
        tally[model, LOG_EVIDENCE] += math.log(product[model])
