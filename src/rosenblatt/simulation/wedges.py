r"""Inputs in the plane of teacher and student, where mistakes are wedges.

The input's direction :math:`\psi` is measured from the teacher towards the student,
which is at the angle :math:`\theta`. The signs of their fields differ for
:math:`\psi` between :math:`\pi/2` and :math:`\pi/2 + \theta`, and opposite to that. The
mean of the inputs has the component :math:`m` along a direction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rosenblatt.compiling import force_inlined, inlined
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import normal, uniform

__all__ = [
    "Input",
    "Plane",
    "any_input",
    "density",
    "direction",
    "fill_bounds",
    "largest",
    "mistaken_input",
    "plane_of",
    "radius",
]

_STEEP = -1.0  # mean along the direction below which radii are drawn from a gamma law


class Plane(NamedTuple):
    """A student in the plane of teacher and student, and its chance of a mistake."""

    q: float  # squared length of the student
    side: float  # length of the student across the teacher
    angle: float  # between student and teacher
    over: float  # unit vector across the teacher, towards the student: along the mean
    out: float  # and along the student's own direction
    along: float  # mean of the inputs along the teacher
    across: float  # and towards the student
    right: float  # angle of mistakes with a right label
    wrong: float  # angle of mistakes with a wrong label
    bound: float  # on the chance of a mistake
    biased: bool  # whether inputs have a mean


class Input(NamedTuple):
    """An input in the plane, with the student's field and the label."""

    along: float
    across: float
    field: float
    label: float
    mistake: bool


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
    """Return a unit input at the angle ``delta`` inside the first wedge of a kind.

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


@force_inlined
def plane_of(
    student: FloatArray, center: tuple[float, float], noise: float, bounds: FloatArray
) -> Plane:
    """Return the plane of teacher and student; bounds of wedges go to ``bounds``."""
    c, d, s = student[0], student[1], student[2]
    side = math.sqrt(d * d + s * s)
    q = c * c + side * side
    angle = math.atan2(side, c) if q > 0.0 else 0.5 * math.pi
    over, out = (d / side, s / side) if side > 0.0 else (0.0, 1.0)
    along, across = center[0], center[1] * over
    right, wrong = (1.0 - noise) * angle, noise * (math.pi - angle)
    biased = center[0] != 0.0 or center[1] != 0.0
    if biased:
        bound = fill_bounds(bounds, right, wrong, angle, along, across)
    else:
        bound = (right + wrong) / math.pi
    return Plane(
        q, side, angle, over, out, along, across, right, wrong, bound, biased
    )  # fmt: skip


@force_inlined
def any_input(plane: Plane, c: float, noise: float, rng: Words) -> Input:
    """Draw an input and its label, which may be a mistake or not."""
    x0, x1 = plane.along + normal(rng), plane.across + normal(rng)
    h = c * x0 + plane.side * x1
    y = 1.0 if x0 > 0.0 else -1.0
    if noise > 0.0 and uniform(rng) < noise:
        y = -y
    return Input(x0, x1, h, y, y * h <= 0.0)


@force_inlined
def mistaken_input(plane: Plane, bounds: FloatArray, rng: Words) -> Input:
    """Draw an input inside a wedge of mistakes; thinning may reject it."""
    angle, right, wrong = plane.angle, plane.right, plane.wrong
    agree, flip, wedge = False, 1.0, 0
    if plane.biased:
        v = uniform(rng) * plane.bound
        while wedge < 3 and v >= bounds[wedge]:
            v -= bounds[wedge]
            wedge += 1
        agree = wedge >= 2
        flip = -1.0 if wedge % 2 == 1 else 1.0
    else:
        agree = uniform(rng) * (right + wrong) >= right
        flip = -1.0 if uniform(rng) < 0.5 else 1.0
    delta = uniform(rng) * (math.pi - angle if agree else angle)
    e0, e1, eh = direction(agree, angle, delta)
    e0, e1, eh = flip * e0, flip * e1, flip * eh
    m = 0.0
    if plane.biased:
        along, across = plane.along, plane.across
        m = along * e0 + across * e1
        chance = (wrong if agree else right) / (2.0 * math.pi)
        accepted = chance * density(m, along * along + across * across)
        if uniform(rng) * bounds[wedge] >= accepted:
            return Input(0.0, 0.0, 0.0, 0.0, False)
    r = radius(m, rng)
    h = math.sqrt(plane.q) * r * eh
    return Input(r * e0, r * e1, h, -1.0 if h > 0.0 else 1.0, True)
