r"""Inputs in the plane of teacher and student, where mistakes are wedges.

The input's direction :math:`\psi` is measured from the teacher towards the student,
which is at the angle :math:`\theta`. The signs of their fields differ for
:math:`\psi` between :math:`\pi/2` and :math:`\pi/2 + \theta`, and opposite to that. The
mean of the inputs has the component :math:`m` along a direction.
"""

from __future__ import annotations

import math

from rosenblatt.compiling import inlined
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import (
    normal,
    uniform,
)

__all__ = ["density", "direction", "fill_bounds", "largest", "radius"]

_STEEP = -1.0  # mean along the direction below which radii are drawn from a gamma law


@inlined
def density(m: float, mean2: float) -> float:
    """Return the density of the input's direction, 2 pi times."""
    tail = 0.5 * math.erfc(-m / math.sqrt(2.0))
    bulk = math.sqrt(2.0 * math.pi) * m * tail * math.exp(0.5 * (m * m - mean2))
    return math.exp(-0.5 * mean2) + bulk


@inlined
def largest(first: float, width: float, along: float, across: float) -> float:
    """Return the largest component of the mean along directions of a wedge."""
    inside = (math.atan2(across, along) - first) % (2.0 * math.pi)
    if inside <= width:
        return math.sqrt(along * along + across * across)
    last = first + width
    return max(
        along * math.cos(first) + across * math.sin(first),
        along * math.cos(last) + across * math.sin(last),
    )


@inlined
def fill_bounds(
    bounds: FloatArray,
    right: float,
    wrong: float,
    angle: float,
    along: float,
    across: float,
) -> float:
    """Bound the chance of a mistake in each of four wedges, and return the sum.

    In the first two the signs differ and the label is right, in the last two they agree
    and the label is wrong.
    """
    mean2 = along * along + across * across
    right, wrong = right / (2.0 * math.pi), wrong / (2.0 * math.pi)
    for half in range(2):
        edge = (half + 0.5) * math.pi
        m = largest(edge, angle, along, across)
        bounds[half] = right * density(m, mean2)
        m = largest(edge + angle, math.pi - angle, along, across)
        bounds[2 + half] = wrong * density(m, mean2)
    return float(bounds[0] + bounds[1] + bounds[2] + bounds[3])


@inlined
def direction(agree: bool, angle: float, delta: float) -> tuple[float, float, float]:
    """Return a unit input so far inside the first wedge of a kind.

    Its components along and across the teacher, and its field for a student of length
    1; sines of small angles stay accurate.
    """
    if agree:
        psi = angle + 0.5 * math.pi + delta
        return math.cos(psi), math.sin(psi), -math.sin(delta)
    return -math.sin(delta), math.cos(delta), math.sin(angle - delta)


@inlined
def radius(m: float, rng: Words) -> float:
    """Return the length of an input whose mean has this component along it."""
    if m == 0.0:
        return math.sqrt(-2.0 * math.log(uniform(rng)))
    if m < _STEEP:
        while True:  # r exp(m r), kept with exp(-r^2/2)
            r: float = math.log(uniform(rng) * uniform(rng)) / m
            if uniform(rng) < math.exp(-0.5 * r * r):
                return r
    peak = 0.5 * (m + math.sqrt(m * m + 4.0))
    while True:  # a Gaussian around the peak, which touches the density there
        r = peak + normal(rng)
        if r > 0.0 and uniform(rng) < r / peak * math.exp(1.0 - r / peak):
            return r
