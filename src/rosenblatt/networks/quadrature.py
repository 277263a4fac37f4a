r"""Gaussian averages <g(u) g(v)> of any activation by quadrature.

A pair of fields is :math:`u = \sqrt a\, s` and, given :math:`u`, a normal :math:`v` of
mean :math:`c\, u / a` and variance :math:`b - c^2 / a`. For a smooth activation the
trapezoidal rule converges exponentially. Otherwise both integrals are split where a
field is at a kink, and Gauss's rule is used in between.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, Activations, activations
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.averages import Averages
from rosenblatt.networks.committee import Committee
from rosenblatt.specification.parts import RefusalError

__all__ = ["Quadrature"]

_NODES = 80  # of Gauss's rule in each interval
_FAR = 8.5  # standard deviations, beyond which there is less than 1e-16
_LEAST, _MORE = 48, 32  # steps of the trapezoidal rule: at 0, and per unit of length
_vector, _rows = types.float64[::1], types.float64[:, ::1]


@kernel(types.void, ACTIVATIONS, _rows, _vector)
def _trapezoidal(act: Activations, triples: FloatArray, out: FloatArray) -> None:
    """Write <g(u) g(v)> for rows of two variances and a covariance."""
    for row in range(len(triples)):
        a, b, c = triples[row]
        if a < b:
            a, b = b, a
        count = _LEAST + int(_MORE * math.sqrt(a))
        step = 2.0 * _FAR / count
        u, weights, first = np.empty(count), np.empty(count), np.empty(count)
        v, second, slopes = np.empty(count), np.empty(count), np.empty(count)
        along = c / math.sqrt(a) if a > 0.0 else 0.0
        across = math.sqrt(max(b - along * along, 0.0))
        for i in range(count):
            s = (i + 0.5) * step - _FAR
            weights[i] = math.exp(-0.5 * s * s) * step / math.sqrt(2.0 * math.pi)
            u[i] = math.sqrt(a) * s
        act(u, first, slopes)
        total = 0.0
        for i in range(count):
            mean = along * ((i + 0.5) * step - _FAR)
            for j in range(count):
                v[j] = mean + across * ((j + 0.5) * step - _FAR)
            act(v, second, slopes)
            inner = 0.0
            for j in range(count):
                inner += weights[j] * second[j]
            total += weights[i] * first[i] * inner
        out[row] = total


@functools.cache
def _rule() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss's rule between 0 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (1 + nodes) / 2, weights / 2


def _normal(splits: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of a standard normal number, split at some points.

    Splits are in the last axis, and may differ from row to row.
    """
    far = np.full((*splits.shape[:-1], 1), _FAR)
    inside = np.clip(np.sort(splits, axis=-1), -_FAR, _FAR)
    ends = np.concatenate([-far, inside, far], axis=-1)
    nodes, weights = _rule()
    width = np.diff(ends, axis=-1)[..., None]
    shape = (*splits.shape[:-1], -1)
    z = (ends[..., :-1, None] + width * nodes).reshape(shape)
    w = (width * weights).reshape(shape)
    return z, w * np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


class Quadrature:
    """Averages of a committee's activation by quadrature."""

    def __init__(self, committee: Committee) -> None:
        self._committee = committee
        self._kinks = np.array(committee.activation.kinks, dtype=np.float64)

    def _split(self, a: float, b: float, c: float) -> float:
        """Return <g(u) g(v)> for variances a and b and covariance c."""
        if a < b:
            a, b = b, a
        evaluate, kinks = self._committee.evaluate, self._kinks
        if a <= 0:
            return float(evaluate(np.zeros(1))[0][0] ** 2)
        slope, spread = c / a, math.sqrt(max(b - c * c / a, 0.0))
        splits = kinks / math.sqrt(a)
        if slope != 0:
            splits = np.concatenate([splits, splits / slope])
        s, weights = _normal(splits)
        u = math.sqrt(a) * s
        if spread <= 1e-8 * math.sqrt(a):  # v is a multiple of u, to rounding
            return float(weights @ (evaluate(u)[0] * evaluate(slope * u)[0]))
        t, inner = _normal((kinks - slope * u[:, None]) / spread)
        means = (inner * evaluate(slope * u[:, None] + spread * t)[0]).sum(axis=1)
        return float(weights @ (evaluate(u)[0] * means))

    def products(self, covariance: FloatArray) -> FloatArray:
        """Return <g(u) g(v)> for all pairs of fields; leading axes are kept."""
        own = np.diagonal(covariance, axis1=-2, axis2=-1)
        shape = covariance.shape
        each = (own[..., :, None], own[..., None, :], covariance)
        triples = np.stack([np.broadcast_to(x, shape) for x in each], axis=-1)
        wanted, where = np.unique(triples.reshape(-1, 3), axis=0, return_inverse=True)
        found = np.empty(len(wanted))
        if self._kinks.size:
            found[:] = [self._split(*map(float, row)) for row in wanted]
        else:
            _trapezoidal(activations(self._committee.activation), wanted, found)
        return np.asarray(found[where.ravel()].reshape(shape))

    def averages(self, c: FloatArray, signs: FloatArray, students: int) -> Averages:
        """Refuse, since averages of four fields are known in closed form only."""
        raise RefusalError(
            "the theory of committees needs the activation rules.Erf(), got "
            f"{self._committee.activation!r}; networks.simulate takes any"
        )
