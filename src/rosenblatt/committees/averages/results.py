r"""Averages over examples that the theory of committees needs.

With the error :math:`e = \sum_f c_f\, g(u_f)` over all fields :math:`u`, those of the
student first, they are :math:`\langle g'(u_i)\, e\, v \rangle` for fields v,
:math:`\langle g'(u_i)\, g'(u_k)\, e^2 \rangle` and
:math:`\langle g'(u_i)\, g'(u_k) \rangle`. By the lemma of Stein the first one needs
pairs of fields only,

.. math:: \langle g'(u_i)\, v\, g(u_k) \rangle = \frac{\langle u_i v \rangle}{C_{ii}}
    \langle g'(u_i)\, u_i\, g(u_k) \rangle + \left( \langle u_k v \rangle -
    \frac{\langle u_i v \rangle C_{ik}} {C_{ii}} \right) \langle g'(u_i)\, g'(u_k)
    \rangle.  \tag{1}

It is linear in the covariances of v: :math:`\langle g'(u_i)\, e\, v \rangle =
\sum_f G_{if} \langle u_f v \rangle` with a gradient G.

Products of an activation and its slope at several fields, as tables for kernels.

A product is :math:`\prod_f u_f^m\, g'(u_f)^p\, g(u_f)^q` over at most four fields. A
row of a table holds a field and its powers p, q, m, four times; unused places hold -1.
Differences lead beyond the Gram matrices, where averages are continued linearly.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import combinations_with_replacement as pairs
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.committees.gram import shortfall
from rosenblatt.core.types import FloatArray

__all__ = [
    "Averages",
    "Moments",
    "Table",
    "averages_of",
    "factors",
    "gradient",
    "products_of",
]


class Averages(NamedTuple):
    """Averages of a student's units with the error, for one Gram matrix."""

    gradient: FloatArray  # G, mean derivatives of g'(u_i) e by fields, (K, K + M)
    squares: FloatArray  # <g'(u_i) g'(u_k) e^2>, (K, K)
    slopes: FloatArray  # <g'(u_i) g'(u_k)>, (K, K)


class Moments(NamedTuple):
    """Averages of an activation over Gaussian fields of a given covariance."""

    products: Callable[[FloatArray], FloatArray]  # <g(u_1) g(u_2)> of all pairs
    averages: Callable[[FloatArray, FloatArray, int], Averages]
    accuracy: float  # absolute, of averages of order 1


