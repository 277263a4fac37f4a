r"""O(1) per mistake, for rules that move only then: from one to the next in one draw.

Between two mistakes nothing changes, so the gap is geometric. In the plane of teacher
and student the input points in a direction :math:`\psi`; the signs of the two fields
differ inside a double wedge as wide as their angle :math:`\theta`. A mistake is an
input inside that wedge with a right label, or one outside it with a wrong label.
Without bias the direction is uniform and the gap's probability is known exactly. With
bias the density of :mod:`rosenblatt.core.gaussian`, eq. (1), grows with the mean's
component :math:`m` along the direction; its largest value on a wedge bounds it there,
and inputs drawn from the bound are kept with the ratio of the two (thinning). Where
the bound is no small number, inputs are drawn one by one. Given the direction, the
radius has the density :math:`r\, e^{-(r - m)^2 / 2}`. All of it is exact in law, at
every N.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import RATE, STEP, Rate, Step, woven
from rosenblatt.core import AverageShift, Clock, Percept, starts
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import (
    chi_square,
    normal,
    uniform,
)
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    MISTAKES,
    NEXT,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    broken,
    run_replicas,
)
from rosenblatt.simulation.task import TeacherTask
from rosenblatt.simulation.wedges import density, direction, fill_bounds, radius
from rosenblatt.teachers import Sign

__all__ = ["records", "refusal"]

_PIECE = 100_000  # draws a call: some hundredths of a second
_MOST = 64  # replicas a call
_NEVER = 2**62  # later than any example that can be asked for
_OFTEN = 0.5  # bound on the chance of a mistake above which inputs come one by one
_f, _i = types.float64, types.int64


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    center: tuple[float, float]  # mean of the inputs along and across the teacher
    shift: tuple[float, float]  # along and across the teacher
    noise: float  # probability of a wrong label
    axes: int  # directions of teacher and mean input
    dim: int
    piece: int  # draws of a call


class Plane(NamedTuple):
    """A student in the plane of teacher and student, and its chance of a mistake."""

    q: float  # squared length of the student
    side: float  # length of the student across the teacher
    angle: float  # between student and teacher
    over: float  # unit vector across the teacher, towards the student: along the mean
    out: float  # and along the student's own direction
    along: float  # mean of the inputs along the teacher
    across: float  # and towards the student
    right: float  # angle of mistakes with a right label
    wrong: float  # angle of mistakes with a wrong label
    bound: float  # on the chance of a mistake
    biased: bool  # whether inputs have a mean


class Input(NamedTuple):
    """An input in the plane, with the student's field and the label."""

    along: float
    across: float
    field: float
    label: float
    mistake: bool


_pair = types.UniTuple(_f, 2)
_LAW = types.structure(Law, _pair, _pair, _f, _i, _i, _i)


@woven
def _plane(student: FloatArray, law: Law, bounds: FloatArray) -> Plane:
    """Return the plane of teacher and student; bounds of wedges go to ``bounds``."""
    c, d, s = student[0], student[1], student[2]
    side = math.sqrt(d * d + s * s)
    q = c * c + side * side
    angle = math.atan2(side, c) if q > 0.0 else 0.5 * math.pi
    over, out = (d / side, s / side) if side > 0.0 else (0.0, 1.0)
    along, across = law.center[0], law.center[1] * over
    right, wrong = (1.0 - law.noise) * angle, law.noise * (math.pi - angle)
    biased = law.center[0] != 0.0 or law.center[1] != 0.0
    if biased:
        bound = fill_bounds(bounds, right, wrong, angle, along, across)
    else:
        bound = (right + wrong) / math.pi
    return Plane(
        q, side, angle, over, out, along, across, right, wrong, bound, biased
    )  # fmt: skip


@woven
def _any_input(plane: Plane, c: float, noise: float, rng: Words) -> Input:
    """Draw an input and its label, which may be a mistake or not."""
    x0, x1 = plane.along + normal(rng), plane.across + normal(rng)
    h = c * x0 + plane.side * x1
    y = 1.0 if x0 > 0.0 else -1.0
    if noise > 0.0 and uniform(rng) < noise:
        y = -y
    return Input(x0, x1, h, y, y * h <= 0.0)


@woven
def _mistaken_input(plane: Plane, bounds: FloatArray, rng: Words) -> Input:
    """Draw an input inside a wedge of mistakes; thinning may reject it."""
    angle, right, wrong = plane.angle, plane.right, plane.wrong
    agree, flip, wedge = False, 1.0, 0
    if plane.biased:
        v = uniform(rng) * plane.bound
        while wedge < 3 and v >= bounds[wedge]:
            v -= bounds[wedge]
            wedge += 1
        agree = wedge >= 2
        flip = -1.0 if wedge % 2 == 1 else 1.0
    else:
        agree = uniform(rng) * (right + wrong) >= right
        flip = -1.0 if uniform(rng) < 0.5 else 1.0
    delta = uniform(rng) * (math.pi - angle if agree else angle)
    e0, e1, eh = direction(agree, angle, delta)
    e0, e1, eh = flip * e0, flip * e1, flip * eh
    m = 0.0
    if plane.biased:
        along, across = plane.along, plane.across
        m = along * e0 + across * e1
        chance = (wrong if agree else right) / (2.0 * math.pi)
        accepted = chance * density(m, along * along + across * across)
        if uniform(rng) * bounds[wedge] >= accepted:
            return Input(0.0, 0.0, 0.0, 0.0, False)
    r = radius(m, rng)
    h = math.sqrt(plane.q) * r * eh
    return Input(r * e0, r * e1, h, -1.0 if h > 0.0 else 1.0, True)


