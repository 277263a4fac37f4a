r"""Committees at every N without vectors: only coordinates in a frame are drawn.

The M teachers and K students span a frame of M + K directions. A student is a row of
coordinates, triangular in the last K. An example has independent normal components in
the frame, and what is left of its squared length is a chi-square variate with N - M - K
degrees of freedom. An update adds ``gain_i * (z, rest)`` to row i: the same vector of
K + 1 components for all students. One sweep of rotations turns that vector into the
first direction, and a second one makes the rows triangular again. No length is obtained
by subtraction.

Some replicas advance together, each in its own place of the last axis, so that all
loops use vector instructions. All numbers of an example depend on seed, replica and
the example's number alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled, inlined, kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, RATE, Activations, Rate, activations
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.networks.task import FRAME, Frame, NetworkTask
from rosenblatt.numerics.random import chi_squares, normals64, uniforms
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    run_replicas,
)

__all__ = ["LANES", "overlaps"]

LANES = 8  # replicas that advance together
_BLOCK = 64  # examples whose random numbers are drawn together
_PIECE = 100_000  # examples a call: some hundredths of a second
_f = types.float64


class Room(NamedTuple):
    """Memory for a block of examples; replicas are in the last axis."""

    inputs: FloatArray  # (example, direction, replica)
    rest: FloatArray  # length outside of the frame, (example, replica)
    targets: FloatArray  # (example, replica)
    normals: FloatArray
    uniforms: FloatArray
    squares: FloatArray
    fields: FloatArray  # of a block
    outputs: FloatArray
    slopes: FloatArray


_WORDS = types.uint64[:, ::1]


@inlined
def _draw(
    number: int, act: Activations, frame: Frame, room: Room, rng: Words, spare: Words
) -> None:
    """Draw the examples of the block of this number, and the teacher's outputs."""
    z, rest, targets, g, u, squares, fields, outputs, slopes = room
    teachers, k = len(frame.teacher), z.shape[1]
    for lane in range(LANES):
        rng[lane, 2] = np.uint64(number) * np.uint64((k + 3) * _BLOCK)
        normals64(g, rng[lane])
        uniforms(u, rng[lane])
        chi_squares(
            squares, frame.dim - k, g[k * _BLOCK :], u, spare[lane], number * _BLOCK
        )
        for i in range(_BLOCK):
            for j in range(k):
                z[i, j, lane] = g[j * _BLOCK + i]
            rest[i, lane] = math.sqrt(squares[i])
            targets[i, lane] = frame.noise * g[(k + 1) * _BLOCK + i]
    for n in range(teachers):
        for i in range(_BLOCK):
            for lane in range(LANES):
                fields[i * LANES + lane] = 0.0
            for j in range(n + 1):
                for lane in range(LANES):
                    fields[i * LANES + lane] += frame.teacher[n, j] * z[i, j, lane]
        act(fields, outputs, slopes)
        for i in range(_BLOCK):
            for lane in range(LANES):
                targets[i, lane] += frame.outputs[n] * outputs[i * LANES + lane]


@inlined
def _rotate(
    s: FloatArray, first: int, row: int, cosine: FloatArray, sine: FloatArray
) -> None:
    """Rotate two neighbouring columns, in this row and below."""
    for k in range(row, len(s)):
        for lane in range(LANES):
            a, b = s[k, first, lane], s[k, first + 1, lane]
            s[k, first, lane] = cosine[lane] * a + sine[lane] * b
            s[k, first + 1, lane] = cosine[lane] * b - sine[lane] * a


@inlined
def _angle(a: FloatArray, b: FloatArray, cosine: FloatArray, sine: FloatArray) -> None:
    """Write the rotation that turns (a, b) into (length, 0), and the length into b."""
    for lane in range(LANES):
        length = math.sqrt(a[lane] * a[lane] + b[lane] * b[lane])
        inverse = 1.0 / length if length > 0.0 else 0.0
        cosine[lane] = a[lane] * inverse if length > 0.0 else 1.0
        sine[lane] = b[lane] * inverse
        b[lane] = length


@inlined
def _move(
    s: FloatArray, z: FloatArray, rest: FloatArray, gain: FloatArray, keep: float
) -> None:
    """Add the input to all students, and make their rows triangular again."""
    students, k = len(s), z.shape[0]
    first = k - students
    cosine, sine, length = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for i in range(students):
        for j in range(k):
            for lane in range(LANES):
                s[i, j, lane] *= keep
        for j in range(first):
            for lane in range(LANES):
                s[i, j, lane] += gain[i, lane] * z[j, lane]
    for lane in range(LANES):
        length[lane] = rest[lane]
    for j in range(students - 1, -1, -1):
        _angle(z[first + j], length, cosine, sine)
        _rotate(s, first + j, j, cosine, sine)
    for i in range(students):
        for lane in range(LANES):
            s[i, first, lane] += gain[i, lane] * length[lane]
    for j in range(students):
        for lane in range(LANES):
            length[lane] = s[j, first + j + 1, lane]
        _angle(s[j, first + j], length, cosine, sine)
        _rotate(s, first + j, j, cosine, sine)