def gradient(
    c: FloatArray, signs: FloatArray, lengths: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return G of eq. (1), summed over k, from <g'(u_i) u_i g(u_k)> and <g' g'>."""
    students = len(lengths)
    own = c.diagonal()[:students]
    over = np.divide(1.0, own, out=np.zeros_like(own), where=own > 0)
    cross = c[:students]
    along = (lengths @ signs - (slopes * cross) @ signs) * over
    result = slopes * signs
    result[:, :students] += np.diag(along)
    return np.asarray(result)


Table = npt.NDArray[np.int64]
_ROUNDING = 1e-14  # relative: a variance below it is none
_NEAR = 1e-7  # relative: a smaller distance from the Gram matrices is an ODE's error
_SLOPE, _OUTPUT, _LENGTH = (1, 0, 0), (0, 1, 0), (1, 0, 1)  # g', g and u g'


def _row(*factors: tuple[int, tuple[int, int, int]]) -> list[tuple[int, ...]]:
    """Return a row of a table; factors of one field are joined.

    Examples
    --------
    >>> _row((2, _SLOPE), (0, _OUTPUT), (2, _OUTPUT))
    [(2, 1, 1, 0), (0, 0, 1, 0), (-1, 0, 0, 0), (-1, 0, 0, 0)]
    """
    powers: dict[int, tuple[int, ...]] = {}
    for field, more in factors:
        known = powers.get(field, (0, 0, 0))
        powers[field] = tuple(a + b for a, b in zip(known, more, strict=True))
    found = [(field, *power) for field, power in powers.items()]
    return found + [(-1, 0, 0, 0)] * (4 - len(found))


@functools.lru_cache(64)
def _products(fields: int) -> Table:
    """Return the table of g(u_a) g(u_b) for a <= b."""
    rows = [_row((a, _OUTPUT), (b, _OUTPUT)) for a, b in pairs(range(fields), 2)]
    return np.array(rows, dtype=np.int64)


@functools.lru_cache(64)
def _averages(students: int, fields: int) -> Table:
    """Return the table of u_i g'(u_i) g(u_f), g'(u_i) g'(u_f), and all of four."""
    units, every = range(students), range(fields)
    lengths = [_row((i, _LENGTH), (f, _OUTPUT)) for i in units for f in every]
    slopes = [_row((i, _SLOPE), (f, _SLOPE)) for i in units for f in every]
    squares = [
        _row((i, _SLOPE), (k, _SLOPE), (a, _OUTPUT), (b, _OUTPUT))
        for i, k in pairs(units, 2)
        for a, b in pairs(every, 2)
    ]
    return np.array(lengths + slopes + squares, dtype=np.int64)


def factors(c: FloatArray, table: Table) -> tuple[FloatArray, Table]:
    """Return triangular factors of the rows' fields, (row, 4, 4), and their powers.

    Unused places come first and have no variance. Then follows the largest variance,
    then the largest one given the first field, and so on.
    """
    used = table[:, :, 0] >= 0
    fields = np.where(used, table[:, :, 0], 0)
    given = c[fields[:, :, None], fields[:, None, :]]
    given = given * (used[:, :, None] & used[:, None, :])
    own = np.einsum("rff->rf", given).copy()
    rest, choice = own.copy(), np.where(used, own, np.inf)
    low, order = np.zeros(given.shape), np.empty(used.shape, dtype=np.int64)
    row = np.arange(len(table))
    for step in range(4):
        best = choice.argmax(axis=1)
        order[:, step] = best
        found = given[row, :, best] - np.einsum("rfs,rs->rf", low, low[row, best])
        left = rest[row, best]
        root = np.sqrt(np.where(left > _ROUNDING * own[row, best], left, np.inf))
        column = np.where(choice > -np.inf, found / root[:, None], 0.0)
        low[:, :, step] = column
        rest -= column**2
        choice[row, best] = -np.inf
        choice[choice > -np.inf] = np.where(used, rest, np.inf)[choice > -np.inf]
    powers = np.take_along_axis(table[:, :, 1:], order[:, :, None], axis=1)
    return np.take_along_axis(low, order[:, :, None], axis=1), powers


Rule = Callable[[FloatArray, Table], FloatArray]


def _continued(rule: Rule, c: FloatArray, table: Table) -> FloatArray:
    """Return the averages of a table's rows, continued beyond the Gram matrices."""
    lack = shortfall(c) if np.isfinite(c).all() else 0.0
    if lack <= _NEAR * np.abs(c).max():
        return rule(c, table)
    one = np.eye(len(c))
    return 2 * rule(c + lack * one, table) - rule(c + 2 * lack * one, table)


def products_of(rule: Rule, covariance: FloatArray) -> FloatArray:
    """Return <g(u) g(v)> for all pairs of fields; leading axes are kept."""
    fields = covariance.shape[-1]
    rows, columns = np.triu_indices(fields)
    table = _products(fields)
    given = covariance.reshape(-1, fields, fields)
    result = np.empty_like(given)
    for c, out in zip(given, result, strict=True):
        out[rows, columns] = out[columns, rows] = _continued(rule, c, table)
    return result.reshape(covariance.shape)


def averages_of(
    rule: Rule,
    c: FloatArray,
    signs: FloatArray,
    students: int,
    jumps: FloatArray | float = 0.0,
) -> Averages:
    """Return all averages that the drift of a committee needs.

    ``jumps`` is what jumps of the output add to <g'(u_i) g'(u_f)> in the gradient.
    """
    fields = len(c)
    found = _continued(rule, c, _averages(students, fields))
    shape = students, fields
    size = students * fields
    lengths, slopes = found[:size].reshape(shape), found[size : 2 * size].reshape(shape)
    a, b = np.triu_indices(fields)
    weights = signs[a] * signs[b] * np.where(a == b, 1, 2)
    squares = np.empty((students, students))
    i, k = np.triu_indices(students)
    squares[i, k] = squares[k, i] = found[2 * size :].reshape(-1, a.size) @ weights
    field = gradient(c, signs, lengths, slopes + jumps)
    return Averages(field, squares, slopes[:, :students])
