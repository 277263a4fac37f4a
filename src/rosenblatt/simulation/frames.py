"""Frame of the tracked vectors, and the examples that are drawn in it.

The first directions are those of the teacher and of the mean input, then the student's
own, then that of a running average. Examples are drawn in blocks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import force_inlined, inlined, types
from rosenblatt.compiling.jit import Positive
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import chi_squares, normals64, uniforms
from rosenblatt.simulation.rotation import ROTATIONS, Rotations

__all__ = [
    "BLOCK",
    "BLOCKS",
    "FRAME",
    "STUDENTS",
    "Block",
    "Frame",
    "Student",
    "Students",
    "draw_block",
    "squares",
    "turn_frame",
]

BLOCK = 256  # examples whose random numbers are drawn together, to stay in the cache

_f, _i = types.float64, types.int64


@inlined
def squares(student: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Return the student's squared length, and its product with another vector."""
    q, along = 0.0, 0.0
    for j in range(student.size):
        q += student[j] * student[j]
        along += student[j] * other[j]
    return q, along


@inlined
def turn_frame(
    student: FloatArray, average: FloatArray, own: int, s2: float, a2: float
) -> None:
    """Turn the last directions of the frame so that the first follows the student.

    ``s2`` and ``a2`` are what both vectors have gained outside the frame.
    """
    s0, s1 = student[own], student[own + 1]
    a0, a1 = average[own], average[own + 1]
    length = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    dot = 0.0
    if length > 0.0:
        s0, s1, s2 = s0 / length, s1 / length, s2 / length
        dot = s0 * a0 + s1 * a1 + s2 * a2
        a0, a1, a2 = a0 - dot * s0, a1 - dot * s1, a2 - dot * s2
    student[own], student[own + 1] = length, 0.0
    average[own], average[own + 1] = dot, math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)


class Frame(NamedTuple):
    """Numbers that stay the same during a run."""

    center: FloatArray  # mean of the inputs, in the frame
    axes: int  # directions of teacher and mean input
    kind: int  # of shift
    mistakes_only: bool
    dim: int
    piece: int  # examples of a call
    rotations: Rotations  # of the teacher


class Students(NamedTuple):
    """State of some replicas, one in each row."""

    student: FloatArray  # coordinates in the frame
    average: FloatArray  # of label * x, in the frame
    rng: Words
    spare: Words  # generator for rejected draws
    turns: Words  # generator for turns of the teacher


class Student(NamedTuple):
    """State of one replica."""

    student: FloatArray
    average: FloatArray
    counts: IntArray
    fault: FloatArray
    turns: Words


class Block(NamedTuple):
    """Random numbers of a block of examples, and the shift of the current one."""

    inputs: FloatArray  # coordinate after coordinate
    uniforms: FloatArray
    rest2: FloatArray  # squared length of an input outside of the frame
    labels: FloatArray
    length2: FloatArray  # squared length of the direction of the update
    shift: FloatArray

    @classmethod
    def around(cls, shift: FloatArray) -> Block:
        """Return room for a block, with the shift that is known beforehand."""
        inputs, uniforms = np.empty((shift.size + 1) * BLOCK), np.empty(2 * BLOCK)
        rest2, labels, length2 = np.empty((3, BLOCK))
        return cls(inputs, uniforms, rest2, labels, length2, shift.copy())


_vector, _rows, _words = _f[::1], _f[:, ::1], types.uint64[:, ::1]
BLOCKS = types.structure(Block, *[_vector] * len(Block._fields))
FRAME = types.structure(Frame, _vector, _i, _i, types.boolean, _i, _i, ROTATIONS)
STUDENTS = types.structure(Students, _rows, _rows, _words, _words, _words)


@force_inlined
def draw_block(
    block: Block,
    number: int,
    frame: Frame,
    positive: Positive,
    rng: Words,
    spare: Words,
) -> None:
    """Draw inputs and labels of the block of this number."""
    g, u, rest2, labels, length2, t = block
    k, center = t.size, frame.center
    rng[2] = np.uint64(number) * np.uint64((k + 3) * BLOCK)
    normals64(g, rng)
    uniforms(u, rng)
    chi_squares(rest2, frame.dim - k, g[k * BLOCK :], u[BLOCK:], spare, number * BLOCK)
    for i in range(BLOCK):
        length2[i] = rest2[i]
    for j in range(k):
        x = g[j * BLOCK : (j + 1) * BLOCK]
        for i in range(BLOCK):
            x[i] += center[j]
            length2[i] += (x[i] - t[j]) * (x[i] - t[j])
    positive(g[:BLOCK], labels)
    for i in range(BLOCK):
        labels[i] = 1.0 if u[i] < labels[i] else -1.0
