r"""Gaussian integrals, exact to rounding error.

Two unit Gaussian fields at an angle :math:`\theta` disagree in sign inside a double
wedge of that opening. For inputs with a mean :math:`\mu` (in the plane of the two) the
direction :math:`\psi` of the input has the elementary density

.. math::
    f(\psi) = \frac{e^{-\mu^2/2}}{2\pi}
        \left[1 + \sqrt{2\pi}\, m\, e^{m^2/2}\, \Phi(m)\right],
    \qquad m = \mu_1 \cos\psi + \mu_2 \sin\psi,  \tag{1}

so that the error is one smooth integral over the wedge, accurate however thin that is.
Everything else is Gauss-Legendre quadrature on panels that end where the integrand is
not smooth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr, roots_hermitenorm, roots_legendre

from rosenblatt.core.types import FloatArray

__all__ = [
    "Mapped",
    "PlaneMean",
    "disagreement",
    "error",
    "interval",
    "layer",
    "moments",
    "nodes",
    "normal_density",
]

Mapped = Callable[[FloatArray], FloatArray]

_ORDER = 20  # nodes a panel: exact for polynomials of degree 39
_LEGENDRE = {order: roots_legendre(order) for order in (_ORDER // 2, _ORDER)}
_POINTS, _WEIGHTS = (np.asarray(a) for a in _LEGENDRE[_ORDER])
_HERMITE = roots_hermitenorm(_ORDER)  # weights of which the sum is sqrt(2 pi)
# Lengths up to which so few nodes are enough: 1e-12 at the end of the reach, and
# rounding where most of the probability is.
_SHORT = {0.01: 3, 0.5: 8}
_REACH = 9.5  # standard deviations; what lies beyond has probability 2e-21
# Panels for a Gaussian weight; each is narrow enough for 20 nodes to reach rounding.
_BODY = (-_REACH, -6.5, -4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5, 6.5, _REACH)
_NARROW = 0.5  # spread at which a panel of width 1.5 is less than a field of 1
_LAYER = np.array([-_REACH, -5.0, -2.0, 0.0, 2.0, 5.0, _REACH])


class PlaneMean(NamedTuple):
    """Mean of the inputs in the plane of teacher and student."""

    along: FloatArray  # the teacher
    across: FloatArray  # the teacher, towards the student


def normal_density(x: FloatArray) -> FloatArray:
    """Return the density of the standard normal law."""
    return np.asarray(np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi))


def interval(low: FloatArray, length: FloatArray) -> FloatArray:
    """Return the probability of intervals under the standard normal law.

    Accurate in relative terms however short they are.

    Examples
    --------
    >>> interval(np.array([0.0, 0.0]), np.array([1e-300, np.inf]))
    array([3.9894228e-301, 5.0000000e-001])
    """
    low, length = np.broadcast_arrays(np.asarray(low), np.asarray(length))
    result = np.zeros(low.shape)
    left = np.ones(low.shape, bool)
    for limit, order in _SHORT.items():
        short = left & (length <= limit)
        left &= ~short
        start, width = low[short], length[short]
        total = np.zeros(start.shape)
        for point, weight in zip(*roots_legendre(order), strict=True):
            total += 0.5 * weight * normal_density(start + 0.5 * (1 + point) * width)
        result[short] = width * total
    a, b = low[left], low[left] + length[left]
    # in the lower tail, where the distribution function does not round to 1
    below = a + b < 0
    result[left] = ndtr(np.where(below, b, -a)) - ndtr(np.where(below, a, -b))
    return result


def layer(at: float, width: float) -> FloatArray:
    """Return panel ends around a step of a given width, an error function say."""
    return np.asarray(at + width * _LAYER)


def nodes(breaks: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights for the standard normal measure.

    The panels end at ``breaks`` and where the Gaussian itself asks for it.
    """
    inside = {float(b) for b in breaks if -_REACH < b < _REACH}
    ends = np.array(sorted(inside.union(_BODY)))
    half = 0.5 * (ends[1:] - ends[:-1])
    x = ((ends[:-1] + half)[:, None] + half[:, None] * _POINTS).ravel()
    return x, (half[:, None] * _WEIGHTS).ravel() * normal_density(x)


def _panels(ends: FloatArray, order: int) -> tuple[FloatArray, FloatArray]:
    """Return Gauss-Legendre nodes between ends and their normal weights, row by row."""
    points, weights = _LEGENDRE[order]
    half = 0.5 * np.diff(ends)[:, :, None]
    shape = (len(ends), (ends.shape[1] - 1) * order)
    x = (ends[:, :-1, None] + half * (1 + points)).reshape(shape)
    return x, (half * weights).reshape(shape) * normal_density(x)


