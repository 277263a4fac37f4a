r"""Learners with a belief about every weight, on simulated examples.

Every example has an input of N components: Gaussians of single precision, random signs,
or whatever a stream draws, all divided by :math:`\sqrt N`. Inputs and labels do not
depend on the weights, so a block of them is drawn ahead. A few replicas then learn it
example by example, so that the processor works on one while another waits for a result.
Sums and weights are of double precision.

Where a rule moves each weight by itself, the pass over the weights computes the sums
that the next example needs: every weight is read once for an example. Rows of weights
and inputs go on with zeros up to a multiple of ``LANES`` numbers, so that a loop over
whole registers leaves no rest to be done one by one.

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
from rosenblatt.compiling.beliefs import compiled_belief, learning
from rosenblatt.compiling.blocks import FILL, Fill, filling
from rosenblatt.compiling.jit import (
    POSITIVE,
    RATE,
    Positive,
    Rate,
    mapped,
    over_arrays,
    remembered,
)
from rosenblatt.compiling.vectors import aligned_table, dot
from rosenblatt.core import (
    Belief,
    BeliefRule,
    Clock,
    GaussianStream,
    Motion,
    Observation,
    Schedule,
    Signal,
    Stream,
    Teacher,
    VectorStream,
)
from rosenblatt.core.arguments import part, shown, whole
from rosenblatt.core.beliefs import WeightwiseRule
from rosenblatt.core.starts import Start
from rosenblatt.core.trace import trace
from rosenblatt.core.types import HUGE, FloatArray, IntArray, Words
from rosenblatt.core.vocabulary import Part
from rosenblatt.numerics.random import (
    apart,
    normals32,
    rows_of_normals32,
    uniform,
    word,
)
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    PROGRESS,
    RECORDED,
    Batch,
    Engine,
    Experiment,
    Progress,
    Run,
    targets,
)
from rosenblatt.specification.parts import RefusalError, ScheduleLike, schedule_of
from rosenblatt.specification.probing import probe_stream
from rosenblatt.streams import Gaussian, Uniform, UniformBits
from rosenblatt.teachers import Sign

LANES = 8  # numbers of double precision in a register of 512 bits
# Statistics of a learner: four sums for its next example, the observation of its last
# one (with label 0 if there is none to learn from), and the signal of that.
_SEEN = 4
_SIGNAL = _SEEN + len(Observation._fields)
STATISTICS = _SIGNAL + len(Signal._fields)
_LABEL = _SEEN + Observation._fields.index("label")
_f, _i = types.float64, types.int64
_rows, _sizes = _f[:, ::1], types.UniTuple(_i, 3)
_UPDATE = types.void(_rows, _rows, _rows, _f[:, :, ::1], _rows, _sizes, _f)
UPDATE = types.FunctionType(_UPDATE)
GroupUpdate = Callable[..., None]
Sums = tuple[float, float, float, float]


@inlined
def padded(n: int) -> int:
    """Return how many numbers a row of n has room for."""
    return (n + LANES - 1) // LANES * LANES


@inlined
def sums_of(
    means: FloatArray, variances: FloatArray, inputs: FloatArray, r: int, g: int, k: int
) -> Sums:
    """Return m.s, sum v s^2, the sum of variances and m.m of a learner and an input."""
    h, spread, total, q = 0.0, 0.0, 0.0, 0.0
    for i in range(means.shape[1]):
        mean, variance, x = means[r, i], variances[r, i], inputs[g, k, i]
        h += mean * x
        spread += variance * x * x
        total += variance
        q += mean * mean
    return h, spread, total, q


@inlined
def _seen(stats: FloatArray, g: int) -> Observation:
    return Observation(
        stats[g, _SEEN],
        stats[g, _SEEN + 1],
        stats[g, _SEEN + 2],
        stats[g, _SEEN + 3],
        stats[g, _SEEN + 4],
        stats[g, _SEEN + 5],
        stats[g, _SEEN + 6],
        stats[g, _SEEN + 7],
    )


def _weightwise(rule: WeightwiseRule) -> GroupUpdate:
    signal_of, move = inlined(rule.signal()), inlined(rule.move())

    @inlined
    def move_and_sum(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        place: tuple[int, int, int],
        scale: float,
    ) -> Sums:
        g, k, n = place
        signal = Signal(stats[g, _SIGNAL], stats[g, _SIGNAL + 1])
        h, spread, total, q = 0.0, 0.0, 0.0, 0.0
        for i in range(padded(n)):
            known = Belief(states[g, i], means[g, i], variances[g, i])
            state, mean, variance = move(known, inputs[g, k, i] * scale, signal)
            mean = mean if i < n else 0.0
            variance = variance if i < n else 0.0
            states[g, i], means[g, i], variances[g, i] = state, mean, variance
            x = inputs[g, k + 1, i]
            h += mean * x
            spread += variance * x * x
            total += variance
            q += mean * mean
        return h, spread, total, q

    def update(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, _ = sizes
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                stats[g, _SIGNAL], stats[g, _SIGNAL + 1] = signal_of(_seen(stats, g))
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                place = (g, k, n)
                sums = move_and_sum(
                    states, means, variances, inputs, stats, place, scale
                )
                (
                    stats[g, 0],
                    stats[g, 1],
                    stats[g, 2],
                    stats[g, 3],
                ) = sums

    return update


def _at_once(rule: BeliefRule) -> GroupUpdate:
    """Return the same for a rule that is one function of arrays."""
    learn = learning(rule)

    def update(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, memory = sizes
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                x = inputs[g, k][:n] * scale
                own = states[g][:memory], means[g][:n], variances[g][:n]
                learn(own[0], own[1], own[2], x, _seen(stats, g))
                sums = sums_of(means, variances, inputs, g, g, k + 1)
                (
                    stats[g, 0],
                    stats[g, 1],
                    stats[g, 2],
                    stats[g, 3],
                ) = sums

    return update


@remembered
def group_update(rule: Part) -> GroupUpdate:
    """Return the update of a few learners by an example, one for equal rules.

    Its arguments are states, means and variances, a row for each learner, inputs for
    each learner and example, and the statistics of each learner. Then come the number
    of the example, the number of weights, and the size of a state. There is one input
    more, for the sums that the next example needs.

    Inputs have components of unit variance. The last argument scales them, after sums:
    signs then give whole numbers, and ties are ties. It is an argument since the
    compiler would divide by the root of a number if it knew it.
    """
    assert isinstance(rule, BeliefRule)
    if isinstance(rule, WeightwiseRule) and type(rule).bind is WeightwiseRule.bind:
        return compiled_belief(_UPDATE, _weightwise(rule), rule)
    return compiled_belief(_UPDATE, _at_once(rule), rule)


class Group(NamedTuple):
    """A few learners that see the same numbers of examples, one in each row."""

    states: FloatArray
    means: FloatArray
    variances: FloatArray
    stats: FloatArray
    counts: IntArray
    faults: FloatArray


class Examples(NamedTuple):
    """Examples of each learner of a group."""

    inputs: FloatArray  # (learner, example, component)
    labels: FloatArray  # (learner, example)
    squares: FloatArray  # x.x


@inlined
def learn(
    update: GroupUpdate,
    rate: Rate,
    group: Group,
    given: Examples,
    sizes: tuple[int, int, int],
    scale: float,
) -> None:
    """Learn a block of examples; a number that is not finite ends a learner.

    ``sizes`` are the number of weights, the size of a state and the examples.
    """
    states, means, variances, stats, counts, faults = group
    inputs, labels, squares = given
    n, memory, examples = sizes
    size = float(n)
    for k in range(examples):
        for g in range(len(means)):
            stats[g, _LABEL] = 0.0
            if counts[g, FAULT]:
                continue
            h, spread = stats[g, 0] * scale, stats[g, 1] * scale * scale
            total, q = stats[g, 2], stats[g, 3]
            y = labels[g, k]
            counts[g, EXAMPLES] += 1
            if y * h <= 0.0:
                counts[g, MISTAKES] += 1
            seen, wrong = counts[g, EXAMPLES] / size, counts[g, MISTAKES] / size
            eta = rate(Clock(seen, wrong, size))
            x2 = squares[g, k]
            o = Observation(h, y, q / size, x2, eta, size, spread, total / size)
            # NaN and infinities of any weight end up in one of these.
            if abs(h) + q + total + abs(eta) <= HUGE:
                for j in range(len(o)):
                    stats[g, _SEEN + j] = o[j]
            else:
                counts[g, FAULT] = 1
                for j in range(len(o)):
                    faults[g, j] = o[j]
        update(states, means, variances, inputs, stats, (k, n, memory), scale)


INPUTS, LABELS, TESTS = range(3)  # uses of random numbers
USES = 3
GAUSSIANS, SIGNS, DRAWN = range(3)  # laws of the inputs, as kernels know them


_ABOUT = {
    "agreement": "fraction of the weights whose sign is the teacher's",
    "solved": "whether all signs are the teacher's",
    "estimate": "the learner's own estimate of its error",
}


@dataclass(frozen=True, eq=False)
class BeliefExperiment(Experiment):
    """A learner with a belief about every weight, and its teacher."""

    rule: BeliefRule
    schedule: Schedule
    teacher: Teacher
    stream: Stream
    target: FloatArray | None  # the teacher's weights, (1 or replicas, N)
    tests: int

    @property
    def record_size(self) -> int:
        """Numbers of a record: those of ``summary``, mistakes and wrong tests."""
        return 7

    @property
    def law(self) -> int:
        """Law of the inputs, as the kernel knows it."""
        if isinstance(self.stream, GaussianStream):
            return GAUSSIANS
        return SIGNS if isinstance(self.stream, UniformBits) else DRAWN

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled learner, schedule, teacher and inputs."""
        drawn = self.stream if isinstance(self.stream, VectorStream) else Uniform(1)
        return (
            group_update(self.rule),
            compiled(self.schedule),
            over_arrays(self.teacher),
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
        result = trace(
            np.stack([along, np.zeros_like(along), rest, mistakes], axis=-1),
            self.run.alpha,
            functools.partial(self.teacher.error, mapped(self.teacher)),
            (0.0, 0.0),
            engine=engine,
            dim=self.run.dim,
            spec=self.spec | {"engine": engine},
        ).drop_vars("mean_overlap")
        exact = self.law == GAUSSIANS
        # winther1997, eq. (8): cos^2 = <w>.<w> / <w.w>
        angle = np.arctan2(np.sqrt(total), np.sqrt(norm2))
        noise = self.rule.noise
        variables = {
            "agreement": agreeing / self.run.dim,
            "solved": agreeing == self.run.dim,
            "estimate": noise + (1 - 2 * noise) * angle / np.pi,
        }
        found = {
            name: (("replica", "alpha"), values, {"long_name": _ABOUT[name]})
            for name, values in variables.items()
        }
        if not exact:
            found["error"] = (("replica", "alpha"), tested, result.error.attrs)
        result = result.assign(found)  # all at once: each time takes half a millisecond
        result.attrs["exact"] = int(exact)
        return result


def _stream(stream: Stream | None, dim: int) -> Stream:
    """Return the inputs if they are of a kind and size that the engine can draw."""
    if stream is None:
        return Gaussian()
    if isinstance(stream, GaussianStream):
        if any(stream.center):
            raise ValueError(
                "stream must have no mean, since these learners can tell directions "
                "apart; take streams.Normal(dim, mean=...) to say where the mean is, "
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
    teacher: Teacher | None,
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
    teacher = part("teacher", Teacher, Sign() if teacher is None else teacher)
    found = BeliefExperiment(
        run,
        rule,
        schedule_of(schedule),
        teacher,
        _stream(stream, run.dim),
        targets("target", target, run.dim, run.replicas),
        whole("tests", tests, low=1),
    )
    for p in mapped(teacher)(np.array([-1.0, 0.0, 1.0])):
        if not 0 <= p <= 1:
            raise ValueError(f"teacher {teacher!r} must return probabilities, got {p}")
    assert found.functions  # what does not compile fails before anything runs
    return found


_TILE = 512  # Gaussians drawn at a time for one input
_SHORT = 4096  # Gaussians drawn at a time for short ones: 16 KiB of single precision
_U = np.uint64
# Fields, chances of the label +1, components of one input, Gaussians, random words.
Spare = tuple[FloatArray, FloatArray, FloatArray, npt.NDArray[np.float32], Words]
# Inputs of one learner, their labels, and x.x.
Example = tuple[FloatArray, FloatArray, FloatArray]
_LANES = 32  # Gaussians of two vectors: a rest would be drawn one by one


@inlined
def _drawn_for(n: int) -> int:
    """Return the number of Gaussians drawn for an input of n components."""
    return (n + _LANES - 1) // _LANES * _LANES


@inlined
def _signs(rng: Words, number: int, drawn: FloatArray) -> None:
    """Write the random signs of an input."""
    n = drawn.size
    first = _U(number) * _U((n + 63) // 64)
    for i in range(0, n, 64):
        bits = word(rng[0], rng[1], first + _U(i // 64))
        for j in range(min(64, n - i)):
            drawn[0, i + j] = np.float64((bits >> _U(j)) & _U(1)) * 2.0 - 1.0


@inlined
def _place(
    drawn: FloatArray | npt.NDArray[np.float32],
    row: int,
    target: FloatArray,
    inputs: FloatArray,
    k: int,
    n: int,
) -> tuple[float, float]:
    """Write components of unit variance as an input s, and return B.x and x.x."""
    scale = 1.0 / math.sqrt(float(n))
    b, x2 = 0.0, 0.0
    for i in range(min(padded(n), drawn.shape[1])):
        s = np.float64(drawn[row, i]) if i < n else 0.0
        b += target[i] * s
        x2 += s * s
        inputs[k, i] = s
    return b * scale, x2 * scale * scale


@inlined
def room(n: int, count: int) -> Spare:
    """Return memory in which inputs of n components are drawn."""
    return (
        np.empty(count),
        np.empty(count),
        np.empty((1, n)),
        np.empty(max(_drawn_for(n), _SHORT), dtype=np.float32),
        np.empty(_SHORT // 2, dtype=np.uint64),
    )


@inlined
def draw(
    law: int,
    fill: Fill,
    rng: Words,
    first: int,
    target: FloatArray,
    inputs: FloatArray,
    squares: FloatArray,
    spare: Spare,
) -> None:
    """Write inputs, from the one of this number on, with their x.x; B.x is spare."""
    fields, _, drawn, single, scratch = spare
    n, count = drawn.size, len(inputs)
    if law != GAUSSIANS:
        for k in range(count):
            if law == DRAWN:
                fill(apart(rng, first + k), drawn)
            else:
                _signs(rng, first + k, drawn)
            fields[k], squares[k] = _place(drawn, 0, target, inputs, k, n)
        return
    width = _drawn_for(n)
    rows = max(1, _SHORT // width)
    for start in range(0, count, rows):
        together = min(rows, count - start)
        rng[2] = _U(first + start) * _U(width // 2)
        if width > _TILE:
            for k in range(together):
                for tile in range(k * width, (k + 1) * width, _TILE):
                    end = min(tile + _TILE, (k + 1) * width)
                    normals32(single[tile:end], scratch, rng)
        else:
            rows_of_normals32(single[: together * width], scratch, rng, together)
        table = single[: together * width].reshape(together, width)
        for k in range(together):
            found = _place(table, k, target, inputs, start + k, n)
            fields[start + k], squares[start + k] = found


@inlined
def draw_examples(
    law: int,
    fill: Fill,
    positive: Positive,
    generators: Words,
    first: int,
    target: FloatArray,
    example: Example,
    spare: Spare,
) -> None:
    """Write inputs and their labels, from the example of this number on."""
    inputs, labels, squares = example
    draw(law, fill, generators[INPUTS], first, target, inputs, squares, spare)
    fields, chances, noise = spare[0], spare[1], generators[LABELS]
    positive(fields[: len(inputs)], chances[: len(inputs)])
    for k in range(len(inputs)):
        noise[2] = _U(first + k)
        labels[k] = 1.0 if uniform(noise) < chances[k] else -1.0


@inlined
def share_wrong(
    law: int,
    fill: Fill,
    positive: Positive,
    generators: Words,
    numbers: tuple[int, int],
    weights: tuple[FloatArray, FloatArray],
    spare: Spare,
) -> float:
    """Return the fraction of fresh inputs whose label is not the one predicted.

    ``numbers`` are that of the first input and how many there are, ``weights`` those of
    the teacher and of the student.
    """
    (first, tests), (target, mean) = numbers, weights
    wrong, x, square = 0.0, np.zeros((1, mean.size)), np.empty(1)
    fields, chances = spare[0][:1], spare[1][:1]
    for k in range(tests):
        draw(law, fill, generators[TESTS], first + k, target, x, square, spare)
        positive(fields, chances)
        h = dot(mean, x[0])
        wrong += 0.5 if h == 0.0 else abs((h > 0.0) - chances[0])
    return wrong / max(tests, 1)


@inlined
def summary(
    mean: FloatArray, variance: FloatArray, target: FloatArray, record: FloatArray
) -> None:
    """Record the student along and across the teacher, and how many signs agree."""
    length2, along, q, total, agreeing = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(mean.size):
        length2 += target[i] * target[i]
        along += mean[i] * target[i]
        q += mean[i] * mean[i]
        total += variance[i]
        agreeing += 1.0 if mean[i] * target[i] > 0.0 else 0.0
    ratio = along / length2
    rest = 0.0
    for i in range(mean.size):
        across = mean[i] - ratio * target[i]
        rest += across * across
    record[0] = along / math.sqrt(length2)
    record[1] = math.sqrt(rest)
    record[2] = q
    record[3] = total
    record[4] = agreeing


_PIECE = 10_000_000  # components a call: some hundredths of a second
_ROOM = 2**22  # numbers that the replicas of a call may remember: 32 MiB
# Inputs are drawn ahead of a few learners that go at the same pace, for so many
# learners and examples, or fewer: as many numbers as stay in the second cache. Short
# rows need company, since what happens once for an example takes as long as they do.
_AHEAD, _GROUP, _NUMBERS = 64, 4, 2**14
_LEAST = 4  # examples: the first of each block is looked at in a pass of its own


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    law: int  # of the inputs
    n: int  # weights
    memory: int  # size of a state
    tests: int  # inputs of a test
    piece: int  # examples of a call


class Learners(NamedTuple):
    """State of some replicas, one in each row."""

    states: FloatArray
    means: FloatArray
    variances: FloatArray
    targets: FloatArray
    statistics: FloatArray
    inputs: FloatArray  # memory for those of a few replicas
    generators: Words


_LAW = types.structure(Law, _i, _i, _i, _i, _i)
_LEARNERS = types.structure(
    Learners, _rows, _rows, _rows, _rows, _rows, _f[:, :, ::1], types.uint64[:, :, ::1]
)


@force_inlined
def _record(
    positive: Positive,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
    place: tuple[int, int],
    spare: Spare,
) -> None:
    """Record a replica at a mark."""
    r, mark = place
    record, target, mean = (
        progress.records[r, mark],
        learners.targets[r],
        learners.means[r],
    )
    summary(mean, learners.variances[r], target, record)
    record[5] = progress.counts[r, MISTAKES]
    first = progress.counts[r, EXAMPLES] * law.tests
    record[6] = share_wrong(
        law.law, fill, positive, learners.generators[r], (first, law.tests),
        (target, mean), spare,
    )  # fmt: skip
    progress.counts[r, RECORDED] = mark + 1


@kernel(
    types.void, UPDATE, RATE, POSITIVE, FILL, _LAW, _LEARNERS, PROGRESS, allocates=True
)
def _advance(
    update: GroupUpdate,
    rate: Rate,
    positive: Positive,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each, a few of them together."""
    states, means, variances, targets, statistics, inputs, generators = learners
    counts, marks, faults = progress.counts, progress.marks, progress.fault
    n, scale = law.n, 1.0 / math.sqrt(float(law.n))
    group, ahead = len(inputs), inputs.shape[1] - 1
    # The last example of a block is the first of the next.
    labels, squares = np.empty((group, ahead + 1)), np.empty((group, ahead + 1))
    spare = room(n, ahead + 1)
    for first in range(0, len(means), group):
        last = min(first + group, len(means))
        some = slice(first, last)
        together = Group(
            states[some], means[some], variances[some], statistics[some], counts[some],
            faults[some],
        )  # fmt: skip
        done, mark = counts[first, EXAMPLES], counts[first, RECORDED]
        stop, block = done + max(1, law.piece), 0
        while True:
            while mark < marks.size and marks[mark] == done:
                for r in range(first, last):
                    _record(positive, fill, law, learners, progress, (r, mark), spare)
                mark += 1
            if mark == marks.size or done >= stop:
                break
            ready, before = min(block, 1), block
            block = min(ahead, stop - done, marks[mark] - done)
            for g in range(last - first):
                r = first + g
                if ready:
                    for i in range(inputs.shape[2]):
                        inputs[g, 0, i] = inputs[g, before, i]
                    labels[g, 0], squares[g, 0] = labels[g, before], squares[g, before]
                new = slice(ready, block + 1)
                draw_examples(
                    law.law, fill, positive, generators[r], done + ready, targets[r],
                    (inputs[g, new], labels[g, new], squares[g, new]), spare,
                )  # fmt: skip
                if done == 0:
                    sums = sums_of(means, variances, inputs, r, g, 0)
                    for j in range(len(sums)):
                        statistics[r, j] = sums[j]
            given = Examples(inputs, labels, squares)
            learn(update, rate, together, given, (n, law.memory, block), scale)
            done += block


def _begin(experiment: BeliefExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    rule, run = experiment.rule, experiment.run
    n, width, memory = run.dim, padded(run.dim), rule.memory(run.dim)
    batch = Batch(len(replicas), run.marks, experiment.record_size)
    # Whole lines of the cache: what is in two takes twice as long.
    states = aligned_table(batch.size, padded(max(memory, n)))
    means, variances, targets = (aligned_table(batch.size, width) for _ in range(3))
    group = max(1, min(_GROUP, batch.size, _NUMBERS // (_LEAST * width)))
    ahead = max(_LEAST, min(_AHEAD, _NUMBERS // (group * width)))
    targets[:, :n] = experiment.targets(replicas)
    for r in range(batch.size):
        rule.begin(states[r, :memory], means[r, :n], variances[r, :n])
    learners = Learners(
        states,
        means,
        variances,
        targets,
        np.zeros((batch.size, STATISTICS)),
        aligned_table(group, ahead + 1, width),
        run.generators(replicas, USES),
    )
    piece = _PIECE // (batch.size * max(memory, n))
    tests = 0 if experiment.law == GAUSSIANS else experiment.tests
    law = Law(experiment.law, n, memory, tests, piece)
    given = *experiment.functions, law, learners, batch.arrays
    batch.advance = lambda: _advance(*given)
    return batch


def _together(experiment: BeliefExperiment) -> tuple[int, int]:
    """Return numbers of replicas whose memory stays small."""
    n = experiment.run.dim
    return 1, max(1, min(64, _ROOM // (experiment.rule.memory(n) + 3 * n)))


coordinate = Engine("coordinate", _begin, together=_together)
