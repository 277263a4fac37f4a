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
from typing import Any

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import RATE, STEP, Rate, Step
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
    RECORDED,
    Batch,
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


@kernel(
    types.void,
    STEP,
    RATE,
    _f[:, ::1],
    _f[::1],
    _f[::1],
    _f,
    _i,
    _i,
    _i[:, ::1],
    _i[::1],
    _f[:, :, ::1],
    _f[:, ::1],
    types.uint64[:, ::1],
    _i,
)
def _advance(
    step: Step,
    rate: Rate,
    students: FloatArray,
    center: FloatArray,
    shift: FloatArray,
    noise: float,
    axes: int,
    dim: int,
    all_counts: IntArray,
    marks: IntArray,
    all_records: FloatArray,
    faults: FloatArray,
    generators: Words,
    piece: int,
) -> None:
    size = float(dim)
    biased = center[0] != 0.0 or center[1] != 0.0
    bounds = np.empty(4)
    for row in range(len(students)):
        student, counts = students[row], all_counts[row]
        records, fault, rng = all_records[row], faults[row], generators[row]
        mark = counts[RECORDED]
        for _ in range(piece):
            c, d, s = student[0], student[1], student[2]
            side = math.sqrt(d * d + s * s)
            q = c * c + side * side
            angle = math.atan2(side, c) if q > 0.0 else 0.5 * math.pi
            # Unit vector across the teacher, towards the student.
            over, out = (d / side, s / side) if side > 0.0 else (0.0, 1.0)
            along, across = center[0], center[1] * over
            mean2 = along * along + across * across
            right, wrong = (1.0 - noise) * angle, noise * (math.pi - angle)
            if biased:
                bound = fill_bounds(bounds, right, wrong, angle, along, across)
            else:
                bound = (right + wrong) / math.pi
            singly = q == 0.0 or bound > _OFTEN
            if counts[NEXT] == 0:
                gap = 1.0
                if not singly:
                    gap += math.floor(math.log(uniform(rng)) / math.log1p(-bound))
                soon = gap < float(_NEVER - counts[EXAMPLES])
                counts[NEXT] = counts[EXAMPLES] + int(gap) if soon else _NEVER
            while mark < marks.size and marks[mark] < counts[NEXT]:
                records[mark, 0], records[mark, 1], records[mark, 2] = c, d, s
                records[mark, 3] = counts[MISTAKES]
                counts[EXAMPLES] = marks[mark]
                mark += 1
                counts[RECORDED] = mark
            if mark == marks.size:
                break
            counts[EXAMPLES] = counts[NEXT]
            counts[NEXT] = 0
            if singly:
                x0, x1 = along + normal(rng), across + normal(rng)
                h = c * x0 + side * x1
                y = 1.0 if x0 > 0.0 else -1.0
                if noise > 0.0 and uniform(rng) < noise:
                    y = -y
                if y * h > 0.0:
                    continue
            else:
                # Which wedge, and which angle within it.
                agree, flip = False, 1.0
                if biased:
                    v = uniform(rng) * bound
                    wedge = 0
                    while wedge < 3 and v >= bounds[wedge]:
                        v -= bounds[wedge]
                        wedge += 1
                    agree = wedge >= 2
                    flip = -1.0 if wedge % 2 == 1 else 1.0
                else:
                    agree = uniform(rng) * (right + wrong) >= right
                    flip = -1.0 if uniform(rng) < 0.5 else 1.0
                width = math.pi - angle if agree else angle
                delta = uniform(rng) * width
                e0, e1, eh = direction(agree, angle, delta)
                e0, e1, eh = flip * e0, flip * e1, flip * eh
                m = 0.0
                if biased:
                    m = along * e0 + across * e1
                    chance = (wrong if agree else right) / (2.0 * math.pi)
                    kept = chance * density(m, mean2)
                    if uniform(rng) * bounds[wedge] >= kept:
                        continue
                r = radius(m, rng)
                x0, x1, h = r * e0, r * e1, math.sqrt(q) * r * eh
                y = -1.0 if h > 0.0 else 1.0
            counts[MISTAKES] += 1
            # The rest of the input, in the frame: across the teacher, and its own.
            xd, xs = 0.0, x1
            if axes == 2:
                free = center[1] * out + normal(rng)
                xd, xs = x1 * over + free * out, x1 * out - free * over
            rest2 = chi_square(dim - axes - 1, normal(rng), uniform(rng), rng)
            z0, zd = x0 - shift[0], xd - shift[1]
            input2 = z0 * z0 + zd * zd + xs * xs + rest2
            eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
            moved = c * shift[0] + d * shift[1]
            p = Percept(h, y, q, input2 / size, eta, size, moved)
            u = step(p)
            if broken(p, u, counts, fault):
                break
            keep = 1.0 - u.decay / size
            gain = u.gain / size
            student[0] = keep * c + gain * z0
            student[1] = keep * d + gain * zd
            own = keep * s + gain * xs
            student[2] = math.sqrt(own * own + gain * gain * rest2)


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
    center, shift = task.center, task.fixed_shift
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
        arguments: tuple[Any, ...] = (
            step,
            rate,
            student,
            center,
            shift,
            noise,
            task.axes,
            task.dim,
            batch.counts,
            batch.marks,
            batch.records,
            batch.fault,
            rng,
            _PIECE // batch.size,
        )
        batch.advance = lambda: _advance(*arguments)
        return batch

    return run_replicas(task, "events", begin, most=_MOST)
