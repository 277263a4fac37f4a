"""Committees at every N without vectors: only coordinates in a frame are drawn.

The M teachers and K students span a frame of M + K directions; a rotation has M more.
:mod:`.rows` says how students change in it, :mod:`.block` how examples are drawn. Eight
replicas advance together, each in its own place of the last axis, so that all of it
uses vector instructions.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled, inlined, kernel, types
from rosenblatt.compiling.jit import (
    ACTIVATIONS,
    RATE,
    Activations,
    Rate,
    activations,
    woven,
)
from rosenblatt.compiling.vector.eights import EIGHT, load, same_eight, store
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.networks.engines.block import BLOCK, Room, draw, room_for
from rosenblatt.networks.engines.rows import PAIR, add
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

__all__ = ["overlaps"]

_PIECE = 100_000  # examples a call: some hundredths of a second
_f = types.float64


class State(NamedTuple):
    """Students of eight replicas, and their random numbers."""

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
    second: FloatArray  # sweep of rotations


@woven
def _learn(
    at: int, act: Activations, rates: tuple[float, float], frame: Frame, room: Room,
    state: State, units: Units
) -> None:  # fmt: skip
    """Learn the example at a place of the block."""
    rows, weights = state.rows, state.outputs
    students, width = rows.shape[0], rows.shape[1]
    k = width - 1
    axes = k - students
    z = at * k * EIGHT
    for i in range(students):
        row, field = i * width * EIGHT, same_eight(0.0)
        for j in range(axes + i + 1):
            field = field + load(rows, row + j * EIGHT) * load(
                room.inputs, z + j * EIGHT
            )
        store(units.fields, i * EIGHT, field)
    act(units.fields, units.outputs, units.slopes)
    output = same_eight(0.0)
    for i in range(students):
        g = load(units.outputs, i * EIGHT)
        output = output + load(weights, i * EIGHT) * g
    store(units.errors, 0, load(room.targets, at * EIGHT) - output)
    if frame.classify:
        for lane in range(EIGHT):
            target = room.targets[at, lane]
            units.errors[lane] = learned(target, target - units.errors[lane])
    error, kept = load(units.errors, 0), same_eight(1.0 - frame.decay / frame.dim)
    first, second = same_eight(rates[0] / frame.dim), same_eight(rates[1] / frame.dim)
    for i in range(students):
        row, weight = i * width * EIGHT, load(weights, i * EIGHT)
        gain = first * (load(units.slopes, i * EIGHT) * weight * error)
        store(units.gain, i * EIGHT, gain)
        g = load(units.outputs, i * EIGHT)
        store(weights, i * EIGHT, weight + second * (g * error))
        for j in range(axes):
            place = row + j * EIGHT
            added = gain * load(room.inputs, z + j * EIGHT)
            store(rows, place, kept * load(rows, place) + added)
    keep = 1.0 - frame.decay / frame.dim
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


@kernel(types.void, ACTIVATIONS, RATE, RATE, FRAME, MOTION, _STATE, PROGRESS)
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
    room = room_for(students, k - students)
    n = students * EIGHT
    units = Units(
        np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(EIGHT),
        np.empty(students * PAIR)
    )  # fmt: skip
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
    numbers = task.frame(_PIECE // EIGHT), task.motion

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), run.marks, task.record_size)
        # Those beyond the last replica are simulated and not recorded.
        lanes = range(replicas.start, replicas.start + EIGHT)
        rows = np.zeros((students, axes + students + 1, EIGHT))
        rows[:, :-1] = np.moveaxis(task.first(lanes), 0, -1)
        outputs = np.repeat(committee.student_weights[:, None], EIGHT, axis=1)
        words = np.ascontiguousarray(task.generators(lanes).swapaxes(0, 1))
        state = State(rows, outputs, words)
        batch.advance = lambda: _advance(*functions, *numbers, state, batch.arrays)
        return batch

    found = run_replicas(task, "reduced", begin, most=EIGHT, least=EIGHT)
    split = students * (students + axes)
    rows = found[..., :split].reshape(*found.shape[:2], students, -1)
    return Overlaps(
        rows[..., :teachers], rows @ rows.swapaxes(2, 3), found[..., split:]
    )
