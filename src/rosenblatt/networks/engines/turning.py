r"""Turns of a drifting teacher with several units.

The teacher's units turn together, so that their overlaps stay. Each of the M directions
that span them turns by an angle :math:`\varphi` towards a direction :math:`u` outside
of their span. This :math:`u` is random or, in a rotation, the velocity of the direction
that turns. In the frame that moves along, a student with coordinate a along that
direction, and p outside of the span, becomes

.. math::
    a \leftarrow a \cos\varphi + (p \cdot u) \sin\varphi, \qquad
    p \leftarrow p + [(\cos\varphi - 1)\, p \cdot u - a \sin\varphi]\, u.  \tag{1}

In a rotation the velocities are M more directions of the frame, after the first M. So
unit n moves along a circle in a plane of its own, and two planes are at right angles if
their units are.
A teacher with one unit retreats from one student towards :math:`u = -p / |p|`.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.eights import EIGHT, load, root, same_eight, store
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.networks.engines.rows import add, first_angles
from rosenblatt.numerics.random import SPARE_BITS, chi_square, normal, uniform
from rosenblatt.simulation.turning import AWAY, RANDOM, Motion

__all__ = ["turn_rows", "turn_vectors"]


@inlined
def turn_rows(
    rows: FloatArray, teachers: int, motion: Motion, example: int, words: Words
) -> None:
    """Turn the teachers of some replicas; the rows are those of the frame."""
    if motion.heading == RANDOM:
        _turn_at_random(rows, teachers, motion, example, words)
        return
    students, width, lanes = rows.shape
    away = motion.heading == AWAY
    cosine = same_eight(motion.cosine)
    sine = same_eight(-motion.sine if away else motion.sine)
    for i in range(students):
        for n in range(teachers):
            for lane in range(0, lanes, EIGHT):
                first = (i * width + n) * lanes + lane
                second = first + teachers * lanes
                a, p = load(rows, first), load(rows, second)
                store(rows, first, cosine * a + sine * p)  # eq. (1)
                across = cosine * p - sine * a
                store(rows, second, root(across * across) if away else across)


@inlined
def _turn_at_random(
    rows: FloatArray, teachers: int, motion: Motion, example: int, words: Words
) -> None:
    """Turn each direction of the teachers towards a random one."""
    students, width, lanes = rows.shape
    u, outside = np.empty((1, students, lanes)), np.empty((1, lanes))
    gain, angles = np.empty(students * lanes), np.empty((1, students, 2, lanes))
    second = np.empty((students, 2, lanes))
    cosine, sine = same_eight(motion.cosine), same_eight(motion.sine)
    less = same_eight(motion.cosine - 1.0)
    for lane in range(lanes):
        words[lane, 2] = np.uint64(example) << np.uint64(SPARE_BITS)
    for n in range(teachers):
        for lane in range(lanes):
            rng, length2 = words[lane], 0.0
            for j in range(students):
                u[0, j, lane] = normal(rng)
                length2 += u[0, j, lane] * u[0, j, lane]
            freedom = motion.dim - teachers - students
            rest2 = chi_square(freedom, normal(rng), uniform(rng), rng)
            inverse = 1.0 / math.sqrt(length2 + rest2)
            for j in range(students):
                u[0, j, lane] *= inverse
            outside[0, lane] = rest2 * inverse * inverse
        for i in range(students):
            for lane in range(0, lanes, EIGHT):
                row, towards = i * width * lanes + lane, same_eight(0.0)
                for j in range(i + 1):
                    place = row + (teachers + j) * lanes
                    towards = towards + load(rows, place) * load(u, j * lanes + lane)
                place = row + n * lanes
                along = load(rows, place)
                store(rows, place, cosine * along + sine * towards)  # eq. (1)
                store(gain, i * lanes + lane, less * towards - sine * along)
        first_angles(u, 0, 0, outside, angles)
        add(rows, gain, 1.0, 0, outside, angles, second)


@inlined
def turn_vectors(
    w: FloatArray, teachers: int, motion: Motion, example: int, rng: Words
) -> None:
    """Turn the teachers, which lie along the first axes, of students as vectors."""
    if motion.heading == RANDOM:
        _vectors_at_random(w, teachers, motion, example, rng)
    elif motion.heading == AWAY:
        _retreat(w[0], motion)
    else:
        for i in range(len(w)):
            for n in range(teachers):
                a, p = w[i, n], w[i, teachers + n]
                w[i, n] = motion.cosine * a + motion.sine * p  # eq. (1)
                w[i, teachers + n] = motion.cosine * p - motion.sine * a


@inlined
def _retreat(w: FloatArray, motion: Motion) -> None:
    """Turn a teacher along the first axis away from a student."""
    length2 = 0.0
    for j in range(1, w.size):
        length2 += w[j] * w[j]
    across, a = math.sqrt(length2), w[0]
    if across == 0.0:  # all directions are alike
        w[0], w[1] = motion.cosine * a, motion.sine * a
        return
    w[0] = motion.cosine * a - motion.sine * across  # eq. (1)
    factor = (motion.cosine * across + motion.sine * a) / across
    for j in range(1, w.size):
        w[j] *= factor


@inlined
def _vectors_at_random(
    w: FloatArray, teachers: int, motion: Motion, example: int, rng: Words
) -> None:
    """Turn each direction of the teachers towards a random one."""
    students, dim = w.shape
    rng[2] = np.uint64(example) * np.uint64(2 * teachers * dim)
    u = np.empty(dim)
    for n in range(teachers):
        length2 = 0.0
        for j in range(teachers, dim):
            u[j] = normal(rng)
            length2 += u[j] * u[j]
        inverse = 1.0 / math.sqrt(length2)
        for i in range(students):
            towards = 0.0
            for j in range(teachers, dim):
                towards += w[i, j] * u[j]
            towards *= inverse
            along = w[i, n]
            w[i, n] = motion.cosine * along + motion.sine * towards  # eq. (1)
            gain = (motion.cosine - 1.0) * towards - motion.sine * along
            for j in range(teachers, dim):
                w[i, j] += gain * inverse * u[j]
