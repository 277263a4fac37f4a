r"""The point of a convex hull that is nearest to the origin.

For rows :math:`z_i` let :math:`p` be the shortest vector
:math:`\sum_i c_i z_i` with :math:`c_i \ge 0`, :math:`\sum_i c_i = 1`. Then
:math:`p \cdot z_i \ge p \cdot p` for all rows, and :math:`p` is the direction with the
largest margin, :math:`|p|`. It is zero if and only if no vector has a positive product
with all rows. In between, for any combination,

.. math:: \min_i p \cdot z_i / |p| \;\le\; \text{largest margin} \;\le\; |p|.  \tag{1}

The shares :math:`c_i` are in proportion to the solution of the least squares problem
:math:`\sum_i c_i (1, z_i) \approx (1, 0)` with :math:`c_i \ge 0`. Its residual is in
the direction of :math:`p`. The part of the residual along the rows with a share is
subtracted twice. Then it is orthogonal to their differences to rounding, however short
:math:`p` is.

Of many rows only a working set is looked at in each step. Its next one are the rows
with a share and the worst of all others, which make the point shorter.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.system.threads import one_thread

__all__ = ["Nearest", "nearest"]

_FIRST = 1000  # rows of the first working set: a small part of what is large
_JOIN = 500  # rows that join it at most, each time
_STEPS = 200  # times columns: far more steps than ever needed for one working set
_ROUNDING = 1e-15  # what rounding leaves of nothing, rows having lengths of order 1


class Nearest(NamedTuple):
    """The nearest point, as a combination of a few rows."""

    point: FloatArray
    rows: IntArray
    shares: FloatArray  # of these rows: positive, of sum 1


def _solved(Z: FloatArray) -> Nearest:
    """Return the nearest point of the hull of a working set."""
    A, one = np.vstack([np.ones(len(Z)), Z.T]), np.eye(1, Z.shape[1] + 1)[0]
    try:
        c = nnls(A, one, maxiter=_STEPS * len(one))[0]
    except RuntimeError:  # too many steps: any row is a point of the hull
        shortest = int(np.einsum("ij,ij->i", Z, Z).argmin())
        return Nearest(Z[shortest], np.array([shortest]), np.ones(1))
    rows = np.flatnonzero(c)
    Q, _ = np.linalg.qr(A[:, rows])
    rest, sizes = one, [1.0]
    for _ in range(2):
        rest = rest - Q @ (Q.T @ rest)
        sizes.append(float(rest @ rest))
    found = sizes[2] > max(_ROUNDING**2, 0.25 * sizes[1])
    point = -rest[1:] / (1 - rest[0]) if found else np.zeros(Z.shape[1])
    return Nearest(point, rows, c[rows] / c.sum())


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
    _, power = np.frexp(np.abs(Z).max())
    Z = np.ldexp(Z, -power)
    squares = np.einsum("ij,ij->i", Z, Z)
    work = np.arange(len(Z))
    if len(Z) > _FIRST:
        fields = squares if hint is None else Z @ hint
        work = np.argpartition(fields, _FIRST)[:_FIRST]
        work = np.union1d(work, squares.argmin())
    before = math.inf
    while True:
        with one_thread():
            found = _solved(Z[work])
        used, square = work[found.rows], float(found.point @ found.point)
        fields = Z @ found.point
        out = np.flatnonzero(fields < (1 - gap) * square)
        out = np.setdiff1d(out, work, assume_unique=True)
        if not out.size or not square < before:
            return Nearest(np.ldexp(found.point, power), used, found.shares)
        before = square
        if out.size > _JOIN:
            out = out[np.argpartition(fields[out], _JOIN)[:_JOIN]]
        work = np.concatenate([used, out])
