r"""Rotations of a moving teacher, in the frame that moves along with it.

Inputs are isotropic, so the engines turn the student back by :math:`\varphi` instead
of turning the teacher. With :math:`c` along the teacher, length :math:`s` across it and
the cosine :math:`u` between the student's part across and the direction of the turn,

.. math::
    c \leftarrow c \cos\varphi + u s \sin\varphi, \qquad
    s^2 \leftarrow (u s \cos\varphi - c \sin\varphi)^2 + (1 - u^2) s^2.   \tag{1}

For a random turn :math:`u` is a component of a uniform unit vector in :math:`N - 1`
dimensions; for one away from the student :math:`u = -1`. A rotation has its second
direction in the frame and turns two coordinates. All of it is exact at every N, and no
length is obtained by subtraction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import force_inlined, types
from rosenblatt.core import Heading, Motion
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import SPARE_BITS, chi_square, uniform

STILL, RANDOM, PLANE, AWAY = (int(heading) for heading in Heading)
_NEVER = np.zeros(0, np.int64)


class Rotations(NamedTuple):
    """Rotations of a teacher, as kernels take it; by default it stands still."""

    dim: int
    heading: int = STILL
    angle: float = 0.0  # of one turn
    cosine: float = 1.0  # of that angle
    sine: float = 0.0
    steady: bool = False  # whether there is a turn before every example
    changes: types.Wholes = _NEVER  # examples after which there is one, if not


def rotations_of(motion: Motion, dim: int) -> Rotations:
    """Return how a teacher with this motion rotates at finite N.

    Examples
    --------
    >>> from rosenblatt.motions import RandomWalk
    >>> rotations_of(RandomWalk(0.1), 10).steady
    True
    """
    angle, times = motion.angle(dim), motion.changes
    changes = np.array([round(t * dim) for t in times or ()], dtype=np.int64)
    if np.any(np.diff(changes) == 0):
        raise ValueError(
            f"times must differ by more than an example, which is {1 / dim:g} at dim = "
            f"{dim}, got {times}"
        )
    heading = STILL if angle == 0 else int(motion.heading)
    steady = heading != STILL and times is None
    sine = math.sin(angle)
    return Rotations(dim, heading, angle, math.cos(angle), sine, steady, changes)


@force_inlined
def _lean(dim: int, example: int, rng: Words) -> tuple[float, float]:
    """Return u of eq. (1) for a random direction, and 1 - u^2.

    The numbers belong to the example, whatever is simulated before.
    """
    rng[2] = np.uint64(example) << np.uint64(SPARE_BITS)
    radius = math.sqrt(-2.0 * math.log(uniform(rng)))
    around = 2.0 * math.pi * uniform(rng)
    z = radius * math.cos(around)
    rest2 = chi_square(dim - 2, radius * math.sin(around), uniform(rng), rng)
    length2 = z * z + rest2
    return z / math.sqrt(length2), rest2 / length2


@force_inlined
def rotate(student: FloatArray, rotations: Rotations, example: int, rng: Words) -> None:
    """Turn the teacher once, before the example that follows ``example`` others.

    The first coordinate of the student is along the teacher, the last one the length of
    the rest. A circle is in the plane of the first two.
    """
    cosine, sine = rotations.cosine, rotations.sine
    c = student[0]
    if rotations.heading == PLANE:
        d = student[1]
        student[0], student[1] = c * cosine + d * sine, d * cosine - c * sine
        return
    u, rest = -1.0, 0.0
    if rotations.heading == RANDOM:
        u, rest = _lean(rotations.dim, example, rng)
    s = student[-1]
    over = s * u * cosine - c * sine
    student[0] = c * cosine + s * u * sine  # eq. (1)
    student[-1] = math.sqrt(over * over + s * s * rest)


@force_inlined
def rotate_steadily(
    student: FloatArray, rotations: Rotations, example: int, count: int, rng: Words
) -> None:
    """Turn the teacher before each of the next ``count`` examples.

    Turns that are not random add up. Those away from the student must not take the
    teacher beyond its opposite.
    """
    if rotations.heading == RANDOM:
        for k in range(count):
            rotate(student, rotations, example + k, rng)
        return
    angle = rotations.angle * count
    whole = Rotations(
        rotations.dim, rotations.heading, angle, math.cos(angle), math.sin(angle), True,
        rotations.changes,
    )  # fmt: skip
    rotate(student, whole, example, rng)


@force_inlined
def next_change(rotations: Rotations, example: int) -> int:
    """Return the first change after ``example`` examples or later, or -1."""
    for n in rotations.changes:
        if n >= example:
            return int(n)
    return -1
