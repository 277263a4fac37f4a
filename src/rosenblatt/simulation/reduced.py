r"""O(1) per example, at every N: only projections on the tracked vectors are drawn.

The student, the teacher, the mean of the inputs and a running average span a few
dimensions. Coordinates refer to an orthonormal frame of that span: the teacher's
direction, the mean's across it, the student's own, the average's own. In the frame an
input has independent Gaussian components, and what is left of its squared length is a
chi-square variate with :math:`N - k` degrees of freedom. After an update the frame is
turned so that it stays triangular. The angle between student and teacher is never
obtained by subtracting from 1, so that it may be as small as it likes.

All numbers of an example depend on seed, replica and the example's number alone:
what is recorded, and when, changes nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import POSITIVE, RATE, STEP, Positive, Rate, Step
from rosenblatt.core import Clock, Percept, starts
from rosenblatt.core.shifts import NO_AVERAGE, UNIFORM, shift_kind
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import (
    chi_squares,
    normals64,
    uniforms,
)
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    LABELS,
    MISTAKES,
    RECORDED,
    Batch,
    broken,
    run_replicas,
)
from rosenblatt.simulation.task import TeacherTask

__all__ = ["records", "refusal"]

_BLOCK = 256  # examples whose random numbers are drawn together, to stay in the cache
_PIECE = 1_000_000  # examples a call: some hundredths of a second
_MOST = 64  # replicas a call

_f, _i = types.float64, types.int64


@inlined
def _squares(student: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Return the student's squared length, and its product with another vector."""
    q, along = 0.0, 0.0
    for j in range(student.size):
        q += student[j] * student[j]
        along += student[j] * other[j]
    return q, along


