r"""Turns of a drifting teacher with several units.

The teacher's units turn together, so that their overlaps stay. Each of the M directions
that span them turns by an angle :math:`\varphi` towards a random direction :math:`u`
outside of their span. In the frame that moves along, a student with coordinate a along
that direction, and p outside of the span, becomes

.. math::
    a \leftarrow a \cos\varphi + (p \cdot u) \sin\varphi, \qquad
    p \leftarrow p + [(\cos\varphi - 1)\, p \cdot u - a \sin\varphi]\, u.  \tag{1}
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.eights import EIGHT, load, same_eight, store
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.networks.engines.rows import PAIR, add, first_angles
from rosenblatt.numerics.random import SPARE_BITS, chi_square, normal, uniform
from rosenblatt.simulation.turning import Motion

__all__ = ["turn_rows", "turn_vectors"]


@inlined
def turn_rows(rows: FloatArray, motion: Motion, example: int, words: Words) -> None:
    """Turn the teachers of eight replicas; the rows are those of the frame."""
    students, width = rows.shape[0], rows.shape[1]
    teachers = width - 1 - students
    u, outside = np.empty((students, EIGHT)), np.empty(EIGHT)
    gain, angles = np.empty(students * EIGHT), np.empty(students * PAIR)
    second = np.empty(students * PAIR)
    cosine, sine = same_eight(motion.cosine), same_eight(motion.sine)
    less = same_eight(motion.cosine - 1.0)
    for lane in range(EIGHT):
        words[lane, 2] = np.uint64(example) << np.uint64(SPARE_BITS)
    for n in range(teachers):
        for lane in range(EIGHT):
            rng, length2 = words[lane], 0.0
            for j in range(students):
                u[j, lane] = normal(rng)
                length2 += u[j, lane] * u[j, lane]
            freedom = motion.dim - teachers - students
            rest2 = chi_square(freedom, normal(rng), uniform(rng), rng)
            inverse = 1.0 / math.sqrt(length2 + rest2)
            for j in range(students):
                u[j, lane] *= inverse
            outside[lane] = rest2 * inverse * inverse
        for i in range(students):
            row, towards = i * width * EIGHT, same_eight(0.0)
            for j in range(i + 1):
                place = row + (teachers + j) * EIGHT
                towards = towards + load(rows, place) * load(u, j * EIGHT)
            along = load(rows, row + n * EIGHT)
            store(rows, row + n * EIGHT, cosine * along + sine * towards)  # eq. (1)
            store(gain, i * EIGHT, less * towards - sine * along)
        first_angles(u, 0, students, 0, outside, angles)
        add(rows, gain, 1.0, 0, outside, angles, second)


@inlined
def turn_vectors(
    w: FloatArray, teachers: int, motion: Motion, example: int, rng: Words
) -> None:
    """Turn the teachers, which lie along the first axes, of students as vectors."""
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
