r"""Certificates that are checked with the rounding of the check taken into account.

A vector :math:`w` separates rows if :math:`w \cdot z_i > 0` for all of them. A computed
sum of :math:`n` products is off by at most :math:`\gamma_n \sum_j |w_j z_{ij}|` with
:math:`\gamma_n = n u / (1 - n u)`. Where that leaves a sign open, fractions decide.

Shares :math:`c_i > 0` with :math:`\sum_i c_i z_i = 0` prove that there is no such
vector. Rounded shares miss zero by something, so what is proved is that exact ones
exist nearby. For as many independent equations as shares, with matrix :math:`A`,
approximate inverse :math:`B` and approximate solution :math:`\tilde c` of
:math:`A c = e`,

.. math:: |c - \tilde c|_\infty \le
    \frac{|B (e - A \tilde c)|_\infty}{1 - |1 - B A|_\infty},   \tag{1}

with bounds on all roundings. Where there are fewer shares than equations (rows that
lie in a face) the equations are solved in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["exact_shares", "least_product", "rows_below", "zero_shares"]

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
    """Return the solution of as many equations if eq. (1) leaves it positive."""
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


def exact_shares(Z: FloatArray) -> list[Fraction] | None:
    """Return the only shares of sum 1 that combine rows to zero; None if not unique.

    Elimination without fractions: each entry stays a determinant of given numbers.

    Examples
    --------
    >>> exact_shares(np.array([[1.0, 0.5], [-2.0, -1.0]]))
    [Fraction(2, 3), Fraction(1, 3)]
    """
    A = _equations(Z)
    if A is None or len(A) < len(Z):
        return None
    rows: list[list[int]] = []
    for k, equation in enumerate(A.tolist()):
        ratios = [Fraction(entry) for entry in [*equation, float(k == 0)]]
        common = math.lcm(*(ratio.denominator for ratio in ratios))
        rows.append([int(ratio * common) for ratio in ratios])
    size, last = len(Z), 1
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
    shares = [Fraction(0)] * size
    for k in range(size - 1, -1, -1):
        rest = sum((rows[k][j] * shares[j] for j in range(k + 1, size)), Fraction(0))
        shares[k] = (rows[k][size] - rest) / rows[k][k]
    return shares


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
