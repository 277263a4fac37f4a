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
from rosenblatt.compiling.vectors import aligned_zeros
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.networks.engines.rows import first_angles
from rosenblatt.networks.engines.task import EXAMPLE, NOISE, SPARE, Frame
from rosenblatt.numerics.random import SPARE_BITS, chi_square, quick_chi_squares
from rosenblatt.numerics.side_by_side import (
    Columns,
    columns_of,
    columns_of_normals,
    columns_of_uniforms,
)

__all__ = ["BLOCK", "Room", "draw", "room_for"]

BLOCK = 64  # examples whose random numbers are drawn together


class Room(NamedTuple):
    """Memory for a block of examples; replicas are in the last axis."""

    inputs: FloatArray  # (example, direction, replica)
    angles: FloatArray  # of the first sweep, (example, student, cosine or sine)
    lengths: FloatArray  # outside of the teachers, (example, replica)
    targets: FloatArray  # outputs of the teacher, (example, replica)
    normals: FloatArray  # of all examples: their direction comes first
    uniforms: FloatArray
    fields: FloatArray
    outputs: FloatArray
    slopes: FloatArray
    own: Columns  # generators of the examples
    noise: Columns  # and of the output noise


@inlined
def room_for(students: int, axes: int, words: Words, like: FloatArray) -> Room:
    """Return memory for the examples of so many students and directions before them."""
    k, lanes = students + axes, words.shape[1]
    size = BLOCK * lanes
    return Room(
        aligned_zeros(k * size, like).reshape(BLOCK, k, lanes),
        aligned_zeros(2 * students * size, like).reshape(BLOCK, students, 2, lanes),
        aligned_zeros(size, like).reshape(BLOCK, lanes),
        aligned_zeros(size, like).reshape(BLOCK, lanes),
        aligned_zeros((k + 1) * size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        columns_of(words[EXAMPLE]),
        columns_of(words[NOISE]),
    )


@inlined
def _inputs(number: int, frame: Frame, room: Room, words: Words) -> None:
    """Draw the inputs of the block of this number, and their lengths."""
    z, lengths, g, u = room.inputs, room.lengths, room.normals, room.uniforms
    k, lanes = z.shape[1], z.shape[2]
    first, size = number * (k + 2) * BLOCK, BLOCK * lanes
    columns_of_normals(g, room.own, first)
    columns_of_uniforms(u, room.own, first + (k + 1) * BLOCK)
    for i in range(BLOCK):
        for j in range(k):
            for lane in range(0, lanes, EIGHT):
                drawn = load(g, (j * BLOCK + i) * lanes + lane)
                store(z, (i * k + j) * lanes + lane, drawn)
    freedom, last = frame.dim - k, g[k * size :]
    quick_chi_squares(lengths.reshape(size), freedom, last, u)
    for i in range(BLOCK):
        for lane in range(lanes):
            if lengths[i, lane] < 0.0:
                at, spare = i * lanes + lane, words[SPARE, lane]
                spare[2] = np.uint64(number * BLOCK + i) << np.uint64(SPARE_BITS)
                lengths[i, lane] = chi_square(freedom, last[at], u[at], spare)
        first_angles(z, frame.axes, i, lengths, room.angles)


@inlined
def draw(number: int, act: Activations, frame: Frame, room: Room, words: Words) -> None:
    """Draw the examples of the block of this number, and the teacher's outputs."""
    targets, fields, size = room.targets, room.fields, room.fields.size
    _inputs(number, frame, room, words)
    if frame.noise > 0.0:
        columns_of_normals(targets.reshape(size), room.noise, number * BLOCK)
    scale = same_eight(frame.noise)
    for at in range(0, size, EIGHT):
        drawn = load(targets, at) if frame.noise > 0.0 else same_eight(0.0)
        store(targets, at, scale * drawn)
    for n in range(len(frame.teacher)):
        for at in range(0, size, EIGHT):
            field = same_eight(0.0)
            for j in range(n + 1):
                weight = same_eight(frame.teacher[n, j])
                field = field + weight * load(room.normals, j * size + at)
            store(fields, at, field)
        act(fields, room.outputs, room.slopes)
        weight = same_eight(frame.outputs[n])
        for at in range(0, size, EIGHT):
            target = load(targets, at) + weight * load(room.outputs, at)
            store(targets, at, target)
