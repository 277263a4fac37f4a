"""Committees as vectors of N weights, simulated directly.

Input and students have all their N components. The teachers lie along the first M axes,
which is no restriction, since all directions are alike.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import compiled, kernel, types
from rosenblatt.compiling.jit import ACTIVATIONS, RATE, Activations, Rate, activations
from rosenblatt.compiling.vectors import dot
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.networks.task import FRAME, Frame, NetworkTask
from rosenblatt.numerics.random import normals64
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    run_replicas,
)

__all__ = ["overlaps"]

_PIECE = 10_000_000  # components a call: some hundredths of a second
_MOST = 64  # replicas a call
_f = types.float64


@kernel(
    types.void, ACTIVATIONS, RATE, FRAME, _f[:, :, ::1], types.uint64[:, ::1], PROGRESS
)
def _advance(
    act: Activations,
    rate: Rate,
    frame: Frame,
    weights: FloatArray,
    rng: Words,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    marks, dim = progress.marks, frame.dim
    students, teachers = weights.shape[1], len(frame.teacher)
    size = float(dim)
    keep = 1.0 - frame.decay / size
    x = np.empty(dim + 2 + dim % 2)  # the last two are for the noise
    h, g, slope = np.empty(students), np.empty(students), np.empty(students)
    b, t, unused = np.empty(teachers), np.empty(teachers), np.empty(teachers)
    for r in range(len(weights)):
        w, counts = weights[r], progress.counts[r]
        stop = counts[EXAMPLES] + frame.piece
        while True:
            mark = counts[RECORDED]
            while mark < marks.size and marks[mark] == counts[EXAMPLES]:
                for i in range(students):
                    for j in range(teachers):
                        progress.records[r, mark, i * teachers + j] = w[i, j]
                    for j in range(students):
                        place = students * teachers + i * students + j
                        progress.records[r, mark, place] = dot(w[i], w[j])
                mark += 1
            counts[RECORDED] = mark
            if mark == marks.size or counts[EXAMPLES] >= stop:
                break
            counts[EXAMPLES] += 1
            eta = rate(Clock(counts[EXAMPLES] / size, math.nan, size))
            normals64(x, rng[r])
            error = frame.noise * x[x.size - 1]
            for n in range(teachers):
                b[n] = dot(frame.teacher[n], x[:teachers])
            act(b, t, unused)
            for n in range(teachers):
                error += frame.outputs[n] * t[n]
            for i in range(students):
                h[i] = dot(w[i], x[:dim])
            act(h, g, slope)
            for i in range(students):
                error -= g[i]
            total = 0.0
            for i in range(students):
                gain = eta / size * slope[i] * error
                for j in range(dim):
                    w[i, j] = keep * w[i, j] + gain * x[j]
                total += abs(h[i]) + abs(gain)
            if not (abs(error) <= HUGE and total <= HUGE):
                counts[FAULT] = 1
                progress.fault[r, 0], progress.fault[r, 1] = eta, error
                break


def overlaps(task: NetworkTask) -> tuple[FloatArray, FloatArray]:
    """Run all replicas and return R along the teachers' axes, and Q, at every mark."""
    committee, run = task.committee, task.run
    students, teachers = committee.units
    functions = activations(committee.activation), compiled(task.schedule)
    frame = task.frame(max(1, _PIECE // (_MOST * run.dim * (students + 1))))

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), run.marks, task.record_size)
        weights = np.zeros((batch.size, students, run.dim))
        weights[..., : teachers + students] = task.first(replicas)
        rng = task.generators(replicas)[:, 0].copy()
        batch.advance = lambda: _advance(*functions, frame, weights, rng, batch.arrays)
        return batch

    found = run_replicas(task, "full", begin, most=_MOST)
    along, own = np.split(found, [students * teachers], axis=2)
    shape = (*found.shape[:2], students)
    return along.reshape(*shape, teachers), own.reshape(*shape, students)
