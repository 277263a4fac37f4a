"""Committees as vectors of N weights, simulated directly.

Input and students have all their N components. The teachers lie along the first M axes,
which is no restriction, since all directions are alike. If the teachers turn, the
students are turned back, by eq. (1) of :mod:`rosenblatt.committees.reduced`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rosenblatt.committees.reduced import EXAMPLE, FRAME, TURN, Frame, wrong
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, RATE, Activations, Rate
from rosenblatt.compiling.vectors import dot
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.numerics.random import normal, normals64
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    PROGRESS,
    RECORDED,
    Batch,
    Engine,
    Progress,
)
from rosenblatt.simulation.rotation import ROTATIONS, Rotations, next_change

if TYPE_CHECKING:
    from rosenblatt.committees.simulate import CommitteeExperiment

_PIECE = 10_000_000  # components a call: some hundredths of a second
_MOST = 64  # replicas a call
_f = types.float64


class Students(NamedTuple):
    """Students of some replicas as vectors, and their random numbers."""

    weights: FloatArray  # (replica, student, N)
    outputs: FloatArray  # output weights, (replica, student)
    words: Words  # (replica, use, 3)


_STUDENTS = types.structure(
    Students, _f[:, :, ::1], _f[:, ::1], types.uint64[:, :, ::1]
)


@inlined
def _turn(
    w: FloatArray, teachers: int, rotations: Rotations, example: int, rng: Words
) -> None:
    """Turn each teacher, which lie along the first axes, towards a random direction."""
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
            w[i, n] = rotations.cosine * along + rotations.sine * towards  # eq. (1)
            gain = (rotations.cosine - 1.0) * towards - rotations.sine * along
            for j in range(teachers, dim):
                w[i, j] += gain * inverse * u[j]


@inlined
def _record(
    w: FloatArray, outputs: FloatArray, teachers: int, record: FloatArray
) -> None:
    """Write coordinates along the teachers, overlaps and output weights."""
    students = len(w)
    for i in range(students):
        for j in range(teachers):
            record[i * teachers + j] = w[i, j]
        for j in range(students):
            record[students * (teachers + i) + j] = dot(w[i], w[j])
        record[students * (teachers + students) + i] = outputs[i]


@kernel(
    types.void,
    ACTIVATIONS,
    RATE,
    RATE,
    FRAME,
    ROTATIONS,
    _STUDENTS,
    PROGRESS,
    allocates=True,
)
def _advance(
    act: Activations,
    rate: Rate,
    second_rate: Rate,
    frame: Frame,
    rotations: Rotations,
    state: Students,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    marks, dim = progress.marks, frame.dim
    students, teachers = state.weights.shape[1], len(frame.teacher)
    size = float(dim)
    keep = 1.0 - frame.decay / size
    x = np.empty(dim + 2 + dim % 2)  # the last two are for the noise
    h, g, slope = np.empty(students), np.empty(students), np.empty(students)
    b, t, unused = np.empty(teachers), np.empty(teachers), np.empty(teachers)
    for r in range(len(state.weights)):
        w, v, counts = state.weights[r], state.outputs[r], progress.counts[r]
        stop = counts[EXAMPLES] + frame.piece
        while True:
            mark = counts[RECORDED]
            while mark < marks.size and marks[mark] == counts[EXAMPLES]:
                _record(w, v, teachers, progress.records[r, mark])
                mark += 1
            counts[RECORDED] = mark
            if mark == marks.size or counts[EXAMPLES] >= stop:
                break
            if (
                rotations.steady
                or next_change(rotations, counts[EXAMPLES]) == counts[EXAMPLES]
            ):
                _turn(w, teachers, rotations, counts[EXAMPLES], state.words[r, TURN])
            counts[EXAMPLES] += 1
            clock = Clock(counts[EXAMPLES] / size, math.nan, size)
            eta, second = rate(clock), second_rate(clock)
            normals64(x, state.words[r, EXAMPLE])
            target, output = frame.noise * x[x.size - 1], 0.0
            for n in range(teachers):
                b[n] = dot(frame.teacher[n], x[:teachers])
            act(b, t, unused)
            for n in range(teachers):
                target += frame.outputs[n] * t[n]
            for i in range(students):
                h[i] = dot(w[i], x[:dim])
            act(h, g, slope)
            for i in range(students):
                output += v[i] * g[i]
            error = target - output
            total = abs(output)
            for i in range(students):
                gain = eta / size * slope[i] * v[i] * error
                for j in range(dim):
                    w[i, j] = keep * w[i, j] + gain * x[j]
                v[i] += second / size * g[i] * error
                total += abs(h[i]) + abs(gain) + abs(v[i])
            if wrong(eta, second) or not (abs(error) <= HUGE and total <= HUGE):
                counts[FAULT] = 1
                progress.fault[r, 0], progress.fault[r, 1] = eta, second
                progress.fault[r, 2] = error
                break


def _begin(experiment: CommitteeExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    committee, run = experiment.committee, experiment.run
    students = committee.units[0]
    batch = Batch(len(replicas), run.marks, experiment.record_size)
    weights = np.zeros((batch.size, students, run.dim))
    weights[..., : sum(committee.units)] = experiment.first(replicas)
    outputs = np.repeat(committee.student_weights[None], batch.size, axis=0)
    state = Students(weights, outputs, experiment.generators(replicas))
    numbers = experiment.frame(max(1, _PIECE // (_MOST * run.dim * (students + 1))))
    given = *experiment.functions, numbers, experiment.rotations, state, batch.arrays
    batch.advance = lambda: _advance(*given)
    return batch


ENGINE = Engine("full", _begin)
