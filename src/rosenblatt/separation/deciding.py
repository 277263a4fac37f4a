"""Separating vector or shares that add up to zero: the first that can be proved.

The nearest point of the hull is tried first. Where data are badly scaled, rows and
columns are scaled to one size. Fractions follow where rounding leaves the answer open.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.separation.nearest_point import Nearest, nearest
from rosenblatt.separation.proofs import least_product, rows_below, zero_shares
from rosenblatt.separation.rational import exact_nearest

__all__ = ["Answer", "decide"]

_TINY_SHARE = 1e-9  # of the largest, that may be nothing but rounding
_COLUMNS = 16  # and rows ...
_ROWS = 400  # ... that fractions are used for: about a second
_FACTORS = range(1, 64, 2)  # by which an exact vector is multiplied before rounding


class Answer(NamedTuple):
    """A separating vector and its margin, or rows and shares; neither if undecided.

    The separator is the vector in fractions. There is no vector where no rounding of
    the separator separates.
    """

    vector: FloatArray | None = None
    separator: tuple[Fraction, ...] = ()
    margin: float = 0.0
    rows: IntArray | None = None
    shares: FloatArray | None = None


def _vector(Z: FloatArray, *vectors: FloatArray) -> Answer | None:
    """Return the vector of length 1 with the largest margin, if any separates.

    If rounding to length 1 is what spoils it, its length is between 1 and 2.
    """
    best = Answer()
    for vector in vectors:
        largest = float(np.abs(vector).max())
        if not 0 < largest < math.inf:
            continue
        scaled = np.ldexp(vector, -np.frexp(largest)[1])
        length = float(np.linalg.norm(scaled))
        for w in (scaled / length, np.ldexp(scaled, -np.frexp(length)[1] + 1)):
            least = least_product(Z, w)
            if least > 0:
                margin = least / float(np.linalg.norm(w))
                if best.vector is None or margin > best.margin:
                    best = Answer(w, tuple(map(Fraction, w.tolist())), margin)
                break
    return best if best.vector is not None else None


def _shares(Z: FloatArray, rows: IntArray, shares: FloatArray) -> Answer | None:
    """Return rows and shares if that can be proved, without tiny ones if possible."""
    for least in (_TINY_SHARE * shares.max(), 0.0):
        used = rows[shares > least]
        proved = zero_shares(Z[used])
        if proved is not None:
            return Answer(rows=used[proved > 0], shares=proved[proved > 0])
        if used.size == rows.size:
            break
    return None


def _balanced(Z: FloatArray, fit_intercept: bool) -> tuple[Nearest, FloatArray]:
    """Return the nearest point and a candidate vector for rows of about one size.

    Columns are shifted to their middle, where an intercept makes up for that, and
    divided by their range; rows are divided by their largest entry. This changes the
    margin, not the answer.
    """
    columns, middle = Z, np.zeros(Z.shape[1])
    if fit_intercept:
        points = Z[:, :-1] * Z[:, -1:]  # without the signs
        middle[:-1] = points.min(axis=0) / 2 + points.max(axis=0) / 2
        columns = Z - Z[:, -1:] * middle
    _, power = np.frexp(np.abs(columns).max(axis=0))
    columns = np.ldexp(columns, -power)
    _, rows = np.frexp(np.abs(columns).max(axis=1))
    found = nearest(np.ldexp(columns, -rows[:, None]))
    _, size = np.frexp(found.point)
    largest = (size - power)[found.point != 0].max(initial=-9999)
    w = np.ldexp(found.point, -power - largest)
    if fit_intercept:
        w[-1] -= w @ middle
    # Shares of the scaled rows, as shares of the rows themselves.
    _, most = np.frexp(np.ldexp(found.shares, -rows[found.rows]).max())
    shares = np.ldexp(found.shares, -rows[found.rows] - most)
    return found._replace(shares=shares / shares.sum()), w


def _in_fractions(Z: FloatArray, w: FloatArray) -> Answer | None:
    """Return what exact arithmetic finds, if there is not too much of it.

    Rows that the vector given leaves open are looked at first, others as they turn out
    to be on the wrong side.
    """
    if Z.shape[1] > _COLUMNS:
        return None
    _, power = np.frexp(np.abs(Z).max(axis=0))
    scaled = np.ldexp(Z, -power)
    _, size = np.frexp(w)
    v = np.ldexp(w, power - int((size + power).max()))
    order = np.argsort(scaled @ v / (np.abs(scaled) @ np.abs(v) + 1e-300))
    active = order[: 4 * Z.shape[1]].tolist()
    while len(active) <= _ROWS:
        exact = exact_nearest([[Fraction(z) for z in Z[i].tolist()] for i in active])
        if not any(exact.point):
            rows = np.array([active[i] for i in exact.rows])
            return Answer(rows=rows, shares=np.array([float(c) for c in exact.shares]))
        largest = max(abs(p) for p in exact.point)
        point = tuple(p / largest for p in exact.point)
        for factor in _FACTORS:
            found = _vector(Z, np.array([float(p * factor) for p in point]))
            if found is not None:
                return found
        square = sum((p * p for p in exact.point), Fraction(0))
        nearer = rows_below(Z, exact.point, square)
        if not nearer.size:  # the nearest point of all rows: it has the largest margin
            length = float(np.linalg.norm([float(p) for p in point]))
            return Answer(separator=point, margin=length * float(largest))
        active += nearer[: len(active)].tolist()
    return None


def decide(
    Z: FloatArray, found: Nearest, guess: FloatArray, fit_intercept: bool
) -> Answer:
    """Return the first answer with a proof.

    Parameters
    ----------
    Z
        The rows ``sign * (x, 1)``.
    found
        The point of their hull that is nearest to the origin, in any scale.
    guess
        Another vector that may separate them.
    fit_intercept
        Whether the last column is the constant input.
    """
    answer = _vector(Z, found.point, guess)
    answer = answer or _shares(Z, found.rows, found.shares)
    if answer is None:
        other, w = _balanced(Z, fit_intercept)
        answer = (
            _vector(Z, w) or _shares(Z, other.rows, other.shares) or _in_fractions(Z, w)
        )
    return answer or Answer()
