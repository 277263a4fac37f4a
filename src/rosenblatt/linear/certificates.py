r"""Certificates of separability: points of a hull, vectors, and shares of rows.

**Nearest point.** For rows :math:`z_i` let :math:`p` be the shortest vector
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

**In fractions**, where rounding leaves the answer open, Wolfe's algorithm finds the
nearest point, of few rows and columns. It keeps a few affinely independent rows and
steps to the shortest point of their affine hull, or until a share is zero; then that
row leaves. The row with the least product with the point comes. In fractions this ends,
at the exact point.

**Proofs** take the rounding of the check into account. A vector :math:`w` separates
rows if :math:`w \cdot z_i > 0` for all of them. A computed sum of :math:`n` products is
off by at most :math:`\gamma_n \sum_j |w_j z_{ij}|` with :math:`\gamma_n = n u / (1 - n
u)`. Where that leaves a sign open, fractions decide.

Shares :math:`c_i > 0` with :math:`\sum_i c_i z_i = 0` prove that there is no such
vector. Rounded shares miss zero by something, so what is proved is that exact ones
exist nearby. For as many independent equations as shares, with matrix :math:`A`,
approximate inverse :math:`B` and approximate solution :math:`\tilde c` of
:math:`A c = e`,

.. math:: |c - \tilde c|_\infty \le
    \frac{|B (e - A \tilde c)|_\infty}{1 - |1 - B A|_\infty},   \tag{2}

with bounds on all roundings. Where there are fewer shares than equations (rows that
lie in a face) the equations are solved in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.system.threads import one_thread

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


Vector = list[Fraction]


class Exact(NamedTuple):
    """The nearest point, exactly."""

    point: Vector
    rows: list[int]
    shares: Vector


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _solution(equations: Iterable[Sequence[Fraction]]) -> Vector | None:
    """Return what solves all equations, right sides last; None if not one vector does.

    Elimination without fractions: each entry stays a determinant of given numbers.
    """
    rows: list[list[int]] = []
    for equation in equations:
        common = math.lcm(*(entry.denominator for entry in equation))
        rows.append([int(entry * common) for entry in equation])
    size, last = len(rows[0]) - 1, 1
    for k in range(size):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k]
        for row in rows[k + 1 :]:
            factor = row[k]
            for j in range(k, size + 1):
                row[j] = (head[k] * row[j] - factor * head[j]) // last
        last = head[k]
    if any(row[size] for row in rows[size:]):
        return None  # a contradiction
    found = [Fraction(0)] * size
    for k in range(size - 1, -1, -1):
        rest = sum((rows[k][j] * found[j] for j in range(k + 1, size)), Fraction(0))
        found[k] = (rows[k][size] - rest) / rows[k][k]
    return found


def _affine(rows: list[Vector]) -> Vector:
    """Return the shares of the shortest point of the affine hull."""
    shares = _solution([*(1 + _dot(a, b) for b in rows), Fraction(1)] for a in rows)
    assert shares is not None  # rows are affinely independent
    total = sum(shares)
    return [share / total for share in shares]


def exact_nearest(Z: list[Vector]) -> Exact:
    """Return the point of the convex hull of rows that is nearest to the origin.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> exact_nearest([[half, half], [half, -half]])
    Exact(point=[Fraction(1, 2), Fraction(0, 1)], rows=[0, 1],
          shares=[Fraction(1, 2), Fraction(1, 2)])
    """
    first = min(range(len(Z)), key=lambda i: _dot(Z[i], Z[i]))
    rows, shares = [first], [Fraction(1)]
    while True:
        while True:
            aim = _affine([Z[i] for i in rows])
            steps = [
                c / (c - a) for c, a in zip(shares, aim, strict=True) if a <= 0 < c
            ]
            step = min([Fraction(1), *steps])
            shares = [c + step * (a - c) for c, a in zip(shares, aim, strict=True)]
            if min(shares) > 0:
                break
            rows = [i for i, c in zip(rows, shares, strict=True) if c > 0]
            shares = [c for c in shares if c > 0]
            if step == 1:
                break
        point = [
            sum((c * Z[i][j] for i, c in zip(rows, shares, strict=True)), Fraction(0))
            for j in range(len(Z[0]))
        ]
        worst = min(range(len(Z)), key=lambda i: _dot(Z[i], point))
        if _dot(Z[worst], point) >= _dot(point, point):
            return Exact(point, rows, shares)
        rows.append(worst)
        shares.append(Fraction(0))


_UNIT = np.finfo(np.float64).eps / 2
_TINY = np.finfo(np.float64).tiny  # covers what underflows
_MANY = 50_000  # entries that fractions are used for though no sign is in doubt
_LARGEST = 12_000  # entries of equations that are solved in whole numbers: seconds


def _growth(terms: int) -> float:
    """Return gamma_n, with room for the rounding of the bound itself."""
    return 2.0 * (terms + 2) * _UNIT


def _exact_product(z: FloatArray, w: Iterable[float | Fraction]) -> Fraction:
    terms = zip(z.tolist(), w, strict=True)
    return sum((Fraction(a) * Fraction(b) for a, b in terms), Fraction(0))


def least_product(Z: FloatArray, w: FloatArray) -> float:
    """Return the least product of a vector with any row; its sign is beyond doubt.

    If positive it is exact, or a lower bound where too many rows come near it.
    Columns and vector are scaled by powers of two, so that nothing overflows. Numbers
    that underflow are smaller than the check allows for.

    Examples
    --------
    >>> least_product(np.array([[1.0, 1.0], [0.1, 0.2]]), np.array([2.0, -1.0]))
    0.0
    """
    _, power = np.frexp(np.abs(Z).max(axis=0))
    _, size = np.frexp(w)
    scale = int((size + power)[w != 0].max(initial=-2000))
    A, v = np.ldexp(Z, -power), np.ldexp(w, power - scale)  # both at most 1
    fields = A @ v
    doubt = _growth(w.size) * (np.abs(A) @ np.abs(v)) + w.size * _TINY
    if (fields < -doubt).any():
        least = float(fields.min())
    else:
        # Rows that may have the least one, and all whose sign is open.
        close = (fields - doubt <= (fields + doubt).min()) | (fields <= doubt)
        if np.count_nonzero(close) * w.size > _MANY:
            close = fields <= doubt
        least = min(
            float((fields - doubt)[~close].min(initial=math.inf)),
            *(_rounded(_exact_product(z, w.tolist()), scale) for z in Z[close]),
            math.inf,
        )
    with np.errstate(over="ignore"):
        return float(np.ldexp(least, scale))


def rows_below(Z: FloatArray, w: Sequence[Fraction], bound: Fraction) -> IntArray:
    """Return the rows whose exact product with a vector is below a bound.

    The lowest products come first. Floating-point numbers decide where their rounding
    errors leave no doubt, as in :func:`least_product`.

    Examples
    --------
    >>> Z = np.array([[1.0, 0.0], [0.1, 0.2], [-1.0, 0.0]])
    >>> rows_below(Z, [Fraction(2), Fraction(-1)], Fraction(1, 10**30)).tolist()
    [2, 1]
    """
    _, power = np.frexp(np.abs(Z).max(axis=0))
    scaled = [b * Fraction(2) ** int(p) for b, p in zip(w, power, strict=True)]
    largest = max(abs(b) for b in scaled) or Fraction(1)
    A, v = np.ldexp(Z, -power), np.array([float(b / largest) for b in scaled])
    limit = float(bound / largest)
    fields = A @ v
    size = len(w) + 2  # one more rounding of each entry of the vector, and the limit
    doubt = _growth(size) * (np.abs(A) @ np.abs(v) + abs(limit)) + size * _TINY
    open_rows = np.flatnonzero(fields - doubt < limit)
    below = [
        fields[i] + doubt[i] < limit or _exact_product(Z[i], w) < bound
        for i in open_rows
    ]
    rows = open_rows[np.array(below, dtype=bool)]
    return np.asarray(rows[np.argsort(fields[rows], kind="stable")])


def _rounded(value: Fraction, scale: int) -> float:
    """Return the value over a power of two, not zero unless it is."""
    scaled = value / Fraction(2) ** scale
    return math.copysign(max(abs(float(scaled)), _TINY), scaled) if scaled else 0.0


def _equations(Z: FloatArray) -> FloatArray | None:
    """Return the different equations that shares of rows obey, the sum first.

    Columns that are zero, or a copy of another up to a sign, say nothing new. Each is
    scaled by a power of two; None if that rounds something.
    """
    columns = Z.T[np.abs(Z).max(axis=0) > 0]
    _, exponents = np.frexp(np.abs(columns).max(axis=1, initial=0.0))
    scaled = np.ldexp(columns, -exponents[:, None])
    if (np.ldexp(scaled, exponents[:, None]) != columns).any():
        return None
    first = np.argmax(scaled != 0, axis=1)
    signs = np.sign(np.take_along_axis(scaled, first[:, None], axis=1))
    scaled = np.unique(scaled * signs, axis=0) if len(scaled) else scaled
    return np.vstack([np.ones(len(Z)), scaled])


def _enclosed(A: FloatArray) -> FloatArray | None:
    """Return the solution of the equations if it is positive beyond rounding errors."""
    size = len(A)
    right = np.zeros(size)
    right[0] = 1.0
    try:
        B = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return None
    shares: FloatArray = B @ right
    grow = _growth(size)
    both = np.abs(B) @ np.abs(A)
    defect = (np.abs(np.eye(size) - B @ A) + grow * (both + 1)).sum(axis=1).max()
    residual = np.abs(right - A @ shares) + grow * (np.abs(A) @ np.abs(shares) + right)
    if not defect < 0.5:
        return None
    error = (1 + grow) * (np.abs(B) @ residual).max() / (1 - defect)
    return shares if shares.min() > 1.01 * error else None  # 1.01: of this line


def exact_shares(Z: FloatArray) -> Vector | None:
    """Return the only shares of sum 1 that combine rows to zero; None if not unique.

    Examples
    --------
    >>> exact_shares(np.array([[1.0, 0.5], [-2.0, -1.0]]))
    [Fraction(2, 3), Fraction(1, 3)]
    """
    A = _equations(Z)
    if A is None or len(A) < len(Z):
        return None
    right = np.eye(len(A), 1)
    return _solution([*map(Fraction, row)] for row in np.hstack([A, right]).tolist())


def zero_shares(Z: FloatArray) -> FloatArray | None:
    """Return shares that combine rows to zero, rounded; None if none were proved.

    They are not negative and have the sum 1.

    Examples
    --------
    >>> zero_shares(np.array([[0.25], [-0.75]]))
    array([0.75, 0.25])
    """
    A = _equations(Z)
    if A is None:
        return None
    if len(A) == len(Z):
        enclosed = _enclosed(A)
        if enclosed is not None:
            return enclosed
    if len(A) < len(Z) or A.size > _LARGEST:
        return None
    exact = exact_shares(Z)
    if exact is None or min(exact) < 0:
        return None
    return np.array([float(share) for share in exact])