@woven
def _learn(
    step: Step,
    rate: Rate,
    law: Law,
    plane: Plane,
    x: Input,
    student: FloatArray,
    progress: tuple[IntArray, FloatArray],
    rng: Words,
) -> bool:
    """Learn from a mistake; return whether a number is not finite."""
    counts, fault = progress
    c, d, s = student[0], student[1], student[2]
    size, shift = float(law.dim), law.shift
    counts[MISTAKES] += 1
    # The rest of the input, in the frame: across the teacher, and its own.
    xd, xs = 0.0, x.across
    if law.axes == 2:
        free = law.center[1] * plane.out + normal(rng)
        xd = x.across * plane.over + free * plane.out
        xs = x.across * plane.out - free * plane.over
    rest2 = chi_square(law.dim - law.axes - 1, normal(rng), uniform(rng), rng)
    z0, zd = x.along - shift[0], xd - shift[1]
    input2 = z0 * z0 + zd * zd + xs * xs + rest2
    eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
    moved = c * shift[0] + d * shift[1]
    p = Percept(x.field, x.label, plane.q, input2 / size, eta, size, moved)
    u = step(p)
    if broken(p, u, counts, fault):
        return True
    keep, gain = 1.0 - u.decay / size, u.gain / size
    student[0] = keep * c + gain * z0
    student[1] = keep * d + gain * zd
    own = keep * s + gain * xs
    student[2] = math.sqrt(own * own + gain * gain * rest2)
    return False


@woven
def _next_mistake(counts: IntArray, bound: float, singly: bool, rng: Words) -> None:
    """Choose the number of the next example that may be a mistake."""
    if counts[NEXT] == 0:
        gap = 1.0
        if not singly:
            gap += math.floor(math.log(uniform(rng)) / math.log1p(-bound))
        soon = gap < float(_NEVER - counts[EXAMPLES])
        counts[NEXT] = counts[EXAMPLES] + int(gap) if soon else _NEVER


@kernel(types.void, STEP, RATE, _LAW, _f[:, ::1], types.uint64[:, ::1], PROGRESS)
def _advance(
    step: Step,
    rate: Rate,
    law: Law,
    students: FloatArray,
    generators: Words,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    bounds, marks = np.empty(4), progress.marks
    for row in range(len(students)):
        student, rng = students[row], generators[row]
        counts, records, fault = (
            progress.counts[row], progress.records[row], progress.fault[row]
        )  # fmt: skip
        mark = counts[RECORDED]
        for _ in range(law.piece):
            plane = _plane(student, law, bounds)
            singly = plane.q == 0.0 or plane.bound > _OFTEN
            _next_mistake(counts, plane.bound, singly, rng)
            while mark < marks.size and marks[mark] < counts[NEXT]:
                for j in range(3):
                    records[mark, j] = student[j]
                records[mark, 3] = counts[MISTAKES]
                counts[EXAMPLES] = marks[mark]
                mark += 1
                counts[RECORDED] = mark
            if mark == marks.size:
                break
            counts[EXAMPLES] = counts[NEXT]
            counts[NEXT] = 0
            if singly:
                x = _any_input(plane, student[0], law.noise, rng)
            else:
                x = _mistaken_input(plane, bounds, rng)
            if not x.mistake:
                continue
            if _learn(step, rate, law, plane, x, student, (counts, fault), rng):
                break


def refusal(task: TeacherTask) -> str | None:
    """Return why this engine cannot take the task, or None if it can."""
    rule = task.parts.rule
    if not rule.mistakes_only:
        return (
            f"rule {rule!r} moves on examples that are right too, or does not say in "
            "its property mistakes_only that it does not; 'reduced' can"
        )
    if isinstance(rule.shift, AverageShift):
        return "a shift that is learned moves with every example; 'reduced' can"
    if not isinstance(task.parts.teacher, Sign):
        return f"teacher {task.parts.teacher!r} is not a Sign; 'reduced' can"
    if isinstance(task.parts.start, starts.Vector):
        return "a start from a given vector needs all its components; 'full' has them"
    if task.dim < task.axes + 1:
        return f"it tracks {task.axes + 1} directions, dim is {task.dim}; 'full' can"
    return None


def records(task: TeacherTask) -> FloatArray:
    """Run all replicas and return their records, (replica, alpha, 4)."""
    step, rate, _ = task.functions
    center, shift = tuple(task.center.tolist()), tuple(task.fixed_shift.tolist())
    assert isinstance(task.parts.teacher, Sign)
    noise = float(task.parts.teacher.noise)

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks)
        student = np.empty((batch.size, 3))
        rng = np.empty((batch.size, 3), np.uint64)
        for row, index in enumerate(replicas):
            first, rng[row], _ = task.run.seeds(index)
            state = task.first_student(first)
            student[row] = state.student
            batch.begin(row, state)
        piece = _PIECE // batch.size
        law = Law(center, shift, noise, task.axes, task.dim, piece)
        batch.advance = lambda: _advance(step, rate, law, student, rng, batch.arrays)
        return batch

    return run_replicas(task, "events", begin, most=_MOST)
