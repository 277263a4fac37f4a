r"""Gaussian averages of activations: closed forms, or quadrature.

With the error :math:`e = \sum_f c_f\, g(u_f)` over all fields :math:`u`, those of the
student first, the theory of committees needs
:math:`\langle g'(u_i)\, e\, v \rangle` for fields v,
:math:`\langle g'(u_i)\, g'(u_k)\, e^2 \rangle` and
:math:`\langle g'(u_i)\, g'(u_k) \rangle`. By the lemma of Stein the first one needs
pairs of fields only,

.. math:: \langle g'(u_i)\, v\, g(u_k) \rangle = \frac{\langle u_i v \rangle}{C_{ii}}
    \langle g'(u_i)\, u_i\, g(u_k) \rangle + \left( \langle u_k v \rangle -
    \frac{\langle u_i v \rangle C_{ik}} {C_{ii}} \right) \langle g'(u_i)\, g'(u_k)
    \rangle.  \tag{1}

It is linear in the covariances of v: :math:`\langle g'(u_i)\, e\, v \rangle =
\sum_f G_{if} \langle u_f v \rangle` with a gradient G.

**The error function** has closed forms. For fields :math:`u` of zero mean and
covariance :math:`C`, and :math:`g(u) = \operatorname{erf}(u / \sqrt 2)`,
:cite:t:`saad1995` give

.. math::

    \langle g(u_1) g(u_2) \rangle &= \frac{2}{\pi} \arcsin
        \frac{C_{12}}{\sqrt{(1 + C_{11}) (1 + C_{22})}},  \tag{2} \\
    \langle g'(u_1)\, u_2\, g(u_3) \rangle &= \frac{2}{\pi \sqrt{\Lambda_3}}
        \left( C_{23} - \frac{C_{12} C_{13}}{1 + C_{11}} \right),  \tag{3} \\
    \langle g'(u_1) g'(u_2) g(u_3) g(u_4) \rangle &= \frac{4}{\pi^2 \sqrt{\Lambda_4}}
        \arcsin \frac{\Lambda_0}{\sqrt{\Lambda_1 \Lambda_2}},  \tag{4}

with :math:`\Lambda_3 = (1 + C_{11}) (1 + C_{33}) - C_{13}^2` and
:math:`\Lambda_4 = (1 + C_{11}) (1 + C_{22}) - C_{12}^2`. In eq. (4) the factors
:math:`g'` change the covariance of :math:`u_3` and :math:`u_4` to :math:`D`, the Schur
complement, and eq. (2) with :math:`D` is left: :math:`\Lambda_0 = \Lambda_4 D_{34}`,
:math:`\Lambda_1 = \Lambda_4 (1 + D_{33})`, :math:`\Lambda_2 = \Lambda_4 (1 + D_{44})`.

**A smooth activation** needs quadrature. Fields are :math:`u = L z` with independent
standard normal :math:`z` and a triangular :math:`L`. The trapezoidal rule converges
exponentially in each :math:`z`. The last field only smooths its function,
:math:`\tilde f(y) = \langle f(y + s z) \rangle`, and a table of :math:`\tilde f`
takes the place of the innermost integral. An average over four fields is a sum in three
dimensions.

**Products** of an activation and its slope are rows of a table for the kernel. A
product is :math:`\prod_f u_f^m\, g'(u_f)^p\, g(u_f)^q` over at most four fields. A row
holds a field and its powers p, q, m, four times; unused places hold -1. Differences
lead beyond the Gram matrices, where averages are continued linearly.

Rectified fields are in :mod:`rosenblatt.committees.relu`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import combinations_with_replacement as pairs
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.committees.committee import Committee, shortfall
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray

Table = npt.NDArray[np.int64]
_ROUNDING = 1e-14  # relative: a variance below it is none
_NEAR = 1e-7  # relative: a smaller distance from the Gram matrices is an ODE's error
_SLOPE, _OUTPUT, _LENGTH = (1, 0, 0), (0, 1, 0), (1, 0, 1)  # g', g and u g'
_FAR = 7.0  # standard deviations; beyond there is less than 3e-12
_WIDEST = 0.55  # step of a Gaussian alone: errors are exp(-2 pi^2 / step^2)
_STEPS = 0.8 * 0.5 ** (0.5 * np.arange(14))  # tried for the activation, in its field
_AGREE = 1e-9  # between a step and the next, which is far more accurate
_FINE = 32  # grid points of the table in a step: interpolation errors are 1e-12
_LONGEST = 1 << 21  # grid points: 32 MiB
_MOST = 1000  # nodes of one field
_ALL = 4_000_000  # nodes of one average: less than a tenth of a second
_HERMITE = np.polynomial.hermite_e.hermegauss(6)


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


@functools.lru_cache(64)
def quadruples(students: int, fields: int) -> Table:
    """Return i, k, a, b of all products of two slopes and two outputs, i <= k, a <= b.

    Examples
    --------
    >>> quadruples(1, 2).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]]
    """
    units, every = pairs(range(students), 2), list(pairs(range(fields), 2))
    return np.array([(*unit, *two) for unit in units for two in every])


def sum_squares(found: FloatArray, signs: FloatArray, students: int) -> FloatArray:
    """Return <g' g' e^2> of all pairs of students, from averages of quadruples."""
    a, b = np.triu_indices(len(signs))
    weights = signs[a] * signs[b] * np.where(a == b, 1, 2)
    squares = np.empty((students, students))
    i, k = np.triu_indices(students)
    squares[i, k] = squares[k, i] = found.reshape(-1, a.size) @ weights
    return squares


def continued(
    average: Callable[[FloatArray], FloatArray], c: FloatArray, near: float = 0.0
) -> FloatArray:
    """Return an average of a covariance, continued linearly beyond the Gram matrices.

    A matrix at a relative distance of ``near`` counts as a Gram matrix.
    """
    lack = shortfall(c) if np.isfinite(c).all() else 0.0
    if lack <= near * np.abs(c).max():
        return average(c)
    one = np.eye(len(c))
    return 2 * average(c + lack * one) - average(c + 2 * lack * one)


def erf_products(c: FloatArray) -> FloatArray:
    """Return eq. (2) for all pairs of fields; leading axes are kept."""
    d = 1 + np.diagonal(c, axis1=-2, axis2=-1)
    return np.asarray(
        2 / np.pi * np.arcsin(c / np.sqrt(d[..., :, None] * d[..., None, :]))
    )


def erf_averages(c: FloatArray, signs: FloatArray, students: int) -> Averages:
    """Return the averages of the error with these signs; students come first."""
    own = slice(students)
    d = 1 + c.diagonal()
    cross = c[own]  # (1, any)
    # eq. (3) for 1 = i, 3 = f: factors of C_2f
    root = np.sqrt(d[own, None] * d - cross**2)
    gradient = 2 / np.pi * signs / root  # (i, f)
    gradient[:, own] -= np.diag((gradient * cross).sum(axis=1) / d[own])
    # eq. (4) for 1 = i, 2 = k, 3 and 4 = f and f'
    q = c[own, own]
    det = d[own, None] * d[own] - q**2  # Lambda_4, (i, k)
    first, second = cross[:, None, :], cross[None, :, :]  # C_1f and C_2f
    # C_f. S^-1 for the 2 x 2 block S = [[1 + C_11, C_12], [C_12, 1 + C_22]]
    left = (d[own][None, :, None] * first - q[..., None] * second) / det[..., None]
    right = (d[own][:, None, None] * second - q[..., None] * first) / det[..., None]
    schur = (
        c
        - left[..., :, None] * first[..., None, :]
        - right[..., :, None] * second[..., None, :]
    )
    slopes = 2 / np.pi / np.sqrt(det)
    squares = slopes * (erf_products(schur) @ signs @ signs)
    return Averages(gradient, squares, slopes)


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
def _tables(students: int, fields: int) -> tuple[Table, Table, Table, Table]:
    """Return the tables of g g, and of u_i g'_i g_f, g'_i g'_f and quadruples."""
    every = range(fields)
    products = [_row((a, _OUTPUT), (b, _OUTPUT)) for a, b in pairs(every, 2)]
    lengths, slopes = (
        [_row((i, one), (f, other)) for i in range(students) for f in every]
        for one, other in ((_LENGTH, _OUTPUT), (_SLOPE, _SLOPE))
    )
    squares = [
        _row((i, _SLOPE), (k, _SLOPE), (a, _OUTPUT), (b, _OUTPUT))
        for i, k, a, b in quadruples(students, fields).tolist()
    ]
    found = (np.array(rows, np.int64) for rows in (products, lengths, slopes, squares))
    return tuple(found)  # type: ignore[return-value]


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


