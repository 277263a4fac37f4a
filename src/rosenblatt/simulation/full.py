r"""Simulation of vectors of N weights, the reference for the other engines.

The teacher is on the first axis and the mean in the plane of the first two. Inputs are
isotropic around their mean, so this is no restriction. Inputs are generated in the
kernel, in single precision and in tiles that stay in the innermost cache. Weights and
sums are kept in double precision. A teacher that moves is a vector of its own.

Inputs of a stream of vectors are drawn by the stream's own function, and rounded to
single precision too. Their teacher is a vector in a given or random direction. The
error of a recorded state is measured on fresh inputs.

All numbers of an example depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.bits import BitStream
from rosenblatt.compiling import force_inlined, inlined, kernel, types
from rosenblatt.compiling.jit import Fill, Positive, Rate, Step, filling
from rosenblatt.compiling.vectors import dot
from rosenblatt.core import Clock, Percept, VectorStream, starts
from rosenblatt.core.parts import NO_AVERAGE, shift_kind
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.likelihood import Label, drawing
from rosenblatt.numerics.random import apart, normals32, uniform
from rosenblatt.simulation.experiment import (
    EXAMPLES,
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
from rosenblatt.simulation.rotation import PLANE, RANDOM, STILL, Rotations, next_change
from rosenblatt.streams import Uniform

_TILE = 512  # components generated at a time
_PIECE = 20_000_000  # components a call: some hundredths of a second
_TARGET = 4  # number of the generator of a random teacher; 0 to 3 have other uses
_FALL = 1e-3  # of the squared length, after which it is summed again
AnyArray = FloatArray | npt.NDArray[np.float32]


@inlined
def _fields(w: FloatArray, x: npt.NDArray[np.float32]) -> tuple[float, float]:
    """Return w.x and x.x."""
    h = 0.0
    x2 = 0.0
    for i in range(w.size):
        xi = np.float64(x[i])
        h += w[i] * xi
        x2 += xi * xi
    return h, x2


@inlined
def _move(w: FloatArray, keep: float, gain: float, x: AnyArray) -> None:
    """Replace w by keep * w + gain * x."""
    for i in range(w.size):
        w[i] = keep * w[i] + gain * np.float64(x[i])


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    center: types.Vector  # mean of the inputs along and across the teacher
    shift: types.Vector  # known beforehand, along and across the teacher
    kind: int  # of shift
    piece: int  # components of a call
    rotations: Rotations  # of the teacher
    drawn: int  # whether inputs are those of a stream of vectors
    tests: int  # fresh inputs on which an error is measured


class Student(NamedTuple):
    """State of one replica."""

    w: types.Vector
    average: types.Vector  # of label * x; empty if no shift is learned
    teacher: types.Vector  # unit vector; empty if it stands still, on the first axis
    rng: types.WordVector
    turns: types.WordVector  # generator for turns of the teacher
    fresh: types.WordVector  # generator for inputs on which an error is measured


@force_inlined
def _draw(
    x: npt.NDArray[np.float32], scratch: Words, center: FloatArray, n: int, rng: Words
) -> None:
    """Draw an input, tile by tile."""
    for tile in range(0, x.size, _TILE):
        normals32(x[tile : tile + _TILE], scratch, rng)
    for j in range(min(n, 2)):
        x[j] += np.float32(center[j])


@force_inlined
def _turn(
    student: Student,
    rotations: Rotations,
    example: int,
    x: npt.NDArray[np.float32],
    scratch: Words,
) -> None:
    """Turn the teacher before the example with this index."""
    w, teacher, rng = student.w, student.teacher, student.turns
    if rotations.heading == PLANE:  # of the first two axes
        angle = rotations.angle * (example + 1)
        teacher[0], teacher[1] = np.cos(angle), np.sin(angle)
        return
    for i in range(w.size):
        x[i] = np.float32(-w[i])
    if rotations.heading == RANDOM:
        rng[2] = np.uint64(example) * np.uint64(x.size // 2)
        for tile in range(0, x.size, _TILE):
            normals32(x[tile : tile + _TILE], scratch, rng)
    along, across2 = dot(teacher, x), 0.0
    for i in range(w.size):
        across2 += (np.float64(x[i]) - along * teacher[i]) ** 2
    if across2 == 0.0:  # the student is the teacher: all ways lead away
        return
    sine = rotations.sine / np.sqrt(across2)
    _move(teacher, rotations.cosine - sine * along, sine, x)


@force_inlined
def _share_wrong(
    positive: Positive, fill: Fill, student: Student, tests: int, first: int
) -> float:
    """Return the share of fresh inputs whose label is not the student's sign."""
    row, field, chance = np.empty((1, student.w.size)), np.empty(1), np.empty(1)
    wrong = 0.0
    for k in range(tests):
        fill(apart(student.fresh, first + k), row)
        field[0] = dot(student.teacher, row[0])
        positive(field, chance)
        h = dot(student.w, row[0])
        wrong += 0.5 if h == 0.0 else abs((h > 0.0) - chance[0])
    return wrong / max(tests, 1)


