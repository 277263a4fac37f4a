r"""Gaussian averages of products of an activation with kinks, by split quadrature.

Fields are :math:`u = L z` with independent standard normal :math:`z` and a triangular
:math:`L`. The integral over each :math:`z` is split where its own field is at a kink.
A later field smooths its kink to a layer, as narrow as its variance that is left; the
integral is split around it too. Gauss's rule is used in between.

An output may jump. Its derivative is then the slope and, at a kink :math:`\kappa`
with a jump of height :math:`J`, a delta function, which adds to
:math:`\langle g'(u_i)\, g'(u_f) \rangle`

.. math:: J\, p_f(\kappa)\, \langle g'(u_i) \rangle_{u_f = \kappa}   \tag{1}

with the density :math:`p_f` of the field. Only the gradient contains the derivative:
the other averages are those of the slope that a student uses.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, Activations, activations, inlined
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.averages.jobs import (
    Table,
    averages_of,
    factors,
    products_of,
)
from rosenblatt.networks.averages.results import Averages
from rosenblatt.networks.committee import Committee

__all__ = ["Kinked"]

_FAR = 7.0  # standard deviations; beyond there is less than 3e-12
_ENDS = np.array([-_FAR, -3.2, 0.0, 3.2, _FAR])  # of panels for a Gaussian alone
_LAYER = np.array([-5.0, -2.0, 0.0, 2.0, 5.0])  # ends of panels, in widths of a layer
_WIDE = 1.0  # a layer of this width needs none
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_NEAR = 1e-9  # distance from a kink at which a jump shows
_JUMP = 1e-12  # a smaller height is rounding
_vector = types.float64[::1]
_TABLES = types.float64[:, :, ::1], types.int64[:, :, ::1]


@inlined
def _ends(
    low: FloatArray, level: int, mean: FloatArray, kinks: FloatArray, ends: FloatArray
) -> int:
    """Write the ends of panels in order, and return their number."""
    count = len(_ENDS)
    for j in range(count):
        ends[j] = _ENDS[j]
    for field in range(level, 4):
        along = low[field, level]
        if along == 0.0:
            continue
        rest = 0.0
        for later in range(level + 1, field + 1):
            rest += low[field, later] ** 2
        width = math.sqrt(rest) / abs(along)
        for kink in kinks:
            middle = (kink - mean[field]) / along
            if width == 0.0:
                ends[count] = middle
                count += 1
            elif width < _WIDE:
                for side in _LAYER:
                    ends[count] = middle + side * width
                    count += 1
    for j in range(count):
        ends[j] = min(max(ends[j], -_FAR), _FAR)
    ends[:count].sort()
    return count


@inlined
def _nodes(ends: FloatArray, z: FloatArray, weights: FloatArray) -> int:
    """Write nodes and weights of a standard normal number, and return how many."""
    count = 0
    for j in range(len(ends) - 1):
        half = 0.5 * (ends[j + 1] - ends[j])
        if half > 0.0:
            for node in range(len(_POINTS)):
                at = ends[j] + half * (1.0 + _POINTS[node])
                z[count] = at
                weights[count] = (
                    half * _WEIGHTS[node] * math.exp(-0.5 * at * at)
                ) / math.sqrt(2.0 * math.pi)
                count += 1
    return count


@kernel(types.void, ACTIVATIONS, _vector, *_TABLES, _vector, allocates=True)
def _sums(
    act: Activations, kinks: FloatArray, lows: FloatArray, powers: Table,
    out: FloatArray
) -> None:  # fmt: skip
    """Write the averages of all rows, level within level."""
    most = len(_ENDS) + 4 * len(kinks) * len(_LAYER)
    size = most * len(_POINTS)
    ends, z, weights = np.empty(most), np.empty((4, size)), np.empty((4, size))
    u, output, slope = np.empty(size), np.empty(size), np.empty(size)
    mean, sums = np.zeros((4, 4)), np.empty(4)
    index, count = np.empty(4, np.int64), np.empty(4, np.int64)
    for row in range(len(lows)):
        low = lows[row]
        level, fresh = 0, True
        while level >= 0:
            if fresh:  # the nodes of this level, and what its field contributes
                index[level], sums[level], n = 0, 0.0, 1
                z[level, 0], weights[level, 0] = 0.0, 1.0
                if low[level, level] > 0.0:
                    last = _ends(low, level, mean[level], kinks, ends)
                    n = _nodes(ends[:last], z[level], weights[level])
                for j in range(n):
                    u[j] = mean[level, level] + low[level, level] * z[level, j]
                act(u[:n], output[:n], slope[:n])
                p, q, m = powers[row, level]
                for j in range(n):
                    weights[level, j] *= slope[j] ** p * output[j] ** q * u[j] ** m
                count[level], fresh = n, False
            if level == 3:
                for j in range(count[3]):
                    sums[3] += weights[3, j]
                index[3] = count[3]
            while index[level] < count[level] and weights[level, index[level]] == 0.0:
                index[level] += 1
            if index[level] < count[level]:
                for field in range(level + 1, 4):
                    mean[level + 1, field] = (
                        mean[level, field] + low[field, level] * z[level, index[level]]
                    )
                level, fresh = level + 1, True
                continue
            level -= 1
            if level >= 0:
                sums[level] += weights[level, index[level]] * sums[level + 1]
                index[level] += 1
        out[row] = sums[0]


class Kinked:
    """Averages of a committee's activation, which has kinks."""

    def __init__(self, committee: Committee) -> None:
        self._activation, self._evaluate = committee.activation, committee.evaluate
        self._kinks = np.array(committee.activation.kinks, dtype=np.float64)
        below, above = (
            committee.evaluate(self._kinks + side * _NEAR) for side in (-1, 1)
        )
        heights = above[0] - below[0] - _NEAR * (above[1] + below[1])
        self._heights = np.where(np.abs(heights) > _JUMP, heights, 0.0)

    def _rule(self, c: FloatArray, table: Table) -> FloatArray:
        """Return the averages of the rows of a table."""
        lows, powers = factors(c, table)
        found = np.empty(len(table))
        _sums(activations(self._activation), self._kinks, lows, powers, found)
        return found

    def products(self, covariance: FloatArray) -> FloatArray:
        """Return <g(u) g(v)> for all pairs of fields; leading axes are kept."""
        return products_of(self._rule, covariance)

    def averages(self, c: FloatArray, signs: FloatArray, students: int) -> Averages:
        """Return the averages of the error with these signs, for the first fields."""
        jumps = np.zeros((students, len(c)))
        for kink, height in zip(self._kinks, self._heights, strict=True):
            if height != 0.0:
                jumps += height * self._slopes_at(kink, c, students)
        return averages_of(self._rule, c, signs, students, jumps)

    def _slopes_at(self, kink: float, c: FloatArray, students: int) -> FloatArray:
        """Return eq. (1) for a height of 1; of a field with itself it is not needed."""
        result = np.zeros((students, len(c)))
        ends = np.empty(len(_ENDS) + len(self._kinks))
        for i, f in np.ndindex(result.shape):
            if i == f or not c[f, f] > 0.0:
                continue
            mean = c[i, f] * kink / c[f, f]
            width = math.sqrt(max(float(c[i, i] - c[i, f] ** 2 / c[f, f]), 0.0))
            ends[:] = _FAR  # empty panels, if nothing varies
            ends[: len(_ENDS)] = _ENDS
            if width > 0.0:
                split = (self._kinks - mean) / width
                ends[len(_ENDS) :] = np.clip(split, -_FAR, _FAR)
            low, high = np.sort(ends)[:-1, None], np.sort(ends)[1:, None]
            z = low + 0.5 * (high - low) * (1.0 + _POINTS)
            weights = 0.5 * (high - low) * _WEIGHTS * np.exp(-0.5 * z * z)
            slopes = self._evaluate(mean + width * z)[1]
            density = math.exp(-0.5 * kink**2 / c[f, f]) / math.sqrt(c[f, f])
            result[i, f] = density * (weights * slopes).sum() / (2.0 * math.pi)
        return result
