r"""Simulation from mistake to mistake, for rules that move only then: O(1) per mistake.

Between two mistakes nothing changes, so the gap is geometric. In the plane of teacher
and student the input points in a direction :math:`\psi`. The signs of the two fields
differ inside a double wedge as wide as their angle :math:`\theta`. A mistake is an
input inside that wedge with a right label, or one outside it with a wrong label.
Without bias the direction is uniform and the gap's probability is known exactly. With
bias the density of :mod:`rosenblatt.core.gaussian`, eq. (1), grows with the mean's
component :math:`m` along the direction. Its largest value on a wedge bounds it there,
and inputs drawn from the bound are kept with the ratio of the two (thinning). Where
the bound is no small number, inputs are drawn one by one. Given the direction, the
radius has the density :math:`r\, e^{-(r - m)^2 / 2}`. All of it is exact in law, at
every N.

A teacher that moves changes the angle between two mistakes, by at most
:math:`\varphi` per example. Over the next :math:`L` examples the chance of a mistake
is bounded by that of the angle :math:`\theta + L \varphi`. The gap is drawn from the
bound. If the gap is longer than :math:`L` there is no mistake. Otherwise the teacher is
turned, and the input is kept with the ratio of chance and bound (thinning). Turns that
are not random add up, so the cost is still one per mistake. Random ones are made one by
one: that costs O(1) per example. Abrupt changes only cut a gap short.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import force_inlined, kernel, types
from rosenblatt.compiling.jit import RATE, STEP, Rate, Step
from rosenblatt.core import AverageShift, Clock, Percept, starts
from rosenblatt.core.arguments import shown
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import chi_square, normal, uniform
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    LABELS,
    MISTAKES,
    NEXT,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    broken,
    run_replicas,
)
from rosenblatt.simulation.rotation import (
    AWAY,
    ROTATIONS,
    Rotations,
    next_change,
    rotate,
    rotate_steadily,
)
from rosenblatt.simulation.run import TeacherTask
from rosenblatt.simulation.wedges import (
    Input,
    Plane,
    any_input,
    mistaken_input,
    plane_of,
)
from rosenblatt.teachers import Sign

__all__ = ["records", "refusal"]

_PIECE = 100_000  # draws a call: some hundredths of a second
_MOST = 64  # replicas a call
_NEVER = 2**62  # later than any example that can be asked for
_OFTEN = 0.5  # bound on the chance of a mistake above which inputs come one by one
_SHARE = 0.25  # of the angle, by which a motion may raise the bound
_CANDIDATE = LABELS  # entry of the counts: whether the next example may be a mistake
_f, _i = types.float64, types.int64


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    center: tuple[float, float]  # mean of the inputs along and across the teacher
    shift: tuple[float, float]  # along and across the teacher
    noise: float  # probability of a wrong label
    axes: int  # directions of teacher and mean input
    dim: int
    piece: int  # draws of a call
    rotations: Rotations  # of the teacher


_pair = types.UniTuple(_f, 2)
_LAW = types.structure(Law, _pair, _pair, _f, _i, _i, _i, ROTATIONS)


@force_inlined
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


@force_inlined
def _horizon(plane: Plane, law: Law, examples: int) -> tuple[int, float]:
    """Return how many examples may be skipped, and a bound on the chance until then."""
    rotations = law.rotations
    if rotations.steady:
        reach = _SHARE * plane.angle
        if rotations.heading == AWAY:  # up to the opposite: turns must add up
            reach = min(reach, math.pi - plane.angle)
        count = max(1, int(min(reach / rotations.angle, float(_NEVER - examples))))
        angle = min(plane.angle + count * rotations.angle, math.pi)
        return count, law.noise + (1.0 - 2.0 * law.noise) * angle / math.pi
    change = next_change(rotations, examples + 1)
    return change - examples if change > 0 else _NEVER, plane.bound


@force_inlined
def _choose(
    counts: IntArray, horizon: int, bound: float, singly: bool, rng: Words
) -> None:
    """Choose the number of the next example that may be a mistake, or of the last."""
    gap = 1.0
    if not singly:
        gap += math.floor(math.log(uniform(rng)) / math.log1p(-bound))
    counts[_CANDIDATE] = 1 if gap <= float(horizon) else 0
    gap = min(gap, float(horizon))
    soon = gap < float(_NEVER - counts[EXAMPLES])
    counts[NEXT] = counts[EXAMPLES] + int(gap) if soon else _NEVER


@force_inlined
def _record(
    student: FloatArray, law: Law, counts: IntArray, mark: int, record: FloatArray,
    turns: Words,
) -> None:  # fmt: skip
    """Record the student after ``mark`` examples, where it was last moved before."""
    for j in range(3):
        record[j] = student[j]
    record[3] = counts[MISTAKES]
    if law.rotations.steady:
        since = counts[EXAMPLES]
        rotate_steadily(record[:3], law.rotations, since, mark - since, turns)


@kernel(
    types.void, STEP, RATE, _LAW, _f[:, ::1], types.uint64[:, :, ::1], _f[::1], PROGRESS
)
def _advance(
    step: Step,
    rate: Rate,
    law: Law,
    students: FloatArray,
    generators: Words,
    bounds: FloatArray,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each; ``bounds`` is room for four."""
    marks, rotations = progress.marks, law.rotations
    for row in range(len(students)):
        student, rng, turns = students[row], generators[row, 0], generators[row, 1]
        counts, records, fault = (
            progress.counts[row], progress.records[row], progress.fault[row]
        )  # fmt: skip
        mark = counts[RECORDED]
        for _ in range(law.piece):
            now = counts[EXAMPLES]
            if counts[NEXT] == 0 and next_change(rotations, now) == now:
                while mark < marks.size and marks[mark] == now:
                    _record(student, law, counts, now, records[mark], turns)
                    mark += 1
                rotate(student, rotations, now, turns)
            plane = plane_of(student, law.center, law.noise, bounds)
            horizon, bound = _horizon(plane, law, now)
            singly = plane.q == 0.0 or bound > _OFTEN
            if counts[NEXT] == 0:
                _choose(counts, horizon, bound, singly, rng)
            while mark < marks.size and marks[mark] < counts[NEXT]:
                _record(student, law, counts, marks[mark], records[mark], turns)
                mark += 1
            counts[RECORDED] = mark
            if mark == marks.size:
                break
            following, counts[NEXT] = counts[NEXT], 0
            counts[EXAMPLES] = following
            if rotations.steady:
                rotate_steadily(student, rotations, now, following - now, turns)
                plane = plane_of(student, law.center, law.noise, bounds)
            if counts[_CANDIDATE] == 0:
                continue
            if singly:
                x = any_input(plane, student[0], law.noise, rng)
            elif rotations.steady and uniform(rng) * bound >= plane.bound:
                continue
            else:
                x = mistaken_input(plane, bounds, rng)
            if not x.mistake:
                continue
            if _learn(step, rate, law, plane, x, student, (counts, fault), rng):
                break


def refusal(task: TeacherTask) -> str | None:
    """Return why this engine cannot take the task, or None if it can."""
    rule = task.parts.rule
    if task.parts.vectors is not None:
        return (
            f"of inputs {shown(task.parts.vectors)} no projections are known; 'full' "
            "draws whole vectors"
        )
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
        rng = np.empty((batch.size, 2, 3), np.uint64)
        for row, index in enumerate(replicas):
            first, rng[row, 0], _, rng[row, 1] = task.run.seeds(index)
            state = task.first_student(first)
            student[row] = state.student
            batch.begin(row, state)
        piece = _PIECE // batch.size
        law = Law(center, shift, noise, task.axes, task.dim, piece, task.rotations)
        given = step, rate, law, student, rng, np.empty(4)
        batch.advance = lambda: _advance(*given, batch.arrays)
        return batch

    return run_replicas(task, "events", begin, most=_MOST)