@inlined
def _turn(
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


@kernel(
    types.void,
    STEP,
    RATE,
    POSITIVE,
    _f[:, ::1],
    _f[:, ::1],
    _f[::1],
    _f[::1],
    _i,
    _i,
    _i,
    _i,
    _i[:, ::1],
    _i[::1],
    _f[:, :, ::1],
    _f[:, ::1],
    types.uint64[:, ::1],
    types.uint64[:, ::1],
    _i,
)
def _advance(
    step: Step,
    rate: Rate,
    positive: Positive,
    students: FloatArray,
    averages: FloatArray,
    center: FloatArray,
    shift: FloatArray,
    axes: int,
    kind: int,
    idle: int,
    dim: int,
    all_counts: IntArray,
    marks: IntArray,
    all_records: FloatArray,
    faults: FloatArray,
    generators: Words,
    spares: Words,
    piece: int,
) -> None:
    k = students.shape[1]
    own = axes
    learned = kind != NO_AVERAGE
    g = np.empty((k + 1) * _BLOCK)
    u = np.empty(2 * _BLOCK)
    rest2 = np.empty(_BLOCK)
    labels = np.empty(_BLOCK)
    length2 = np.empty(_BLOCK)  # of the direction of the update
    t = shift.copy()
    words = np.uint64((k + 3) * _BLOCK)
    size = float(dim)
    per = 1.0 / size
    for r in range(len(students)):
        student, average, counts = students[r], averages[r], all_counts[r]
        records, fault = all_records[r], faults[r]
        rng, spare = generators[r], spares[r]
        examples, mistakes = counts[EXAMPLES], counts[MISTAKES]
        stop = examples + piece
        mark = counts[RECORDED]
        q, along = _squares(student, t)
        while True:
            while mark < marks.size and marks[mark] == examples:
                for j in range(axes):
                    records[mark, j] = student[j]
                records[mark, 2] = student[own]
                records[mark, 3] = mistakes
                mark += 1
            if mark == marks.size or examples >= stop or counts[FAULT] > 0:
                counts[EXAMPLES], counts[MISTAKES] = examples, mistakes
                counts[RECORDED] = mark
                break
            block = examples // _BLOCK
            first = examples - block * _BLOCK
            last = min(_BLOCK, first + marks[mark] - examples)
            rng[2] = np.uint64(block) * words
            normals64(g, rng)
            uniforms(u, rng)
            chi_squares(
                rest2, dim - k, g[k * _BLOCK :], u[_BLOCK:], spare, block * _BLOCK
            )
            for i in range(_BLOCK):
                length2[i] = rest2[i]
            for j in range(k):
                x = g[j * _BLOCK : (j + 1) * _BLOCK]
                for i in range(_BLOCK):
                    x[i] += center[j]
                    length2[i] += (x[i] - t[j]) * (x[i] - t[j])
            positive(g[:_BLOCK], labels)
            for i in range(_BLOCK):
                labels[i] = 1.0 if u[i] < labels[i] else -1.0
            for i in range(first, last):
                examples += 1
                y = labels[i]
                input2 = length2[i]
                h = 0.0
                for j in range(own + 1):
                    h += student[j] * g[j * _BLOCK + i]
                if learned:
                    product = _squares(student, average)[1]
                    above, below = h, product
                    if kind == UNIFORM:
                        above, below = examples - 1.0, float(counts[LABELS])
                    right = product > 0.0 and below != 0.0  # else too early for a shift
                    ratio = above / below if right else 0.0
                    along = 0.0
                    input2 = rest2[i]
                    for j in range(k):
                        t[j] = average[j] * ratio
                        along += student[j] * t[j]
                        input2 += (g[j * _BLOCK + i] - t[j]) * (
                            g[j * _BLOCK + i] - t[j]
                        )
                if y * h <= 0.0:
                    mistakes += 1
                elif idle and not learned:
                    continue  # the rule has nothing to say: do not ask
                eta = rate(Clock(examples / size, mistakes / size, size))
                p = Percept(h, y, q, input2 * per, eta, size, along)
                update = step(p)
                if broken(p, update, counts, fault):
                    break
                keep = 1.0 - update.decay * per
                gain = update.gain * per
                if gain != 0.0 or keep != 1.0:
                    for j in range(k):
                        student[j] = keep * student[j] + gain * (
                            g[j * _BLOCK + i] - t[j]
                        )
                    if not learned:
                        student[own] = math.sqrt(
                            student[own] * student[own] + gain * gain * rest2[i]
                        )
                        q, along = _squares(student, t)
                if learned:
                    part = 1.0 / examples
                    counts[LABELS] += int(y)
                    for j in range(k):
                        average[j] += part * (y * g[j * _BLOCK + i] - average[j])
                    new = math.sqrt(rest2[i])
                    _turn(student, average, own, gain * new, part * y * new)
                    q, _ = _squares(student, t)


def _tracked(task: TeacherTask) -> int:
    """Return how many directions the frame has."""
    return task.axes + 1 + (shift_kind(task.parts.rule.shift) != NO_AVERAGE)


def refusal(task: TeacherTask) -> str | None:
    """Return why this engine cannot take the task, or None if it can."""
    k = _tracked(task)
    if task.dim < k:
        return f"it tracks {k} directions, dim is {task.dim}; 'full' can"
    if isinstance(task.parts.start, starts.Vector):
        return "a start from a given vector needs all its components; 'full' has them"
    return None


def records(task: TeacherTask) -> FloatArray:
    """Run all replicas and return their records, (replica, alpha, 4)."""
    functions = task.functions
    axes, k = task.axes, _tracked(task)
    center = np.zeros(k)
    center[:axes] = task.center[:axes]
    shift = np.zeros(k)
    shift[:axes] = task.fixed_shift[:axes]

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks)
        student, average = np.zeros((2, batch.size, k))
        rng, spare = np.empty((2, batch.size, 3), np.uint64)
        for row, index in enumerate(replicas):
            first, rng[row], spare[row] = task.run.seeds(index)
            state = task.first_student(first)
            along, across, rest = state.student
            student[row, :axes] = (along, across)[:axes]
            student[row, axes] = rest
            average[row] = state.average * student[row]
            batch.begin(row, state)
        arguments: tuple[Any, ...] = (
            *functions,
            student,
            average,
            center,
            shift,
            axes,
            shift_kind(task.parts.rule.shift),
            int(task.parts.rule.mistakes_only),
            task.dim,
            batch.counts,
            batch.marks,
            batch.records,
            batch.fault,
            rng,
            spare,
            _PIECE // batch.size,
        )
        batch.advance = lambda: _advance(*arguments)
        return batch

    return run_replicas(task, "reduced", begin, most=_MOST)