# Nodes and weights for all rows without a kink.
_SMOOTH = _HERMITE[0], _HERMITE[1] / np.sqrt(2 * np.pi)
_WIDE = nodes(())


def moments(
    positive: Mapped, kinks: Sequence[float], mean: FloatArray, spread: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return ``E[p(b)]`` and ``E[r p(b)]`` for ``b = mean + spread * r``, r normal.

    ``kinks`` are the fields at which ``p`` is not smooth. Where the spread is small,
    ``p`` changes little within a panel: half the nodes are enough, and a
    Gauss-Hermite rule where no kink is near.
    """
    mean, spread = np.broadcast_arrays(np.asarray(mean), np.asarray(spread))
    zeroth, first = np.empty(mean.shape), np.empty(mean.shape)
    scale = np.where(spread > 0, spread, np.inf)
    breaks = ((np.asarray(kinks)[:, None] - mean.ravel()) / scale.ravel()).T
    kinked = (np.abs(breaks) < _REACH).any(axis=1).reshape(mean.shape)
    narrow = spread < _NARROW
    for rows, order in ((kinked & narrow, _ORDER // 2), (kinked & ~narrow, _ORDER)):
        if rows.any():
            own = breaks[rows.ravel()].clip(-_REACH, _REACH)
            body = np.broadcast_to(_BODY, (len(own), len(_BODY)))
            rule = _panels(np.sort(np.concatenate([body, own], axis=1)), order)
            sums = _sums(positive, mean[rows], spread[rows], *rule)
            zeroth[rows], first[rows] = sums
    for rows, rule in ((~kinked & narrow, _SMOOTH), (~kinked & ~narrow, _WIDE)):
        if rows.any():
            sums = _sums(positive, mean[rows], spread[rows], *rule)
            zeroth[rows], first[rows] = sums
    return zeroth, first


def _sums(
    positive: Mapped, mean: FloatArray, spread: FloatArray, r: FloatArray, w: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of ``w p`` and ``w r p`` over the nodes r of each row."""
    b = mean[:, None] + spread[:, None] * r
    p = w * positive(b.ravel()).reshape(b.shape)
    return p.sum(axis=1), (p * r).sum(axis=1)


def error(
    positive: Mapped, kinks: Sequence[float], angle: FloatArray, mean: PlaneMean
) -> FloatArray:
    """Return the probability that label and student's sign differ, for any teacher."""
    angle, along, across = np.broadcast_arrays(angle, mean.along, mean.across)
    result = np.empty(angle.shape)
    for i in np.ndindex(angle.shape):
        sine, cosine = np.sin(angle[i]), np.cos(angle[i])
        # where the student's sign turns as the teacher's field grows
        steep = layer(-across[i] * sine / cosine - along[i], sine / abs(cosine))
        z, weight = nodes([*(np.asarray(kinks) - along[i]), *steep])
        b = along[i] + z
        p = positive(b)
        tiny = np.finfo(float).tiny  # keeps 0/0 out at angle 0, where b = 0 has no mass
        turn = (cosine * b + sine * across[i]) / max(sine, tiny)
        result[i] = np.sum(weight * (p * ndtr(-turn) + (1 - p) * ndtr(turn)))
    return result


def disagreement(angle: FloatArray, mean: PlaneMean) -> FloatArray:
    """Return the probability that two fields at this angle differ in sign.

    Accurate in relative terms down to the smallest angles.

    Examples
    --------
    >>> float(disagreement(np.array(np.pi / 2), PlaneMean(np.array(0), np.array(0))))
    0.5
    """
    angle, along, across = np.broadcast_arrays(angle, mean.along, mean.across)
    if not (along.any() or across.any()):
        return np.asarray(angle / np.pi)
    # Panels narrow enough for a density whose features have the width 1 / |mean|.
    length2 = along**2 + across**2
    panels = 1 + int(np.sqrt(length2.max()))
    t = (np.arange(panels)[:, None] + 0.5 * (1 + _POINTS)).ravel() / panels
    weights = np.tile(0.5 * _WEIGHTS / panels, panels)
    total = np.zeros(angle.shape)
    for first in (0.5 * np.pi, -0.5 * np.pi):
        for ti, wi in zip(t, weights, strict=True):
            psi = first + angle * ti
            m = along * np.cos(psi) + across * np.sin(psi)
            # eq. (1), in logarithms so that exp(m^2/2) does not overflow
            bulk = m * np.exp(0.5 * (m * m - length2) + log_ndtr(m))
            total += wi * (
                np.exp(-0.5 * length2) / (2 * np.pi) + bulk / (2 * np.pi) ** 0.5
            )
    return np.asarray(angle * total)