@inlined
def _at(table: FloatArray, place: float) -> float:
    """Return the value of a table between its points, of six of them."""
    j = int(place)
    t = place - j
    a, b, d, e, f = t + 2.0, t + 1.0, t - 1.0, t - 2.0, t - 3.0
    ab, ef = a * b, e * f
    return float(
        t * d * ef * (a * table[j - 1] / 24.0 - b * table[j - 2] / 120.0)
        + ab * ef * (t * table[j + 1] - d * table[j]) / 12.0
        + ab * t * d * (e * table[j + 3] / 120.0 - f * table[j + 2] / 24.0)
    )


@inlined
def _nodes(
    low: FloatArray, level: int, step: float, z: FloatArray, weights: FloatArray
) -> int:
    """Write nodes and weights of a level, and return their number."""
    if low[level, level] == 0.0:
        z[0], weights[0] = 0.0, 1.0
        return 1
    steepest = 0.0
    for field in range(level, 4):
        steepest = max(steepest, abs(low[field, level]))
    count = int(2.0 * _FAR / min(_WIDEST, step / steepest)) + 1
    for i in range(min(count, _MOST)):
        z[i] = _FAR * ((2 * i + 1) / count - 1.0)
        weights[i] = math.exp(-0.5 * z[i] * z[i]) / math.sqrt(2.0 * math.pi)
        weights[i] *= 2.0 * _FAR / count
    return count


