r"""Learners with a belief about every weight, on simulated examples.

Every example has an input of N components: Gaussians of single precision, random signs,
or whatever a stream draws, all divided by :math:`\sqrt N`. Sums and weights are of
double precision. The division comes after the sums: signs then give whole numbers, and
ties are ties.

All numbers of an example depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.compiling import compiled, force_inlined, inlined, kernel, types
from rosenblatt.compiling.jit import (
    Fill,
    Learn,
    Positive,
    Rate,
    filling,
    mapped,
    over_arrays,
)
from rosenblatt.compiling.vectors import dot
from rosenblatt.core import (
    BeliefRule,
    Clock,
    GaussianStream,
    Likelihood,
    Motion,
    Observation,
    Schedule,
    Stream,
    Teacher,
    VectorStream,
)
from rosenblatt.core.arguments import part, shown, whole
from rosenblatt.core.starts import Start
from rosenblatt.core.trace import field_trace, trace
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.numerics.likelihood import Label, drawing
from rosenblatt.numerics.random import apart, normals32, word
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    Engine,
    Experiment,
    Progress,
    Run,
    targets,
)
from rosenblatt.specification.parts import (
    RefusalError,
    ScheduleLike,
    check_inputs,
    check_teacher,
    probe_stream,
    schedule_of,
)
from rosenblatt.streams import Gaussian, Uniform, UniformBits
from rosenblatt.teachers import Sign

INPUTS, LABELS, TESTS = range(3)  # uses of random numbers
USES = 3
GAUSSIANS, SIGNS, DRAWN = range(3)  # laws of the inputs, as kernels know them
_TILE = 512  # Gaussians drawn at a time
_LANES = 32  # Gaussians of two vectors: a rest would be drawn one by one
_PIECE = 10_000_000  # components a call: some hundredths of a second
_ROOM = 2**22  # numbers that the replicas of a call may remember: 32 MiB
_U = np.uint64


@dataclass(frozen=True, eq=False)
class BeliefExperiment(Experiment):
    """A learner with a belief about every weight, and its teacher."""

    rule: BeliefRule
    schedule: Schedule
    teacher: Teacher | Likelihood
    stream: Stream
    target: FloatArray | None  # the teacher's weights, (1 or replicas, N)
    tests: int

    @property
    def record_size(self) -> int:
        """Numbers of a record: those of ``_record``."""
        return 7

    @property
    def law(self) -> int:
        """Law of the inputs, as the kernel knows it."""
        if isinstance(self.stream, GaussianStream):
            return GAUSSIANS
        return SIGNS if isinstance(self.stream, UniformBits) else DRAWN

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled learner, schedule, teacher, labels and inputs."""
        drawn = self.stream if isinstance(self.stream, VectorStream) else Uniform(1)
        known = isinstance(self.teacher, Teacher)
        return (
            compiled(self.rule),
            compiled(self.schedule),
            over_arrays(self.teacher if known else Sign()),
            drawing(self.teacher),
            filling(drawn),
        )

    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        seen = Observation(*(float(f) for f in fault[: len(Observation._fields)]))
        what = f"rule {self.rule!r} left the finite numbers"
        if not abs(seen.rate) < np.inf:
            what = f"schedule {self.schedule!r} returned rate {seen.rate}"
        return ArithmeticError(f"{what} {place}, where there is {seen}")

    def targets(self, replicas: range) -> FloatArray:
        """Return the teachers of these replicas."""
        dim = self.run.dim
        if self.target is None and type(self.rule).target is BeliefRule.target:
            return np.ones((len(replicas), dim))  # without a generator for each
        if self.target is None:
            seeds = (
                np.random.SeedSequence(self.run.seed, spawn_key=(k,)) for k in replicas
            )
            drawn = [self.rule.target(dim, np.random.default_rng(s)) for s in seeds]
            return np.array(drawn, dtype=np.float64)
        if len(self.target) == 1:
            return np.repeat(self.target, len(replicas), axis=0)
        return self.target[replicas.start : replicas.stop].copy()

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records as a trace, with what the learner believes."""
        along, rest, norm2, total, agreeing, mistakes, tested = np.moveaxis(
            records, -1, 0
        )
        scale = math.sqrt(self.run.dim)
        along, rest = along / scale, rest / scale
        coordinates = np.stack([along, np.zeros_like(along), rest, mistakes], axis=-1)
        about = self.about(engine)
        if isinstance(self.teacher, Likelihood):
            norm2 = (self.targets(range(self.run.replicas)) ** 2).mean(axis=1)[:, None]
            return field_trace(coordinates, self.run.alpha, norm2, **about)
        # winther1997, eq. (8): cos^2 = <w>.<w> / <w.w>
        angle, noise = np.arctan2(np.sqrt(total), np.sqrt(norm2)), self.rule.noise
        found = {
            "agreement": agreeing / self.run.dim,
            "solved": agreeing == self.run.dim,
            "estimate": noise + (1 - 2 * noise) * angle / np.pi,
        }
        exact = self.law == GAUSSIANS
        return trace(
            coordinates,
            self.run.alpha,
            functools.partial(self.teacher.error, mapped(self.teacher)),
            None,
            found if exact else found | {"error": tested},
            exact=int(exact),
            **about,
        )


def _stream(stream: Stream | None, dim: int) -> Stream:
    """Return the inputs if they are of a kind and size that the engine can draw."""
    if stream is None:
        return Gaussian()
    if isinstance(stream, GaussianStream):
        if any(stream.center):
            raise ValueError(
                "stream must have no mean, since these learners treat each weight by "
                "itself; give the mean of each input by streams.Normal(dim, mean=...), "
                f"got {shown(stream)}"
            )
        return stream
    if not isinstance(stream, UniformBits | VectorStream):
        raise TypeError(
            "stream must be streams.Gaussian(), streams.UniformBits(dim) or a "
            f"VectorStream such as streams.Normal(dim), got {shown(stream)}"
        )
    if stream.dim != dim:
        raise ValueError(
            f"stream must have dim = {dim} components, got {shown(stream)}"
        )
    if isinstance(stream, VectorStream):
        probe_stream(stream)
    return stream


def belief_experiment(
    rule: BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | Likelihood | None,
    stream: Stream | None,
    *,
    start: Start | None,
    motion: Motion | None,
    target: npt.ArrayLike | None,
    tests: int,
    dim: int,
    alpha: float | Iterable[float],
    **numbers: Any,
) -> BeliefExperiment:
    """Check the arguments of ``simulate`` for rules with a belief."""
    part("rule", BeliefRule, rule)
    if start is not None:
        raise RefusalError(f"start must be None, since {rule!r} starts from its prior")
    if motion is not None:
        raise RefusalError(
            f"motion must be None, since {rule!r} is for a teacher that stands still, "
            f"got {motion!r}"
        )
    run = Run.at_alpha(alpha, dim, **numbers)
    if not isinstance(teacher, Likelihood):
        teacher = part("teacher", Teacher, Sign() if teacher is None else teacher)
    found = BeliefExperiment(
        run,
        rule,
        schedule_of(schedule),
        teacher,
        _stream(stream, run.dim),
        targets(target, run.dim, run.replicas),
        whole("tests", tests, low=1),
    )
    if isinstance(teacher, Likelihood):
        check_inputs(teacher, found.stream)
    else:
        check_teacher(teacher)
    assert found.functions  # what does not compile fails before anything runs
    return found


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    law: int  # of the inputs
    n: int  # weights
    memory: int  # size of a state
    tests: int  # inputs of a test
    piece: int  # examples of a call


class Learners(NamedTuple):
    """State of some replicas, one in each row."""

    states: types.Matrix
    means: types.Matrix
    variances: types.Matrix
    targets: types.Matrix
    generators: types.WordTensor


class Room(NamedTuple):
    """Memory for one input."""

    s: FloatArray  # of unit variance, (1, N)
    field: FloatArray  # of the teacher, (1,)
    chance: FloatArray  # of the label +1
    single: npt.NDArray[np.float32]
    scratch: Words


@force_inlined
def _draw(
    law: int, fill: Fill, rng: Words, number: int, target: FloatArray, room: Room
) -> None:
    """Draw the input of this number, and the teacher's field."""
    s, single = room.s, room.single
    n = s.size
    if law == DRAWN:
        fill(apart(rng, number), s)
    elif law == SIGNS:
        first = _U(number) * _U((n + 63) // 64)
        for i in range(0, n, 64):
            bits = word(rng[0], rng[1], first + _U(i // 64))
            for j in range(min(64, n - i)):
                s[0, i + j] = np.float64((bits >> _U(j)) & _U(1)) * 2.0 - 1.0
    else:
        rng[2] = _U(number) * _U(single.size // 2)
        for tile in range(0, single.size, _TILE):
            normals32(single[tile : tile + _TILE], room.scratch, rng)
        for i in range(n):
            s[0, i] = np.float64(single[i])
    room.field[0] = dot(target, s[0]) / math.sqrt(float(n))


@force_inlined
def _record(
    positive: Positive,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
    r: int,
    room: Room,
) -> None:
    """Record a replica: along and across the teacher, norms, signs, and errors."""
    mean, target, mark = learners.means[r], learners.targets[r], progress.counts[r]
    record = progress.records[r, mark[RECORDED]]
    along, agreeing = dot(mean, target), 0.0
    total, rest, ratio = 0.0, 0.0, along / dot(target, target)
    for i in range(mean.size):
        across = mean[i] - ratio * target[i]
        rest += across * across
        total += learners.variances[r, i]
        agreeing += 1.0 if mean[i] * target[i] > 0.0 else 0.0
    record[0], record[1] = along / math.sqrt(dot(target, target)), math.sqrt(rest)
    record[2], record[3], record[4] = dot(mean, mean), total, agreeing
    record[5] = mark[MISTAKES]
    wrong, first = 0.0, mark[EXAMPLES] * law.tests
    for k in range(law.tests):
        rng = learners.generators[r, TESTS]
        _draw(law.law, fill, rng, first + k, target, room)
        positive(room.field, room.chance)
        h = dot(mean, room.s[0])
        wrong += 0.5 if h == 0.0 else abs((h > 0.0) - room.chance[0])
    record[6] = wrong / max(law.tests, 1)
    mark[RECORDED] += 1


@inlined
def sums_of(
    mean: FloatArray, variance: FloatArray, s: FloatArray
) -> tuple[float, float, float, float, float]:
    """Return m.s, sum v s^2, the sum of variances, m.m and s.s."""
    h, spread, total, q, s2 = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(mean.size):
        h += mean[i] * s[i]
        spread += variance[i] * s[i] * s[i]
        total += variance[i]
        q += mean[i] * mean[i]
        s2 += s[i] * s[i]
    return h, spread, total, q, s2


@kernel(allocates=True)
def _advance(
    learn: Learn,
    rate: Rate,
    positive: Positive,
    draw: Label,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    n, marks = law.n, progress.marks
    size, scale, x = float(n), 1.0 / math.sqrt(float(n)), np.empty(n)
    single = np.empty((n + _LANES - 1) // _LANES * _LANES, dtype=np.float32)
    scratch = np.empty(_TILE // 2, dtype=np.uint64)
    room = Room(np.empty((1, n)), np.empty(1), np.empty(1), single, scratch)
    s = room.s[0]
    for r in range(len(learners.means)):
        counts, target = progress.counts[r], learners.targets[r]
        rng, noise = learners.generators[r, INPUTS], learners.generators[r, LABELS]
        mean, variance = learners.means[r], learners.variances[r]
        state = learners.states[r]
        stop = counts[EXAMPLES] + max(1, law.piece)
        while True:
            done = counts[EXAMPLES]
            while counts[RECORDED] < marks.size and marks[counts[RECORDED]] == done:
                _record(positive, fill, law, learners, progress, r, room)
            if counts[RECORDED] == marks.size or done >= stop:
                break
            _draw(law.law, fill, rng, done, target, room)
            noise[2] = _U(done)
            y = draw(room.field[0], noise)
            h, spread, total, q, s2 = sums_of(mean, variance, s)
            h, spread = h * scale, spread * scale * scale
            counts[EXAMPLES] += 1
            if y * h <= 0.0:
                counts[MISTAKES] += 1
            eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
            x2 = s2 * scale * scale
            o = Observation(h, y, q / size, x2, eta, size, spread, total / size)
            # NaN and infinities of any weight end up in one of these.
            if not abs(h) + q + total + abs(eta) <= HUGE:
                counts[FAULT] = 1
                for j in range(len(o)):
                    progress.fault[r, j] = o[j]
                break
            for i in range(n):
                x[i] = s[i] * scale
            learn(state, mean, variance, x, o)


def _begin(experiment: BeliefExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    rule, run = experiment.rule, experiment.run
    n, memory, size = run.dim, rule.memory(run.dim), len(replicas)
    batch = Batch(size, run.marks, experiment.record_size)
    states, means, variances = np.zeros((size, memory)), *np.zeros((2, size, n))
    for row in zip(states, means, variances, strict=True):
        rule.begin(*row)
    learners = Learners(
        states,
        means,
        variances,
        np.ascontiguousarray(experiment.targets(replicas)),
        run.generators(replicas, USES),
    )
    tests = 0 if experiment.law == GAUSSIANS else experiment.tests
    law = Law(experiment.law, n, memory, tests, _PIECE // (size * max(memory, n)))
    given = *experiment.functions, law, learners, batch.arrays
    batch.advance = lambda: _advance(*given)
    return batch


def _together(experiment: BeliefExperiment) -> tuple[int, int]:
    """Return numbers of replicas whose memory stays small."""
    n = experiment.run.dim
    return 1, max(1, min(64, _ROOM // (experiment.rule.memory(n) + 3 * n)))


coordinate = Engine("coordinate", _begin, together=_together)