@inlined
def _broken(s: FloatArray, errors: FloatArray, eta: float, progress: Progress) -> bool:
    """Note the replicas whose numbers are not finite, and return if there are any."""
    found = False
    for r in range(len(progress.counts)):
        total = abs(errors[r])
        for i in range(s.shape[0]):
            for j in range(s.shape[1]):
                total += abs(s[i, j, r])
        if not total <= HUGE:
            progress.counts[r, FAULT] = 1
            progress.fault[r, 0], progress.fault[r, 1] = eta, errors[r]
            found = True
    return found


@kernel(types.void, ACTIVATIONS, RATE, FRAME, _f[:, :, ::1], _WORDS, _WORDS, PROGRESS)
def _advance(
    act: Activations,
    rate: Rate,
    frame: Frame,
    s: FloatArray,
    rng: Words,
    spare: Words,
    progress: Progress,
) -> None:
    """Advance the replicas of a batch together by a piece of work."""
    students, k = len(s), s.shape[1] - 1
    marks, replicas = progress.marks, len(progress.counts)
    size = float(frame.dim)
    keep = 1.0 - frame.decay / size
    block = _BLOCK * LANES
    room = Room(
        np.empty((_BLOCK, k, LANES)), np.empty((_BLOCK, LANES)),
        np.empty((_BLOCK, LANES)), np.empty((k + 2) * _BLOCK), np.empty(_BLOCK),
        np.empty(_BLOCK), np.empty(block), np.empty(block), np.empty(block)
    )  # fmt: skip
    units = students * LANES
    fields, outputs, slopes = np.empty(units), np.empty(units), np.empty(units)
    gain, errors = np.empty((students, LANES)), np.empty(LANES)
    examples, mark = progress.counts[0, EXAMPLES], progress.counts[0, RECORDED]
    stop = examples + frame.piece
    drawn = np.int64(-1)
    while True:
        while mark < marks.size and marks[mark] == examples:
            for r in range(replicas):
                for i in range(students):
                    for j in range(k):
                        progress.records[r, mark, i * k + j] = s[i, j, r]
            mark += 1
        if mark == marks.size or examples >= stop:
            break
        at = examples % _BLOCK
        if drawn != examples // _BLOCK:
            drawn = examples // _BLOCK
            _draw(drawn, act, frame, room, rng, spare)
        z = room.inputs[at]
        examples += 1
        eta = rate(Clock(examples / size, math.nan, size))
        for i in range(students):
            for lane in range(LANES):
                fields[i * LANES + lane] = 0.0
            for j in range(k - students + i + 1):
                for lane in range(LANES):
                    fields[i * LANES + lane] += s[i, j, lane] * z[j, lane]
        act(fields, outputs, slopes)
        for lane in range(LANES):
            errors[lane] = room.targets[at, lane]
        for i in range(students):
            for lane in range(LANES):
                errors[lane] -= outputs[i * LANES + lane]
        for i in range(students):
            for lane in range(LANES):
                slope = slopes[i * LANES + lane]
                gain[i, lane] = eta / size * slope * errors[lane]
        _move(s, z, room.rest[at], gain, keep)
        total = 0.0
        for lane in range(replicas):
            total += abs(errors[lane])
        wanted = examples == marks[mark] or not total <= HUGE
        if wanted and _broken(s, errors, eta, progress):
            break
    for r in range(replicas):
        progress.counts[r, EXAMPLES], progress.counts[r, RECORDED] = examples, mark


def overlaps(task: NetworkTask) -> tuple[FloatArray, FloatArray]:
    """Run all replicas and return R along the teachers' axes, and Q, at every mark."""
    committee, run = task.committee, task.run
    students, teachers = committee.units
    functions = activations(committee.activation), compiled(task.schedule)
    frame = task.frame(_PIECE // LANES)

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), run.marks, task.record_size)
        # Those beyond the last replica are simulated and not recorded.
        lanes = range(replicas.start, replicas.start + LANES)
        s = np.zeros((students, teachers + students + 1, LANES))
        s[:, :-1] = np.moveaxis(task.first(lanes), 0, -1)
        rng, spare = task.generators(lanes).swapaxes(0, 1).copy()
        state = frame, s, rng, spare, batch.arrays
        batch.advance = lambda: _advance(*functions, *state)
        return batch

    found = run_replicas(task, "reduced", begin, most=LANES, least=LANES)
    s = found.reshape(*found.shape[:2], students, teachers + students)
    return s[..., :teachers], s @ s.swapaxes(2, 3)