@inlined
def _smoothed(
    f: FloatArray, s: float, reach: int, step: float, grid: float, out: FloatArray
) -> None:
    """Write <f(y + s z)> for points of the grid within reach of its middle."""
    middle = len(f) // 2
    first, last = middle - reach, middle + reach + 1
    for j in range(first, last):
        out[j] = 0.0
    stride = int(min(_WIDEST * s, step) / grid)
    if stride < 1:  # s is small: a polynomial of degree 11 is exact
        for node in range(len(_HERMITE[0])):
            shift = s * _HERMITE[0][node] / grid
            weight = _HERMITE[1][node] / math.sqrt(2.0 * math.pi)
            for j in range(first, last):
                out[j] += weight * _at(f, j + shift)
        return
    count = int(_FAR * s / (stride * grid)) + 1
    for node in range(-count, count + 1):
        at = node * stride * grid / s
        weight = math.exp(-0.5 * at * at) / math.sqrt(2.0 * math.pi)
        weight *= stride * grid / s
        shift = node * stride
        for j in range(first, last):
            out[j] += weight * f[j + shift]


@inlined
def _power(base: FloatArray, powers: Table, grid: float, out: FloatArray) -> None:
    """Write u^m g'(u)^p g(u)^q at all points of the grid."""
    middle = len(out) // 2
    for j in range(len(out)):
        value = 1.0
        for _ in range(powers[0]):
            value *= base[1, j]
        for _ in range(powers[1]):
            value *= base[0, j]
        for _ in range(powers[2]):
            value *= (j - middle) * grid
        out[j] = value


