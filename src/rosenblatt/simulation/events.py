r"""Simulation from mistake to mistake, for rules that move only then: O(1) per mistake.

Between two mistakes nothing changes, so the gap is geometric. In the plane of teacher
and student the input points in a direction :math:`\psi`, measured from the teacher
towards the student, which is at the angle :math:`\theta`. The signs of the two fields
differ inside a double wedge: for :math:`\psi` between :math:`\pi/2` and
:math:`\pi/2 + \theta`, and opposite to that. A mistake is an
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

from rosenblatt.compiling import force_inlined, inlined, kernel, types
from rosenblatt.compiling.jit import Rate, Step
from rosenblatt.core import AverageShift, Clock, Percept
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import chi_square, normal, uniform
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    LABELS,
    MISTAKES,
    NEXT,
    RECORDED,
    Batch,
    Engine,
    Progress,
    TeacherExperiment,
    broken,
)
from rosenblatt.simulation.rotation import (
    AWAY,
    Rotations,
    next_change,
    rotate,
    rotate_steadily,
)
from rosenblatt.teachers import Sign

_PIECE = 100_000  # draws a call: some hundredths of a second
_NEVER = 2**62  # later than any example that can be asked for
_OFTEN = 0.5  # bound on the chance of a mistake above which inputs come one by one
_SHARE = 0.25  # of the angle, by which a motion may raise the bound
_CANDIDATE = LABELS  # entry of the counts: whether the next example may be a mistake
_STEEP = -1.0  # mean along the direction below which radii are drawn from a gamma law


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


@inlined
def density(m: float, mean2: float) -> float:
    """Return the density of the input's direction, 2 pi times."""
    tail = 0.5 * math.erfc(-m / math.sqrt(2.0))
    bulk = math.sqrt(2.0 * math.pi) * m * tail * math.exp(0.5 * (m * m - mean2))
    return math.exp(-0.5 * mean2) + bulk


@inlined
def largest(first: float, width: float, along: float, across: float) -> float:
    """Return the largest component of the mean along directions of a wedge."""
    inside = (math.atan2(across, along) - first) % (2.0 * math.pi)
    if inside <= width:
        return math.sqrt(along * along + across * across)
    last = first + width
    return max(
        along * math.cos(first) + across * math.sin(first),
        along * math.cos(last) + across * math.sin(last),
    )


@inlined
def fill_bounds(
    bounds: FloatArray,
    right: float,
    wrong: float,
    angle: float,
    along: float,
    across: float,
) -> float:
    """Bound the chance of a mistake in each of four wedges, and return the sum.

    In the first two the signs differ and the label is right, in the last two they agree
    and the label is wrong.
    """
    mean2 = along * along + across * across
    right, wrong = right / (2.0 * math.pi), wrong / (2.0 * math.pi)
    for half in range(2):
        edge = (half + 0.5) * math.pi
        m = largest(edge, angle, along, across)
        bounds[half] = right * density(m, mean2)
        m = largest(edge + angle, math.pi - angle, along, across)
        bounds[2 + half] = wrong * density(m, mean2)
    return float(bounds[0] + bounds[1] + bounds[2] + bounds[3])


@inlined
def direction(agree: bool, angle: float, delta: float) -> tuple[float, float, float]:
    """Return a unit input at the angle ``delta`` inside the first wedge of a kind.

    Its components along and across the teacher, and its field for a student of length
    1; sines of small angles stay accurate.
    """
    if agree:
        psi = angle + 0.5 * math.pi + delta
        return math.cos(psi), math.sin(psi), -math.sin(delta)
    return -math.sin(delta), math.cos(delta), math.sin(angle - delta)


@inlined
def radius(m: float, rng: Words) -> float:
    """Return the length of an input whose mean has this component along it."""
    if m == 0.0:
        return math.sqrt(-2.0 * math.log(uniform(rng)))
    if m < _STEEP:
        while True:  # r exp(m r), kept with exp(-r^2/2)
            r: float = math.log(uniform(rng) * uniform(rng)) / m
            if uniform(rng) < math.exp(-0.5 * r * r):
                return r
    peak = 0.5 * (m + math.sqrt(m * m + 4.0))
    while True:  # a Gaussian around the peak, which touches the density there
        r = peak + normal(rng)
        if r > 0.0 and uniform(rng) < r / peak * math.exp(1.0 - r / peak):
            return r


