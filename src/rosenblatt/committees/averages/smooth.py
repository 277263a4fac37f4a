r"""Gaussian averages of products of a smooth activation by quadrature.

Fields are :math:`u = L z` with independent standard normal :math:`z` and a triangular
:math:`L`. The trapezoidal rule converges exponentially in each :math:`z`. The last
field only smooths its function, :math:`\tilde f(y) = \langle f(y + s z) \rangle`, and a
table of :math:`\tilde f` takes the place of the innermost integral. An average over
four fields is a sum in three dimensions.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.committees.averages.results import (
    Averages,
    Table,
    averages_of,
    factors,
    products_of,
)
from rosenblatt.committees.committee import Committee
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray

__all__ = ["Smooth"]

_FAR = 7.0  # standard deviations; beyond there is less than 3e-12
_WIDEST = 0.55  # step of a Gaussian alone: errors are exp(-2 pi^2 / step^2)
_STEPS = 0.8 * 0.5 ** (0.5 * np.arange(14))  # tried for the activation, in its field
_AGREE = 1e-9  # between a step and the next, which is far more accurate
_FINE = 32  # grid points of the table in a step: interpolation errors are 1e-12
_LONGEST = 1 << 21  # grid points: 32 MiB
_MOST = 1000  # nodes of one field
_ALL = 4_000_000  # nodes of one average: less than a tenth of a second
_HERMITE = np.polynomial.hermite_e.hermegauss(6)
_rows, _vector = types.float64[:, ::1], types.float64[::1]


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


_TABLES = types.float64[:, :, ::1], types.int64[:, :, ::1]


@kernel(
    types.boolean,
    _rows,
    types.float64,
    types.float64,
    *_TABLES,
    _vector,
    allocates=True,
)
def _sums(
    base: FloatArray,
    step: float,
    grid: float,
    lows: FloatArray,
    powers: Table,
    out: FloatArray,
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
        return products_of(self._rule, covariance)

    def averages(self, c: FloatArray, signs: FloatArray, students: int) -> Averages:
        """Return the averages of the error with these signs, for the first fields."""
        return averages_of(self._rule, c, signs, students)