@force_inlined
def _record(student: Student, law: Law, mistakes: int, record: FloatArray) -> None:
    """Record the student along the teacher, across it, and the length of the rest."""
    w, teacher, center = student.w, student.teacher, law.center
    record[3] = mistakes
    if teacher.size > 0:
        along, across2 = dot(w, teacher), 0.0
        for i in range(w.size):
            across2 += (w[i] - along * teacher[i]) ** 2
        record[0], record[1], record[2] = along, 0.0, np.sqrt(across2)
        return
    record[0] = w[0]
    record[1] = w[1] if center[1] > 0.0 else 0.0
    first = 2 if center[1] > 0.0 else 1
    record[2] = np.sqrt(dot(w[first:], w[first:]))


@kernel(allocates=True)
def _advance(
    step: Step,
    rate: Rate,
    positive: Positive,
    draw: Label,
    fill: Fill,
    law: Law,
    student: Student,
    progress: Progress,
) -> None:
    """Advance one replica by a piece of work."""
    center, shift, kind, piece, rotations, drawn, tests = law
    w, average, teacher, rng, _, _ = student
    counts, marks, records = progress.counts[0], progress.marks, progress.records[0]
    n, learned, axes = w.size, kind != NO_AVERAGE, min(w.size, 2)
    x = np.empty(n + n % 2, dtype=np.float32)
    scratch = np.empty(_TILE // 2, dtype=np.uint64)
    words, size = np.uint64(x.size // 2 + 1), float(n)
    row = np.empty((drawn, n))
    q = dot(w, w)
    top = q  # since the last sum; rounding errors of q are relative to it
    stop, mark = counts[EXAMPLES] + max(1, piece // n), counts[RECORDED]
    while True:
        while mark < marks.size and marks[mark] == counts[EXAMPLES]:
            _record(student, law, counts[MISTAKES], records[mark])
            if drawn:
                first = counts[EXAMPLES] * tests
                records[mark, 4] = _share_wrong(positive, fill, student, tests, first)
            mark += 1
            counts[RECORDED] = mark
        if mark == marks.size or counts[EXAMPLES] >= stop:
            return
        if (
            rotations.steady
            or next_change(rotations, counts[EXAMPLES]) == counts[EXAMPLES]
        ):
            _turn(student, rotations, counts[EXAMPLES], x, scratch)
        rng[2] = np.uint64(counts[EXAMPLES]) * words
        noise = rng
        if drawn:
            noise = apart(rng, counts[EXAMPLES])
            fill(noise, row)
            for i in range(n):
                x[i] = np.float32(row[0, i])
        else:
            _draw(x, scratch, center, n, rng)
        counts[EXAMPLES] += 1
        h, x2 = _fields(w, x)
        b = np.float64(x[0]) if teacher.size == 0 else dot(teacher, x)
        y = draw(b, noise)
        along, ratio = 0.0, 0.0
        for j in range(axes):
            along += w[j] * shift[j]
            x2 += shift[j] * (shift[j] - 2.0 * np.float64(x[j]))
        if learned:
            product = dot(w, average)
            ratio = shift_ratio(kind, h, product, counts[EXAMPLES], counts[LABELS])
            along = ratio * product
            x2 += ratio * (ratio * dot(average, average) - 2.0 * dot(average, x))
        if y * h <= 0.0:
            counts[MISTAKES] += 1
        eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
        p = Percept(h, y, q, x2 / size, eta, size, along)
        u = step(p)
        if broken(p, u, counts, progress.fault[0]):
            return
        keep, gain = 1.0 - u.decay / size, u.gain / size
        if gain != 0.0 or keep != 1.0:
            q = keep * keep * q + gain * (2.0 * keep * (h - along) + gain * x2)
            _move(w, keep, gain, x)
            for j in range(axes):
                w[j] -= gain * shift[j]
            if learned:
                _move(w, 1.0, -gain * ratio, average)
            top = max(top, q)
            if q < _FALL * top:
                q = dot(w, w)
                top = q
        if learned:
            counts[LABELS] += int(y)
            part = 1.0 / counts[EXAMPLES]
            _move(average, 1.0 - part, part * y, x)


def _refusal(experiment: TeacherExperiment) -> str | None:
    """Return why this engine cannot run the experiment, or None if it can."""
    if isinstance(experiment.parts.start, starts.Vector):
        given = len(experiment.parts.start.weights)
        if given != experiment.dim:
            return f"start has {given} weights where dim is {experiment.dim}"
    return None


def _weights(
    experiment: TeacherExperiment, student: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Return weights over sqrt(N) that have these coordinates."""
    along, across, rest = student
    axes = experiment.axes
    w = np.empty(experiment.dim)
    w[:axes] = (along, across)[:axes]
    if experiment.dim > axes:
        direction = rng.standard_normal(experiment.dim - axes)
        w[axes:] = direction * (rest / np.linalg.norm(direction))
    return w


@dataclass(frozen=True)
class _Levels(VectorStream):
    """Independent components -1 and +1, as single vectors."""

    chances: tuple[float, ...]

    @property
    def dim(self) -> int:
        """Number of components."""
        return len(self.chances)

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return ``(rng, s) -> None``, which draws all components."""
        chances = np.array(self.chances)

        def fill(rng: Words, s: FloatArray) -> None:
            for i in range(s.size):
                s[i] = 1.0 if uniform(rng) < chances[i] else -1.0

        return fill


def _drawn(stream: VectorStream | BitStream | None) -> VectorStream:
    """Return the stream as one of vectors; without one, some stream."""
    if isinstance(stream, BitStream):
        return _Levels(tuple(stream.chances.tolist()))
    return Uniform(1) if stream is None else stream


def _target(experiment: TeacherExperiment, replica: int) -> FloatArray:
    """Return the direction of the teacher."""
    if experiment.target is None:
        sequence = np.random.SeedSequence(
            experiment.run.seed, spawn_key=(replica, _TARGET)
        )
        given = np.random.default_rng(sequence).standard_normal(experiment.dim)
    else:
        given = experiment.target[replica % len(experiment.target)]
    return np.asarray(given / np.linalg.norm(given))


def _turn_from_axis(w: FloatArray, teacher: FloatArray) -> None:
    """Reflect a vector so that the first axis becomes the teacher."""
    across = -teacher
    across[0] += 1.0
    size2 = across @ across
    if size2 > 0.0:
        w -= (2.0 * (across @ w) / size2) * across


def _begin(experiment: TeacherExperiment, replicas: range) -> Batch:
    """Start a replica."""
    (index,) = replicas
    parts, start = experiment.parts, experiment.parts.start
    kind, drawn = shift_kind(parts.rule.shift), parts.vectors is not None
    law = Law(
        experiment.center,
        experiment.fixed_shift,
        kind,
        _PIECE,
        experiment.rotations,
        int(drawn),
        experiment.tests,
    )
    batch = Batch(1, experiment.run.marks, experiment.record_size)
    first, rng, fresh, turns = experiment.run.seeds(index)
    average = np.zeros(experiment.dim if kind != NO_AVERAGE else 0)
    if isinstance(start, starts.Vector):
        w = np.array(start.weights, dtype=float) / np.sqrt(experiment.dim)
    else:
        state = experiment.first_student(first)
        batch.begin(0, state)
        w = _weights(experiment, state.student, first)
        if kind != NO_AVERAGE:
            average = state.average * w
    moves = experiment.rotations.heading != STILL
    teacher = np.zeros(experiment.dim if moves else 0)
    teacher[:1] = 1.0
    if drawn:
        teacher = _target(experiment, index)
        if not isinstance(start, starts.Vector):
            _turn_from_axis(w, teacher)
    draw = drawing(parts.likelihood or parts.teacher)
    functions = *experiment.functions, draw, filling(_drawn(parts.vectors))
    student = Student(w, average, teacher, rng, turns, fresh)
    batch.advance = lambda: _advance(*functions, law, student, batch.arrays)
    return batch


full = Engine("full", _begin, _refusal, lambda _: (1, 1))
