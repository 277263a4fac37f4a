r"""Simulation of projections on the tracked vectors: O(1) per example, at every N.

The student, the teacher, the mean of the inputs and a running average span a few
dimensions. Coordinates refer to an orthonormal frame of that span. Its directions are
those of teacher, mean, student and average, each orthogonal to the ones before. If the
teacher rotates, its velocity takes the place of the mean. In the frame an input has
independent Gaussian components. The rest of its squared length is a chi-square variate
with :math:`N - k` degrees of freedom. After an update the frame is turned so that it
stays triangular. The angle between student and teacher is never obtained by subtracting
from 1, so it may be arbitrarily small.

All numbers of an example depend on seed, replica and the example's number alone:
what is recorded, and when, changes nothing else.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import force_inlined, kernel, types
from rosenblatt.compiling.jit import POSITIVE, RATE, STEP, Positive, Rate, Step
from rosenblatt.core import Clock, Percept, starts
from rosenblatt.core.arguments import shown
from rosenblatt.core.shifts import NO_AVERAGE, shift_kind
from rosenblatt.core.types import FloatArray
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
    shift_ratio,
)
from rosenblatt.simulation.frames import (
    BLOCK,
    BLOCKS,
    FRAME,
    STUDENTS,
    Block,
    Frame,
    Student,
    Students,
    draw_block,
    squares,
    turn_frame,
)
from rosenblatt.simulation.rotation import next_change, rotate
from rosenblatt.simulation.run import TeacherTask

__all__ = ["records", "refusal"]

_PIECE = 1_000_000  # examples a call: some hundredths of a second
_MOST = 64  # replicas a call


@force_inlined
def _learned_shift(
    one: Student, block: Block, i: int, h: float, examples: int, kind: int
) -> tuple[float, float]:
    """Write the shift T that is learned; return w.T and the squared length of x - T."""
    g, t = block.inputs, block.shift
    product = squares(one.student, one.average)[1]
    ratio = shift_ratio(kind, h, product, examples, one.counts[LABELS])
    along = 0.0
    input2 = block.rest2[i]
    for j in range(t.size):
        t[j] = one.average[j] * ratio
        along += one.student[j] * t[j]
        input2 += (g[j * BLOCK + i] - t[j]) * (g[j * BLOCK + i] - t[j])
    return along, input2


@force_inlined
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
    per, steady = 1.0 / size, frame.rotations.steady
    examples, mistakes = counts[EXAMPLES], counts[MISTAKES]
    q, along = products
    for i in range(examples % BLOCK, last):
        if steady:
            rotate(student, frame.rotations, examples, turns)
        examples += 1
        y, input2 = labels[i], length2[i]
        h = 0.0
        for j in range(own + 1):
            h += student[j] * g[j * BLOCK + i]
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
                student[j] = keep * student[j] + gain * (g[j * BLOCK + i] - t[j])
            if not learned:
                student[own] = math.sqrt(
                    student[own] * student[own] + gain * gain * rest2[i]
                )
                q, along = squares(student, t)
        if learned:
            part, new = 1.0 / examples, math.sqrt(rest2[i])
            counts[LABELS] += 1 if y > 0.0 else -1
            for j in range(k):
                average[j] += part * (y * g[j * BLOCK + i] - average[j])
            turn_frame(student, average, own, gain * new, part * y * new)
            q, _ = squares(student, t)
    counts[EXAMPLES], counts[MISTAKES] = examples, mistakes
    return q, along


@kernel(types.void, STEP, RATE, POSITIVE, FRAME, BLOCKS, STUDENTS, PROGRESS)
def _advance(
    step: Step,
    rate: Rate,
    positive: Positive,
    frame: Frame,
    block: Block,
    students: Students,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    marks = progress.marks
    for r in range(len(students.student)):
        counts, records = progress.counts[r], progress.records[r]
        one = Student(
            students.student[r], students.average[r], counts, progress.fault[r],
            students.turns[r],
        )  # fmt: skip
        products = squares(one.student, block.shift)
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
            number = examples // BLOCK
            last = min(BLOCK, marks[mark] - number * BLOCK)
            change = next_change(frame.rotations, examples)
            if change == examples:
                rotate(one.student, frame.rotations, examples, one.turns)
                change = next_change(frame.rotations, examples + 1)
            if change >= 0:
                last = min(last, change - number * BLOCK)
            rng, spare = students.rng[r], students.spare[r]
            draw_block(block, number, frame, positive, rng, spare)
            products = _learn(step, rate, frame, block, one, last, products)


def _tracked(task: TeacherTask) -> int:
    """Return how many directions the frame has."""
    return task.axes + 1 + (shift_kind(task.parts.rule.shift) != NO_AVERAGE)


def refusal(task: TeacherTask) -> str | None:
    """Return why this engine cannot take the task, or None if it can."""
    k = _tracked(task)
    if task.parts.vectors is not None:
        return (
            f"of inputs {shown(task.parts.vectors)} no projections are known; 'full' "
            "draws whole vectors"
        )
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
            axes,
            shift_kind(rule.shift),
            rule.mistakes_only,
            task.dim,
            _PIECE // batch.size,
            task.rotations,
        )
        students = Students(student, average, rng, spare, turns)
        given = *functions, frame, Block.around(shift), students
        batch.advance = lambda: _advance(*given, batch.arrays)
        return batch

    return run_replicas(task, "reduced", begin, most=_MOST)
