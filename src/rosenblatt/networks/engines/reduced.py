"""Committees at every N without vectors: only coordinates in a frame are drawn.

The M teachers and K students span a frame of M + K directions; a rotation has M more.
:mod:`.rows` has the updates of students in it, :mod:`.block` draws examples. Some
replicas advance together, each at its own index of the last axis. Eight of them share a
vector instruction. The processor works on others while these wait for a root.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled, force_inlined, inlined, kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, RATE, Activations, Rate, activations
from rosenblatt.compiling.vector.eights import EIGHT, load, same_eight, store
from rosenblatt.compiling.vectors import aligned_table, aligned_zeros
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.networks.engines.block import BLOCK, Room, draw, room_for
from rosenblatt.networks.engines.rows import add
from rosenblatt.networks.engines.task import (
    FRAME,
    TURN,
    Frame,
    NetworkTask,
    Overlaps,
    learned,
    wrong,
)
from rosenblatt.networks.engines.turning import turn_rows
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    run_replicas,
)
from rosenblatt.simulation.turning import MOTION, Motion, next_change
from rosenblatt.system.processes import core_count

__all__ = ["overlaps"]

_PIECE = 100_000  # examples a call: some hundredths of a second
_MOST = 64  # replicas that advance together; their examples fit into the cache
_f = types.float64


class State(NamedTuple):
    """Students of some replicas, and their random numbers."""

    rows: FloatArray  # (student, coordinate, replica), with one place to spare
    outputs: FloatArray  # output weights, (student, replica)
    words: Words  # (use, replica, 3)


_STATE = types.structure(State, _f[:, :, ::1], _f[:, ::1], types.uint64[:, :, ::1])


class Units(NamedTuple):
    """Memory for the students' units in one example."""

    fields: FloatArray
    outputs: FloatArray
    slopes: FloatArray
    gain: FloatArray
    errors: FloatArray
    second: FloatArray  # sweep of rotations, (student, cosine or sine, replica)


@inlined
def _units_for(students: int, lanes: int, like: FloatArray) -> Units:
    """Return memory for so many units of so many replicas."""
    n = students * lanes
    return Units(
        aligned_zeros(n, like),
        aligned_zeros(n, like),
        aligned_zeros(n, like),
        aligned_zeros(n, like),
        aligned_zeros(lanes, like),
        aligned_zeros(2 * n, like).reshape(students, 2, lanes),
    )


@force_inlined
def _learn(
    at: int, act: Activations, rates: tuple[float, float], frame: Frame, room: Room,
    state: State, units: Units
) -> None:  # fmt: skip
    """Learn the example at a place of the block."""
    rows, weights = state.rows, state.outputs
    students, width, lanes = rows.shape
    axes = width - 1 - students
    example = at * (axes + students) * lanes
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row, field = i * width * lanes + lane, same_eight(0.0)
            for j in range(axes + i + 1):
                weight = load(rows, row + j * lanes)
                field = field + weight * load(room.inputs, example + j * lanes + lane)
            store(units.fields, i * lanes + lane, field)
    act(units.fields, units.outputs, units.slopes)
    for lane in range(0, lanes, EIGHT):
        output = same_eight(0.0)
        for i in range(students):
            g = load(units.outputs, i * lanes + lane)
            output = output + load(weights, i * lanes + lane) * g
        store(units.errors, lane, load(room.targets, at * lanes + lane) - output)
    if frame.classify:
        for lane in range(lanes):
            target = room.targets[at, lane]
            units.errors[lane] = learned(target, target - units.errors[lane])
    keep = 1.0 - frame.decay / frame.dim
    kept = same_eight(keep)
    first, second = same_eight(rates[0] / frame.dim), same_eight(rates[1] / frame.dim)
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row, unit = i * width * lanes + lane, i * lanes + lane
            error, weight = load(units.errors, lane), load(weights, unit)
            gain = first * (load(units.slopes, unit) * weight * error)
            store(units.gain, unit, gain)
            g = load(units.outputs, unit)
            store(weights, unit, weight + second * (g * error))
            for j in range(axes):
                added = gain * load(room.inputs, example + j * lanes + lane)
                store(rows, row + j * lanes, kept * load(rows, row + j * lanes) + added)
    add(rows, units.gain, keep, at, room.lengths, room.angles, units.second)