@kernel(allocates=True)
def _sums(
    base: types.Matrix,
    step: float,
    grid: float,
    lows: types.Tensor,
    powers: types.WholeTensor,
    out: types.Vector,
) -> bool:
    """Write the averages of all rows; return whether no row needs too many nodes."""
    size = base.shape[1]
    f, smoothed = np.empty((4, size)), np.empty(size)
    z, w = np.empty((3, _MOST)), np.empty((3, _MOST))
    count = np.empty(3, np.int64)
    middle = size // 2
    for row in range(len(lows)):
        low = lows[row]
        most, nodes = 0, 1
        for level in range(3):
            count[level] = _nodes(low, level, step, z[level], w[level])
            most = max(most, count[level])
            nodes *= min(count[level], _MOST + 1)
        if most > _MOST or nodes > _ALL:
            return False
        for level in range(4):
            _power(base, powers[row, level], grid, f[level])
        spread = 0.0
        for level in range(3):
            spread += low[3, level] ** 2
        reach = int(_FAR * math.sqrt(spread) / grid) + 4
        _smoothed(f[3], low[3, 3], reach, step, grid, smoothed)
        total = 0.0
        for i0 in range(count[0]):
            z0 = z[0, i0]
            part0 = 0.0
            for i1 in range(count[1]):
                z1 = z[1, i1]
                left = _FAR * _FAR - z0 * z0 - z1 * z1
                if left < 0.0:
                    continue
                edge = math.sqrt(left)
                begin2 = (low[2, 0] * z0 + low[2, 1] * z1) / grid + middle
                begin3 = (low[3, 0] * z0 + low[3, 1] * z1) / grid + middle
                along2, along3 = low[2, 2] / grid, low[3, 2] / grid
                part1 = 0.0
                for i2 in range(count[2]):
                    z2 = z[2, i2]
                    if abs(z2) <= edge:
                        part1 += (
                            w[2, i2]
                            * _at(f[2], begin2 + along2 * z2)
                            * _at(smoothed, begin3 + along3 * z2)
                        )
                u1 = (low[1, 0] * z0 + low[1, 1] * z1) / grid + middle
                part0 += w[1, i1] * _at(f[1], u1) * part1
            u0 = low[0, 0] * z0 / grid + middle
            total += w[0, i0] * _at(f[0], u0) * part0
        out[row] = total
    return True


class Smooth:
    """Averages of a committee's activation, which has no kinks."""

    def __init__(self, committee: Committee) -> None:
        self._committee = committee
        self._step = self._coarsest()
        self._grid = self._step / _FINE
        self._base = np.empty((2, 0))

    def _coarsest(self) -> float:
        """Return the widest step in a field that is fine enough for the activation."""
        before = np.inf
        for step in _STEPS:
            count = int((_FAR + 2) / step)  # nothing is lost at the ends
            u = step * np.arange(-count, count + 1)
            output, slope = self._committee.evaluate(u)
            weights = step * np.exp(-0.5 * u * u)
            sums = weights @ np.stack([slope**2 * output**2, output, u * slope]).T
            if np.abs(sums - before).max() < _AGREE * (1 + np.abs(sums).max()):
                return float(step * np.sqrt(2))  # the one before
            before = sums
        raise ArithmeticError(
            f"activation {self._committee.activation!r} is not smooth enough for "
            "quadrature: if its slope jumps, its kinks must say where"
        )

    def _rule(self, c: FloatArray, table: Table) -> FloatArray:
        """Return the averages of the rows of a table."""
        widest = math.sqrt(max(float(c.diagonal().max()), 0.0))
        half = int(1.5 * _FAR * widest / self._grid) + 16
        if not half < _LONGEST:  # NaN too
            return np.full(len(table), np.nan)
        if self._base.shape[1] < 2 * half + 1:
            half = int(1.2 * half)
            points = np.asarray(self._grid * np.arange(-half, half + 1), np.float64)
            self._base = np.stack(self._committee.evaluate(points))
        lows, powers = factors(c, table)
        found = np.empty(len(table))
        if not _sums(self._base, self._step, self._grid, lows, powers, found):
            raise ArithmeticError(
                f"fields of length {widest:.3g} need too many nodes of quadrature for "
                f"{self._committee.activation!r}; try a smaller rate"
            )
        return found

    def products(self, covariance: FloatArray) -> FloatArray:
        """Return <g(u) g(v)> for all pairs of fields; leading axes are kept."""
        fields = covariance.shape[-1]
        rows, columns = np.triu_indices(fields)
        table = _tables(1, fields)[0]
        given = covariance.reshape(-1, fields, fields)
        result = np.empty_like(given)
        for c, out in zip(given, result, strict=True):
            found = continued(lambda near: self._rule(near, table), c, _NEAR)
            out[rows, columns] = out[columns, rows] = found
        return result.reshape(covariance.shape)

    def averages(self, c: FloatArray, signs: FloatArray, students: int) -> Averages:
        """Return the averages of the error with these signs; students come first."""
        tables = np.concatenate(_tables(students, len(c))[1:])
        found = continued(lambda near: self._rule(near, tables), c, _NEAR)
        shape = students, len(c)
        size = students * len(c)
        lengths, slopes = found[: 2 * size].reshape(2, *shape)
        return Averages(
            gradient(c, signs, lengths, slopes),
            sum_squares(found[2 * size :], signs, students),
            slopes[:, :students],
        )
