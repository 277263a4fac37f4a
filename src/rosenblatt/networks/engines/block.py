"""Blocks of examples for the engine without vectors: inputs and teacher's outputs.

An example has independent normal components in the frame of all units. What is left of
its squared length is a chi-square variate with N - M - K degrees of freedom. All
numbers depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.jit import Activations
from rosenblatt.compiling.vector.eights import EIGHT, load, same_eight, store
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.networks.engines.rows import PAIR, first_angles
from rosenblatt.networks.engines.task import EXAMPLE, NOISE, SPARE, Frame
from rosenblatt.numerics.random import chi_squares, normals64, uniforms

__all__ = ["BLOCK", "Room", "draw", "room_for"]

BLOCK = 64  # examples whose random numbers are drawn together


class Room(NamedTuple):
    """Memory for a block of examples; replicas are in the last axis."""

    inputs: FloatArray  # (example, direction, replica)
    angles: FloatArray  # of the first sweep, (example, student, cosine or sine)
    lengths: FloatArray  # outside of the teachers, (example, replica)
    targets: FloatArray  # outputs of the teacher, (example, replica)
    normals: FloatArray
    uniforms: FloatArray
    squares: FloatArray
    fields: FloatArray  # of all examples
    outputs: FloatArray
    slopes: FloatArray


@inlined
def room_for(students: int, axes: int) -> Room:
    """Return memory for the examples of so many students and directions before them."""
    k, size = students + axes, BLOCK * EIGHT
    return Room(
        np.empty((BLOCK, k, EIGHT)), np.empty((BLOCK, students * PAIR)),
        np.empty((BLOCK, EIGHT)), np.empty((BLOCK, EIGHT)), np.empty((k + 1) * BLOCK),
        np.empty(BLOCK), np.empty(BLOCK), np.empty(size), np.empty(size), np.empty(size)
    )  # fmt: skip


@inlined
def draw(number: int, act: Activations, frame: Frame, room: Room, words: Words) -> None:
    """Draw the examples of the block of this number, and the teacher's outputs."""
    z, angles, lengths, targets, g, u, squares, fields, outputs, slopes = room
    teachers, k = len(frame.teacher), z.shape[1]
    for lane in range(EIGHT):
        rng = words[EXAMPLE, lane]
        rng[2] = np.uint64(number) * np.uint64((k + 2) * BLOCK)
        normals64(g, rng)
        uniforms(u, rng)
        spare = words[SPARE, lane]
        chi_squares(squares, frame.dim - k, g[k * BLOCK :], u, spare, number * BLOCK)
        for i in range(BLOCK):
            for j in range(k):
                z[i, j, lane] = g[j * BLOCK + i]
            lengths[i, lane] = squares[i]
            targets[i, lane] = 0.0
        if frame.noise > 0.0:
            rng = words[NOISE, lane]
            rng[2] = np.uint64(number) * np.uint64(BLOCK)
            normals64(g[:BLOCK], rng)
            for i in range(BLOCK):
                targets[i, lane] = frame.noise * g[i]
    for i in range(BLOCK):
        first = (i * k + frame.axes) * EIGHT
        first_angles(z, first, k - frame.axes, i, lengths, angles)
    for n in range(teachers):
        for i in range(BLOCK):
            field = same_eight(0.0)
            for j in range(n + 1):
                weight = same_eight(frame.teacher[n, j])
                field = field + weight * load(z, (i * k + j) * EIGHT)
            store(fields, i * EIGHT, field)
        act(fields, outputs, slopes)
        weight = same_eight(frame.outputs[n])
        for i in range(BLOCK):
            target = load(targets, i * EIGHT) + weight * load(outputs, i * EIGHT)
            store(targets, i * EIGHT, target)