@inlined
def _broken(
    state: State, errors: FloatArray, rates: tuple[float, float], progress: Progress
) -> bool:
    """Note the replicas whose numbers are not finite, and return if there are any."""
    found, s = False, state.rows
    for r in range(len(progress.counts)):
        total = abs(errors[r])
        for i in range(s.shape[0]):
            total += abs(state.outputs[i, r])
            for j in range(s.shape[1]):
                total += abs(s[i, j, r])
        if wrong(rates[0], rates[1]) or not total <= HUGE:
            progress.counts[r, FAULT] = 1
            progress.fault[r, 0], progress.fault[r, 1] = rates
            progress.fault[r, 2] = errors[r]
            found = True
    return found


@inlined
def _record(state: State, mark: int, progress: Progress) -> None:
    """Write the coordinates and the output weights of all replicas."""
    s = state.rows
    students, k = s.shape[0], s.shape[1] - 1
    for r in range(len(progress.counts)):
        for i in range(students):
            for j in range(k):
                progress.records[r, mark, i * k + j] = s[i, j, r]
            progress.records[r, mark, students * k + i] = state.outputs[i, r]


@kernel(
    types.void, ACTIVATIONS, RATE, RATE, FRAME, MOTION, _STATE, PROGRESS, allocates=True
)
def _advance(
    act: Activations,
    rate: Rate,
    second_rate: Rate,
    frame: Frame,
    motion: Motion,
    state: State,
    progress: Progress,
) -> None:
    """Advance the replicas of a batch together by a piece of work."""
    students, k = state.rows.shape[0], state.rows.shape[1] - 1
    marks, replicas = progress.marks, len(progress.counts)
    size = float(frame.dim)
    room = room_for(students, k - students, state.words, state.outputs)
    units = _units_for(students, state.rows.shape[2], state.outputs)
    examples, mark = progress.counts[0, EXAMPLES], progress.counts[0, RECORDED]
    stop = examples + frame.piece
    drawn, teachers = np.int64(-1), len(frame.teacher)
    change = next_change(motion, examples)
    while True:
        while mark < marks.size and marks[mark] == examples:
            _record(state, mark, progress)
            mark += 1
        if mark == marks.size or examples >= stop:
            break
        if drawn != examples // BLOCK:
            drawn = examples // BLOCK
            draw(drawn, act, frame, room, state.words)
        if motion.steady or change == examples:
            turn_rows(state.rows, teachers, motion, examples, state.words[TURN])
            change = next_change(motion, examples + 1)
        at = examples % BLOCK
        examples += 1
        clock = Clock(examples / size, math.nan, size)
        rates = rate(clock), second_rate(clock)
        _learn(at, act, rates, frame, room, state, units)
        total = math.inf if wrong(rates[0], rates[1]) else 0.0
        for lane in range(replicas):
            total += abs(units.errors[lane])
        wanted = examples == marks[mark] or not total <= HUGE
        if wanted and _broken(state, units.errors, rates, progress):
            break
    for r in range(replicas):
        progress.counts[r, EXAMPLES], progress.counts[r, RECORDED] = examples, mark


def _together(task: NetworkTask) -> int:
    """Return how many replicas advance together: a worker's share, up to a limit."""
    workers = task.run.workers or core_count()
    share = -(-task.run.replicas // workers)
    return min(-(-share // EIGHT) * EIGHT, _MOST)


def overlaps(task: NetworkTask) -> Overlaps:
    """Run all replicas and return their overlaps at every mark."""
    committee, run = task.committee, task.run
    students, teachers = committee.units
    axes = task.axes
    functions = (
        activations(committee.activation),
        compiled(task.rate),
        compiled(task.second_rate),
    )
    size = _together(task)
    numbers = task.frame(_PIECE // size), task.motion

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), run.marks, task.record_size)
        # Those beyond the last replica are simulated and not recorded.
        count = -(-len(replicas) // EIGHT) * EIGHT
        lanes = range(replicas.start, replicas.start + count)
        rows = aligned_table(students, axes + students + 1, count)
        rows[:, :-1] = np.moveaxis(task.first(lanes), 0, -1)
        outputs = aligned_table(students, count)
        outputs[:] = committee.student_weights[:, None]
        words = np.ascontiguousarray(task.generators(lanes).swapaxes(0, 1))
        state = State(rows, outputs, words)
        batch.advance = lambda: _advance(*functions, *numbers, state, batch.arrays)
        return batch

    found = run_replicas(task, "reduced", begin, most=size, least=size)
    split = students * (students + axes)
    rows = found[..., :split].reshape(*found.shape[:2], students, -1)
    return Overlaps(
        rows[..., :teachers], rows @ rows.swapaxes(2, 3), found[..., split:]
    )