@force_inlined
def plane_of(
    student: FloatArray, center: tuple[float, float], noise: float, bounds: FloatArray
) -> Plane:
    """Return the plane of teacher and student; bounds of wedges go to ``bounds``."""
    c, d, s = student[0], student[1], student[2]
    side = math.sqrt(d * d + s * s)
    q = c * c + side * side
    angle = math.atan2(side, c) if q > 0.0 else 0.5 * math.pi
    over, out = (d / side, s / side) if side > 0.0 else (0.0, 1.0)
    along, across = center[0], center[1] * over
    right, wrong = (1.0 - noise) * angle, noise * (math.pi - angle)
    biased = center[0] != 0.0 or center[1] != 0.0
    if biased:
        bound = fill_bounds(bounds, right, wrong, angle, along, across)
    else:
        bound = (right + wrong) / math.pi
    return Plane(
        q, side, angle, over, out, along, across, right, wrong, bound, biased
    )  # fmt: skip


@force_inlined
def any_input(plane: Plane, c: float, noise: float, rng: Words) -> Input:
    """Draw an input and its label, which may be a mistake or not."""
    x0, x1 = plane.along + normal(rng), plane.across + normal(rng)
    h = c * x0 + plane.side * x1
    y = 1.0 if x0 > 0.0 else -1.0
    if noise > 0.0 and uniform(rng) < noise:
        y = -y
    return Input(x0, x1, h, y, y * h <= 0.0)


@force_inlined
def mistaken_input(plane: Plane, bounds: FloatArray, rng: Words) -> Input:
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


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    center: tuple[float, float]  # mean of the inputs along and across the teacher
    shift: tuple[float, float]  # along and across the teacher
    noise: float  # probability of a wrong label
    axes: int  # directions of teacher and mean input
    dim: int
    piece: int  # draws of a call
    rotations: Rotations  # of the teacher


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


@kernel()
def _advance(
    step: Step,
    rate: Rate,
    law: Law,
    students: types.Matrix,
    generators: types.WordTensor,
    bounds: types.Vector,
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


def _refusal(experiment: TeacherExperiment) -> str | None:
    """Return why this engine cannot run the experiment, or None if it can."""
    rule = experiment.parts.rule
    reason = experiment.needs_vectors(experiment.axes + 1)
    if reason is not None:
        return reason
    if not rule.mistakes_only:
        return (
            f"rule {rule!r} moves on examples that are right too, or does not say in "
            "its property mistakes_only that it does not; 'reduced' can"
        )
    if isinstance(rule.shift, AverageShift):
        return "a shift that is learned moves with every example; 'reduced' can"
    if not isinstance(experiment.parts.teacher, Sign):
        return f"teacher {experiment.parts.teacher!r} is not a Sign; 'reduced' can"
    return None


def _begin(experiment: TeacherExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    step, rate, _ = experiment.functions
    assert isinstance(experiment.parts.teacher, Sign)
    batch = Batch(len(replicas), experiment.run.marks)
    student = np.empty((batch.size, 3))
    rng = np.empty((batch.size, 2, 3), np.uint64)
    for row, index in enumerate(replicas):
        first, rng[row, 0], _, rng[row, 1] = experiment.run.seeds(index)
        state = experiment.first_student(first)
        student[row] = state.student
        batch.begin(row, state)
    law = Law(
        tuple(experiment.center.tolist()),
        tuple(experiment.fixed_shift.tolist()),
        float(experiment.parts.teacher.noise),
        experiment.axes,
        experiment.dim,
        _PIECE // batch.size,
        experiment.rotations,
    )
    given = step, rate, law, student, rng, np.empty(4)
    batch.advance = lambda: _advance(*given, batch.arrays)
    return batch


events = Engine("events", _begin, _refusal)
