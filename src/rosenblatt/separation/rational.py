"""The nearest point of a hull in fractions, where rounding leaves the answer open.

Wolfe's algorithm, on few rows and columns. It keeps a few affinely independent rows and
steps to the shortest point of their affine hull, or until a share is zero; then that
row leaves. The row with the least product with the point comes. In fractions this ends,
at the exact point.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

__all__ = ["Exact", "exact_nearest"]

Vector = list[Fraction]


class Exact(NamedTuple):
    """The nearest point, exactly."""

    point: Vector
    rows: list[int]
    shares: Vector


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _solve(A: list[Vector], right: Vector) -> Vector:
    """Solve a regular system by elimination."""
    rows = [[*row, r] for row, r in zip(A, right, strict=True)]
    size = len(rows)
    for k in range(size):
        pivot = next(r for r in range(k, size) if rows[r][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = [entry / rows[k][k] for entry in rows[k]]
        rows[k] = head
        for r in range(size):
            if r != k and rows[r][k]:
                factor = rows[r][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], head, strict=True)]
    return [row[-1] for row in rows]


def _affine(rows: list[Vector]) -> Vector:
    """Return the shares of the shortest point of the affine hull."""
    products = [[1 + _dot(a, b) for b in rows] for a in rows]
    shares = _solve(products, [Fraction(1)] * len(rows))
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
