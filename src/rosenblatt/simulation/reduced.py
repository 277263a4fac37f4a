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
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import force_inlined, inlined, kernel, types
from rosenblatt.compiling.jit import Positive, Rate, Step
from rosenblatt.core import Clock, Percept
from rosenblatt.core.parts import NO_AVERAGE, shift_kind
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import chi_squares, normals64, uniforms
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    LABELS,
    MISTAKES,
    RECORDED,
    Batch,
    Engine,
    Progress,
    TeacherExperiment,
    broken,
    shift_ratio,
)
from rosenblatt.simulation.rotation import Rotations, next_change, rotate

_PIECE = 1_000_000  # examples a call: some hundredths of a second
BLOCK = 256  # examples whose random numbers are drawn together, to stay in the cache


@inlined
def squares(student: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Return the student's squared length, and its product with another vector."""
    q, along = 0.0, 0.0
    for j in range(student.size):
        q += student[j] * student[j]
        along += student[j] * other[j]
    return q, along


@inlined
def turn_frame(
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

    center: types.Vector  # mean of the inputs, in the frame
    axes: int  # directions of teacher and mean input
    kind: int  # of shift
    mistakes_only: bool
    dim: int
    piece: int  # examples of a call
    rotations: Rotations  # of the teacher


class Students(NamedTuple):
    """State of some replicas, one in each row."""

    student: types.Matrix  # coordinates in the frame
    average: types.Matrix  # of label * x, in the frame
    rng: types.WordMatrix
    spare: types.WordMatrix  # generator for rejected draws
    turns: types.WordMatrix  # generator for turns of the teacher


class Student(NamedTuple):
    """State of one replica."""

    student: FloatArray
    average: FloatArray
    counts: IntArray
    fault: FloatArray
    turns: Words


class Block(NamedTuple):
    """Random numbers of a block of examples, and the shift of the current one."""

    inputs: types.Vector  # coordinate after coordinate
    uniforms: types.Vector
    rest2: types.Vector  # squared length of an input outside of the frame
    labels: types.Vector
    length2: types.Vector  # squared length of the direction of the update
    shift: types.Vector

    @classmethod
    def around(cls, shift: FloatArray) -> Block:
        """Return the arrays for a block of examples, filled with the known shift."""
        inputs, uniforms = np.empty((shift.size + 1) * BLOCK), np.empty(2 * BLOCK)
        rest2, labels, length2 = np.empty((3, BLOCK))
        return cls(inputs, uniforms, rest2, labels, length2, shift.copy())


@force_inlined
def draw_block(
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
    rng[2] = np.uint64(number) * np.uint64((k + 3) * BLOCK)
    normals64(g, rng)
    uniforms(u, rng)
    chi_squares(rest2, frame.dim - k, g[k * BLOCK :], u[BLOCK:], spare, number * BLOCK)
    for i in range(BLOCK):
        length2[i] = rest2[i]
    for j in range(k):
        x = g[j * BLOCK : (j + 1) * BLOCK]
        for i in range(BLOCK):
            x[i] += center[j]
            length2[i] += (x[i] - t[j]) * (x[i] - t[j])
    positive(g[:BLOCK], labels)
    for i in range(BLOCK):
        labels[i] = 1.0 if u[i] < labels[i] else -1.0


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


@kernel()
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


def _tracked(experiment: TeacherExperiment) -> int:
    """Return how many directions the frame has."""
    return experiment.axes + 1 + (shift_kind(experiment.parts.rule.shift) != NO_AVERAGE)


def _refusal(experiment: TeacherExperiment) -> str | None:
    """Return why this engine cannot run the experiment, or None if it can."""
    likelihood = experiment.parts.likelihood
    if likelihood is not None:
        return f"teacher {likelihood!r} is not a Teacher; 'full' can"
    return experiment.needs_vectors(_tracked(experiment))


def _begin(experiment: TeacherExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    rule, axes, k = experiment.parts.rule, experiment.axes, _tracked(experiment)
    center, shift = np.zeros((2, k))
    center[:axes] = experiment.center[:axes]
    shift[:axes] = experiment.fixed_shift[:axes]
    batch = Batch(len(replicas), experiment.run.marks)
    student, average = np.zeros((2, batch.size, k))
    rng, spare, turns = np.empty((3, batch.size, 3), np.uint64)
    for row, index in enumerate(replicas):
        first, rng[row], spare[row], turns[row] = experiment.run.seeds(index)
        state = experiment.first_student(first)
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
        experiment.dim,
        _PIECE // batch.size,
        experiment.rotations,
    )
    students = Students(student, average, rng, spare, turns)
    given = *experiment.functions, frame, Block.around(shift), students
    batch.advance = lambda: _advance(*given, batch.arrays)
    return batch


reduced = Engine("reduced", _begin, _refusal)
