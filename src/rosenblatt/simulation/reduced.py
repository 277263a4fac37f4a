r"""O(1) per example, at every N: only projections on the tracked vectors are drawn.

The student, the teacher, the mean of the inputs and a running average span a few
dimensions. Coordinates refer to an orthonormal frame of that span: the teacher's
direction, the mean's across it (or that of the teacher's velocity, if it rotates), the
student's own, the average's own. In the frame an
input has independent Gaussian components, and what is left of its squared length is a
chi-square variate with :math:`N - k` degrees of freedom. After an update the frame is
turned so that it stays triangular. The angle between student and teacher is never
obtained by subtracting from 1, so that it may be as small as it likes.

All numbers of an example depend on seed, replica and the example's number alone:
what is recorded, and when, changes nothing else.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import POSITIVE, RATE, STEP, Positive, Rate, Step, woven
from rosenblatt.core import Clock, Percept, starts
from rosenblatt.core.shifts import NO_AVERAGE, UNIFORM, shift_kind
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import chi_squares, normals64, uniforms
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    LABELS,
    MISTAKES,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    broken,
    run_replicas,
)
from rosenblatt.simulation.task import TeacherTask
from rosenblatt.simulation.turning import MOTION, Motion, next_change, turn

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


class Frame(NamedTuple):
    """Numbers that stay the same during a run."""

    center: FloatArray  # mean of the inputs, in the frame
    shift: FloatArray  # known beforehand, in the frame
    axes: int  # directions of teacher and mean input
    kind: int  # of shift
    mistakes_only: bool
    dim: int
    piece: int  # examples of a call
    motion: Motion  # of the teacher


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


_vector, _rows, _words = _f[::1], _f[:, ::1], types.uint64[:, ::1]
_FRAME = types.structure(Frame, _vector, _vector, _i, _i, types.boolean, _i, _i, MOTION)
_STUDENTS = types.structure(Students, _rows, _rows, _words, _words, _words)


@woven
def _draw(
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
    rng[2] = np.uint64(number) * np.uint64((k + 3) * _BLOCK)
    normals64(g, rng)
    uniforms(u, rng)
    chi_squares(
        rest2, frame.dim - k, g[k * _BLOCK :], u[_BLOCK:], spare, number * _BLOCK
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


@woven
def _learned_shift(
    one: Student, block: Block, i: int, h: float, examples: int, kind: int
) -> tuple[float, float]:
    """Write the shift T that is learned; return w.T and the squared length of x - T."""
    g, t = block.inputs, block.shift
    product = _squares(one.student, one.average)[1]
    above, below = h, product
    if kind == UNIFORM:
        above, below = examples - 1.0, float(one.counts[LABELS])
    right = product > 0.0 and below != 0.0  # else it is too early for a shift
    ratio = above / below if right else 0.0
    along = 0.0
    input2 = block.rest2[i]
    for j in range(t.size):
        t[j] = one.average[j] * ratio
        along += one.student[j] * t[j]
        input2 += (g[j * _BLOCK + i] - t[j]) * (g[j * _BLOCK + i] - t[j])
    return along, input2


@woven
def _learn(
    step: Step,
    rate: Rate,
    frame: Frame,
    block: Block,
    one: Student,
    last: int,
    products: tuple[float, float],
) -> tuple[float, float]:
    """Learn from the examples of a block, up to the last one wanted.

    ``products`` are w.w and w.T before; their new values are returned.
    """
    student, average, counts, fault, turns = one
    g, _, rest2, labels, length2, t = block
    k, own, quiet = t.size, frame.axes, frame.mistakes_only
    learned, size = frame.kind != NO_AVERAGE, float(frame.dim)
    per, steady = 1.0 / size, frame.motion.steady
    examples, mistakes = counts[EXAMPLES], counts[MISTAKES]
    q, along = products
    for i in range(examples % _BLOCK, last):
        if steady:
            turn(student, frame.motion, examples, turns)
        examples += 1
        y, input2 = labels[i], length2[i]
        h = 0.0
        for j in range(own + 1):
            h += student[j] * g[j * _BLOCK + i]
        if learned:
            along, input2 = _learned_shift(one, block, i, h, examples, frame.kind)
        if y * h <= 0.0:
            mistakes += 1
        elif quiet and not learned:
            continue  # the rule changes nothing: do not ask
        eta = rate(Clock(examples / size, mistakes / size, size))
        p = Percept(h, y, q, input2 * per, eta, size, along)
        update = step(p)
        if broken(p, update, counts, fault):
            break
        keep, gain = 1.0 - update.decay * per, update.gain * per
        if gain != 0.0 or keep != 1.0:
            for j in range(k):
                student[j] = keep * student[j] + gain * (g[j * _BLOCK + i] - t[j])
            if not learned:
                student[own] = math.sqrt(
                    student[own] * student[own] + gain * gain * rest2[i]
                )
                q, along = _squares(student, t)
        if learned:
            part, new = 1.0 / examples, math.sqrt(rest2[i])
            counts[LABELS] += int(y)
            for j in range(k):
                average[j] += part * (y * g[j * _BLOCK + i] - average[j])
            _turn(student, average, own, gain * new, part * y * new)
            q, _ = _squares(student, t)
    counts[EXAMPLES], counts[MISTAKES] = examples, mistakes
    return q, along


@kernel(types.void, STEP, RATE, POSITIVE, _FRAME, _STUDENTS, PROGRESS)
def _advance(
    step: Step,
    rate: Rate,
    positive: Positive,
    frame: Frame,
    students: Students,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    k, marks = frame.center.size, progress.marks
    block = Block(
        np.empty((k + 1) * _BLOCK),
        np.empty(2 * _BLOCK),
        np.empty(_BLOCK),
        np.empty(_BLOCK),
        np.empty(_BLOCK),
        frame.shift.copy(),
    )
    for r in range(len(students.student)):
        counts, records = progress.counts[r], progress.records[r]
        one = Student(
            students.student[r], students.average[r], counts, progress.fault[r],
            students.turns[r],
        )  # fmt: skip
        products = _squares(one.student, block.shift)
        stop = counts[EXAMPLES] + frame.piece
        while True:
            examples, mark = counts[EXAMPLES], counts[RECORDED]
            while mark < marks.size and marks[mark] == examples:
                for j in range(frame.axes):
                    records[mark, j] = one.student[j]
                records[mark, 2] = one.student[frame.axes]
                records[mark, 3] = counts[MISTAKES]
                mark += 1
            counts[RECORDED] = mark
            if mark == marks.size or examples >= stop or counts[FAULT] > 0:
                break
            number = examples // _BLOCK
            last = min(_BLOCK, marks[mark] - number * _BLOCK)
            change = next_change(frame.motion, examples)
            if change == examples:
                turn(one.student, frame.motion, examples, one.turns)
                change = next_change(frame.motion, examples + 1)
            if change >= 0:
                last = min(last, change - number * _BLOCK)
            _draw(block, number, frame, positive, students.rng[r], students.spare[r])
            products = _learn(step, rate, frame, block, one, last, products)


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
    functions, rule = task.functions, task.parts.rule
    axes, k = task.axes, _tracked(task)
    center = np.zeros(k)
    center[:axes] = task.center[:axes]
    shift = np.zeros(k)
    shift[:axes] = task.fixed_shift[:axes]

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks)
        student, average = np.zeros((2, batch.size, k))
        rng, spare, turns = np.empty((3, batch.size, 3), np.uint64)
        for row, index in enumerate(replicas):
            first, rng[row], spare[row], turns[row] = task.run.seeds(index)
            state = task.first_student(first)
            along, across, rest = state.student
            student[row, :axes] = (along, across)[:axes]
            student[row, axes] = rest
            average[row] = state.average * student[row]
            batch.begin(row, state)
        frame = Frame(
            center,
            shift,
            axes,
            shift_kind(rule.shift),
            rule.mistakes_only,
            task.dim,
            _PIECE // batch.size,
            task.motion,
        )
        students = Students(student, average, rng, spare, turns)
        batch.advance = lambda: _advance(*functions, frame, students, batch.arrays)
        return batch

    return run_replicas(task, "reduced", begin, most=_MOST)
