r"""The point of a convex hull that is nearest to the origin, by Wolfe's algorithm.

For rows :math:`z_i` let :math:`p` be the shortest vector
:math:`\sum_i c_i z_i` with :math:`c_i \ge 0`, :math:`\sum_i c_i = 1`. Then
:math:`p \cdot z_i \ge p \cdot p` for all rows, and :math:`p` is the direction with the
largest margin, :math:`|p|`. It is zero if and only if no vector has a positive product
with all rows. In between, for any combination,

.. math:: \min_i p \cdot z_i / |p| \;\le\; \text{largest margin} \;\le\; |p|.  \tag{1}

The algorithm keeps a few affinely independent rows. It steps to the shortest point of
their affine hull, or until a share is zero, and then removes that row. It adds the row
with the least :math:`p \cdot z_i`. The shortest point comes from the least squares
problem :math:`\sum_i c_i (1, z_i) \approx (1, 0)`, the shares being in proportion to
its solution. A QR factorisation of the rows follows each row that comes or goes. There
are at most as many of them as columns and one more. The residual of that problem is in
the direction of :math:`p`. Its components along the rows are subtracted twice. Then it
is orthogonal to their differences to rounding, however short :math:`p` is.

Of many rows only a working set is looked at in each step. All are once it is solved,
and the worst of the others join it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Nearest", "nearest"]

_FIRST = 1000  # rows of the first working set: a small part of what is large
_JOIN = 500  # rows that join it at most, each time
_STEPS = 200  # times columns: far more steps than ever needed for one working set
_ROUNDING = 1e-15  # what rounding leaves of nothing, rows having lengths of order 1
_DEPENDENT = 1e-12  # what is left of a row, relatively, that adds no dimension

_f, _i = types.float64, types.int64


class Nearest(NamedTuple):
    """The nearest point, as a combination of a few rows."""

    point: FloatArray
    rows: IntArray
    shares: FloatArray  # of these rows: positive, of sum 1


@inlined
def _add(Q: FloatArray, R: FloatArray, k: int, row: FloatArray) -> bool:
    """Add (1, row) to k orthonormal rows of Q; return False if it depends on them."""
    size = row.size + 1
    q = Q[k]
    q[0] = 1.0
    before = 1.0
    for i in range(1, size):
        q[i] = row[i - 1]
        before += q[i] * q[i]
    for j in range(k):
        R[j, k] = 0.0
    for _ in range(2):  # twice is enough for orthogonality to rounding
        for j in range(k):
            along = 0.0
            for i in range(size):
                along += Q[j, i] * q[i]
            R[j, k] += along
            for i in range(size):
                q[i] -= along * Q[j, i]
    after = 0.0
    for i in range(size):
        after += q[i] * q[i]
    if not after > _DEPENDENT**2 * before:
        return False
    R[k, k] = math.sqrt(after)
    for i in range(size):
        q[i] /= R[k, k]
    return True


@inlined
def _remove(Q: FloatArray, R: FloatArray, k: int, gone: int) -> None:
    """Take a column out of k of them, and rotate R to a triangle again."""
    for c in range(gone, k - 1):
        for j in range(c + 2):
            R[j, c] = R[j, c + 1]
    for c in range(gone, k - 1):
        length = math.hypot(R[c, c], R[c + 1, c])
        cosine, sine = R[c, c] / length, R[c + 1, c] / length
        for j in range(c, k - 1):
            above, below = R[c, j], R[c + 1, j]
            R[c, j] = cosine * above + sine * below
            R[c + 1, j] = cosine * below - sine * above
        for i in range(Q.shape[1]):
            above, below = Q[c, i], Q[c + 1, i]
            Q[c, i] = cosine * above + sine * below
            Q[c + 1, i] = cosine * below - sine * above


@inlined
def _affine(Q: FloatArray, R: FloatArray, k: int, shares: FloatArray) -> bool:
    """Write the shares of the shortest point of the affine hull; False on failure."""
    total = 0.0
    for i in range(k - 1, -1, -1):
        value = Q[i, 0]
        for j in range(i + 1, k):
            value -= R[i, j] * shares[j]
        shares[i] = value / R[i, i]
        total += shares[i]
    if not total > 0.0:
        return False
    for i in range(k):
        shares[i] /= total
    return True


@inlined
def _residual(Q: FloatArray, k: int, rest: FloatArray) -> bool:
    """Subtract from (1, 0) its part along k vectors; return whether any is left."""
    for i in range(rest.size):
        rest[i] = 1.0 if i == 0 else 0.0
    before, after = 1.0, 1.0
    for _ in range(2):
        for j in range(k):
            along = 0.0
            for i in range(rest.size):
                along += Q[j, i] * rest[i]
            for i in range(rest.size):
                rest[i] -= along * Q[j, i]
        before, after = after, 0.0
        for i in range(rest.size):
            after += rest[i] * rest[i]
    return after > _ROUNDING**2 and after > 0.25 * before


@inlined
def _worst(Z: FloatArray, point: FloatArray) -> tuple[int, float]:
    """Return the row with the least product with a point, and that product."""
    worst, least = -1, math.inf
    for i in range(len(Z)):
        h = 0.0
        for j in range(point.size):
            h += Z[i, j] * point[j]
        if h < least:
            worst, least = i, h
    return worst, least


@inlined
def _settle(
    Q: FloatArray, R: FloatArray, k: int, rows: IntArray, c: FloatArray, aim: FloatArray
) -> int:
    """Move shares to the affine minimum, dropping rows; return how many stay, or -1."""
    while True:
        if not _affine(Q, R, k, aim):
            return -1
        gone, step = -1, 1.0
        for i in range(k):
            if aim[i] <= 0.0:
                reach = c[i] / (c[i] - aim[i]) if c[i] > 0.0 else 0.0
                if reach < step or gone < 0:
                    gone, step = i, reach
        if gone < 0:
            for i in range(k):
                c[i] = aim[i]
            return k
        if k == 1:
            return -1
        for i in range(k):
            c[i] = max(c[i] + step * (aim[i] - c[i]), 0.0)
        _remove(Q, R, k, gone)
        for i in range(gone, k - 1):
            rows[i], c[i] = rows[i + 1], c[i + 1]
        k -= 1


@kernel(
    _i,
    types.Array(_f, 2, "C", readonly=True),
    _f,
    _i,
    _i,
    _i[::1],
    _f[::1],
    _f[::1],
    allocates=True,
)
def _wolfe(
    Z: FloatArray,
    gap: float,
    steps: int,
    known: int,
    rows: IntArray,
    c: FloatArray,
    point: FloatArray,
) -> int:
    """Go on from the first ``known`` rows and shares; return how many there are."""
    size = Z.shape[1] + 1
    Q, R, aim = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    k = 0
    for i in range(known):
        if _add(Q, R, k, Z[rows[i]]):
            rows[k], c[k] = rows[i], c[i]
            k += 1
    if k == 0:
        shortest = math.inf
        for i in range(len(Z)):
            length = 0.0
            for j in range(size - 1):
                length += Z[i, j] * Z[i, j]
            if length < shortest:
                shortest, rows[0] = length, i
        c[0] = 1.0
        _add(Q, R, 0, Z[rows[0]])
        k = 1
    before = math.inf
    for _ in range(steps):
        kept = _settle(Q, R, k, rows, c, aim)
        if kept < 0:
            break
        k = kept
        if not _residual(Q, k, aim):
            for j in range(size - 1):
                point[j] = 0.0
            break
        square = 0.0
        for j in range(size - 1):
            point[j] = -aim[j + 1] / (1.0 - aim[0])
            square += point[j] * point[j]
        if not square < before:
            break
        before = square
        worst, least = _worst(Z, point)
        if square - least <= gap * square or k == size:
            break
        again = False
        for i in range(k):
            again = again or rows[i] == worst
        if again or not _add(Q, R, k, Z[worst]):
            break
        rows[k], c[k] = worst, 0.0
        k += 1
    return k


def nearest(
    Z: FloatArray, *, gap: float = 1e-9, hint: FloatArray | None = None
) -> Nearest:
    """Return the point of the convex hull of rows that is nearest to the origin.

    Parameters
    ----------
    Z
        The rows.
    gap
        How far apart the two sides of eq. (1) may be, relatively. Rounding may not
        let it be reached.
    hint
        A vector with large products with all rows, if one is known: the rows with the
        least ones are looked at first.

    Examples
    --------
    >>> nearest(np.array([[2.0, 0.0], [0.0, 2.0], [3.0, 3.0]])).point
    array([1., 1.])
    """
    Z = np.require(Z, np.float64, ["C", "A"])
    columns = Z.shape[1]
    _, power = np.frexp(np.abs(Z).max())
    Z = np.ldexp(Z, -power)
    squares = np.einsum("ij,ij->i", Z, Z)
    work = np.arange(len(Z))
    if len(Z) > _FIRST:
        fields = squares if hint is None else Z @ hint
        work = np.argpartition(fields, _FIRST)[:_FIRST]
        work = np.union1d(work, squares.argmin())
    rows = np.zeros(columns + 1, np.int64)
    shares, point = np.zeros(columns + 1), np.zeros(columns)
    found, before = 0, math.inf
    while True:
        found = _wolfe(Z[work], gap, _STEPS * columns, found, rows, shares, point)
        fields = Z @ point
        square = float(point @ point)
        used = work[rows[:found]]
        out = np.flatnonzero(fields < (1 - gap) * square)
        out = np.setdiff1d(out, work, assume_unique=True)
        if not out.size or not square < before:
            break
        before = square
        if out.size > _JOIN:
            out = out[np.argpartition(fields[out], _JOIN)[:_JOIN]]
        work = np.concatenate([used, np.setdiff1d(work, used), out])
        rows[:found] = np.arange(found)
    total = shares[:found].sum()
    return Nearest(np.ldexp(point, power), used, shares[:found] / total)
