r"""On-line learning of any thresholded smooth function.

The label of an input is :math:`y = \operatorname{sgn} f(s, w_0)`, wrong with a given
probability; on a mistake,

.. math:: w \leftarrow w + \eta(n)\, y\, \nabla_w f(s, w)
    \quad\text{if}\quad y\, f(s, w) \le 0,  \tag{1}

where :math:`n` is the number of examples, the current one included. Afterwards each
normalised group of weights is rescaled to length 1.

Inputs are drawn in blocks. Weights move on mistakes only. So a loop that is compiled
with the machine goes through a block from one mistake to the next.

All numbers of an example depend on seed, replica and the example's number alone: a
block that is left in the middle is drawn again. So do the inputs of a test.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.compiling import compiled, force_inlined, inlined, kernel, types
from rosenblatt.compiling.blocks import (
    FILL,
    SCAN,
    Fill,
    Scan,
    block_size,
    filling,
    scanning,
)
from rosenblatt.compiling.jit import RATE, Rate
from rosenblatt.compiling.vectors import normalise, normalised
from rosenblatt.core import Clock, Machine, Schedule, VectorStream
from rosenblatt.core.arguments import number, part, shown, whole
from rosenblatt.core.trace import installed
from rosenblatt.core.types import HUGE, FloatArray, IntArray, Words
from rosenblatt.numerics.random import apart, normal, uniforms
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    Run,
)
from rosenblatt.simulation.experiment import Engine, Experiment
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import ScheduleLike, schedule_of, stream_for
from rosenblatt.specification.probing import probe, probe_stream

__all__ = ["MachineExperiment", "machine_experiment", "simulate_machine"]

START, INPUTS, NOISE, TESTS = range(4)  # uses of random numbers


_ABOUT = {
    "weights": "weights of the student",
    "error": "probability that the student's sign is not the label",
    "mistakes": "mistakes so far",
}


@dataclass(frozen=True, eq=False)
class MachineExperiment(Experiment):
    """Students that learn a target of their own kind."""

    machine: Machine
    schedule: Schedule
    stream: VectorStream
    target: FloatArray
    start: FloatArray | None  # (1 or replicas, parameters)
    noise: float
    tests: int
    exact: bool  # whether the machine knows its error

    @property
    def record_size(self) -> int:
        """Numbers of a record: the weights, the mistakes, and errors in tests."""
        return self.machine.parameters + 2

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return type(self.machine).__name__

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        target, value, rate, change = (float(number) for number in fault[:4])
        what = f"machine {self.machine!r} left the finite numbers"
        if not math.isfinite(rate):
            what = f"schedule {self.schedule!r} returned rate {rate}"
        return ArithmeticError(
            f"{what} {self.run.place(replica, example)}: f = {value} (of the target "
            f"{target}), rate {rate}, largest derivative {change}"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for each replica and use."""
        return self.run.generators(replicas, TESTS + 1)

    def students(self, replicas: range) -> FloatArray:
        """Return the first weights."""
        weights = np.empty((len(replicas), self.machine.parameters))
        if self.start is None:
            _gaussians(self.generators(replicas), weights)
        elif len(self.start) == 1:
            weights[:] = self.start
        else:
            weights[:] = self.start[replicas.start : replicas.stop]
        return normalised(weights, self.machine.groups)

    @property
    def spec(self) -> dict[str, Any]:
        """Name of the public function and its arguments, as plain data."""
        return describe(
            "simulate_machine",
            machine=self.machine,
            schedule=self.schedule,
            target=self.target,
            stream=self.stream,
            **self.run.numbers,
            noise=self.noise,
            start=self.start,
            tests=self.tests,
        )

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records, with errors in tests turned into those of labels."""
        size = self.machine.parameters
        weights = np.ascontiguousarray(records[..., :size])
        wrong = records[..., size + 1] / self.tests
        if self.exact:
            rows = weights.reshape(-1, size)
            known = self.machine.error(rows, self.target, self.stream)
            assert known is not None
            wrong = known.reshape(wrong.shape)
        each = ("replica", "example")
        variables = {
            "weights": ((*each, "parameter"), weights),
            "error": (each, self.noise + (1 - 2 * self.noise) * wrong),
            "mistakes": (each, np.ascontiguousarray(records[..., size])),
        }
        return xr.Dataset(
            {
                name: (dims, values, {"long_name": _ABOUT[name]})
                for name, (dims, values) in variables.items()
            },
            coords={
                "replica": np.arange(self.run.replicas),
                "example": ("example", self.run.marks, {"long_name": "examples"}),
                "parameter": np.arange(size),
            },
            attrs={
                "engine": engine,
                "machine": repr(self.machine),
                "schedule": repr(self.schedule),
                "stream": repr(self.stream),
                "seed": self.run.seed,
                "exact": int(self.exact),
                "version": installed(),
                "spec": json.dumps(self.spec),
            },
        )


@kernel(types.void, types.uint64[:, :, ::1], types.float64[:, ::1])
def _gaussians(words: Words, weights: FloatArray) -> None:
    for r in range(len(weights)):
        for i in range(weights.shape[1]):
            weights[r, i] = normal(words[r, START])


def _sizes(machine: Machine) -> None:
    """Refuse sizes that do not fit together."""
    whole("machine.inputs", machine.inputs, low=1)
    parameters = whole("machine.parameters", machine.parameters, low=1)
    groups = whole("machine.groups", machine.groups, low=0)
    if groups > 0 and parameters % groups != 0:
        raise ValueError(
            f"machine.groups must divide its {parameters} parameters, got {groups}"
        )


def _weights(name: str, value: Any, shapes: list[tuple[int, ...]]) -> FloatArray:
    """Return finite weights of one of these shapes, in rows."""
    wanted = " or ".join(str(shape) for shape in shapes)
    try:
        given = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be an array of shape {wanted}, got {shown(value)}"
        ) from None
    if given.shape not in shapes:
        raise ValueError(
            f"{name} must be an array of shape {wanted}, got shape {given.shape}"
        )
    if not np.isfinite(given).all():
        raise ValueError(f"{name} must be finite numbers, got {given}")
    return np.atleast_2d(given)


def machine_experiment(
    machine: Machine,
    schedule: ScheduleLike,
    target: npt.ArrayLike,
    stream: VectorStream | None,
    *,
    noise: float,
    start: npt.ArrayLike | None,
    tests: int,
    examples: float | Iterable[float],
    **numbers: Any,
) -> MachineExperiment:
    """Check the arguments of ``simulate_machine``."""
    run = Run.at_examples(examples, **numbers)
    part("machine", Machine, machine)
    _sizes(machine)
    stream = stream_for(machine, stream)
    size = machine.parameters
    aim = normalised(_weights("target", target, [(size,)]), machine.groups, "target")
    probe(machine, aim[0])
    probe_stream(stream)
    first = None
    if start is not None:
        first = _weights("start", start, [(size,), (run.replicas, size)])
        normalised(first, machine.groups, "start")  # refuses what has no direction
    return MachineExperiment(
        run,
        machine,
        schedule_of(schedule),
        stream,
        aim[0],
        first,
        noise=number("noise", noise, low=0, high=0.5),
        tests=whole("tests", tests, low=1),
        exact=machine.error(aim, aim[0], stream) is not None,
    )


TESTED, WRONG = 4, 5  # entries of a replica's counts: of the test under way
_PIECE = 10_000_000  # components a call: some hundredths of a second

_f, _i = types.float64, types.int64


@inlined
def _label(values: FloatArray, flips: FloatArray, noise: float, y: FloatArray) -> None:
    """Turn the target's values into labels; NaN stays, and is reported later."""
    for i in range(values.size):
        y[i] = 1.0 if values[i] > 0.0 else (-1.0 if values[i] <= 0.0 else values[i])
        if noise > 0.0 and flips[i] < noise:
            y[i] = -y[i]


@inlined
def _move(
    w: FloatArray, gain: float, gradient: FloatArray, groups: int
) -> tuple[bool, float]:
    """Move the weights; return whether all are finite, and the largest derivative."""
    finite, most = True, 0.0
    for i in range(w.size):
        w[i] += gain * gradient[i]
        if not abs(gradient[i]) <= most:
            most = abs(gradient[i])
    normalise(w, groups)
    for i in range(w.size):
        finite = finite and abs(w[i]) <= HUGE
    return finite, most


class Problem(NamedTuple):
    """Numbers that stay the same during a run."""

    target: FloatArray  # weights to be learned
    noise: float  # probability of a wrong label
    dim: int  # components of an input
    block: int  # inputs drawn together
    groups: int  # of weights that are normalised
    tests: int  # inputs of a test
    piece: int  # inputs of a call


class Room(NamedTuple):
    """Memory for a block of inputs."""

    inputs: FloatArray
    fresh: FloatArray  # inputs of a test
    values: FloatArray  # of the student
    theirs: FloatArray  # of the target
    labels: FloatArray
    flips: FloatArray  # uniform numbers, or the target's values in a test
    gradient: FloatArray
    nothing: FloatArray


_WORDS = types.uint64[:, :, ::1]
_PROBLEM = types.structure(Problem, _f[::1], _f, _i, _i, _i, _i, _i)


@inlined
def _test(
    scan: Scan,
    fill: Fill,
    problem: Problem,
    room: Room,
    w: FloatArray,
    most: int,
    counts: IntArray,
    words: Words,
) -> int:
    """Continue the test of a student, and return what work is left of the most."""
    inputs, theirs, ours, tests = room.fresh, room.flips, room.values, problem.tests
    rng = apart(words, counts[EXAMPLES])
    rng[2] = words[2]  # where the test was left
    while counts[TESTED] < tests and most > 0:
        last = min(problem.block, tests - counts[TESTED])
        fill(rng, inputs)
        scan(inputs, room.nothing, problem.target, 0, last, theirs, room.gradient)
        scan(inputs, room.nothing, w, 0, last, ours, room.gradient)
        for i in range(last):
            if (ours[i] > 0.0) != (theirs[i] > 0.0):
                counts[WRONG] += 1
        counts[TESTED] += last
        most -= last
    words[2] = rng[2] if counts[TESTED] < tests else np.uint64(0)
    return most


@force_inlined
def _draw(scan: Scan, fill: Fill, problem: Problem, room: Room, words: Words) -> None:
    """Draw a block of inputs and their labels."""
    fill(words[INPUTS], room.inputs)
    scan(
        room.inputs, room.nothing, problem.target, 0, problem.block, room.theirs,
        room.gradient
    )  # fmt: skip
    if problem.noise > 0.0:
        uniforms(room.flips, words[NOISE])
    _label(room.theirs, room.flips, problem.noise, room.labels)


@force_inlined
def _record(w: FloatArray, counts: IntArray, record: FloatArray) -> None:
    """Record weights, mistakes and errors in the test, which then begins anew."""
    for i in range(w.size):
        record[i] = w[i]
    record[w.size] = counts[MISTAKES]
    record[w.size + 1] = counts[WRONG]
    counts[TESTED], counts[WRONG] = 0, 0


@kernel(
    types.void, SCAN, FILL, RATE, _PROBLEM, _f[:, ::1], _WORDS, PROGRESS, allocates=True
)
def _advance(
    scan: Scan,
    fill: Fill,
    rate: Rate,
    problem: Problem,
    students: FloatArray,
    generators: Words,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    block, marks, groups = problem.block, progress.marks, problem.groups
    shape = (block, problem.dim)
    room = Room(
        np.zeros(shape), np.zeros(shape), np.empty(block), np.empty(block),
        np.empty(block), np.empty(block), np.empty(problem.target.size), np.empty(0)
    )  # fmt: skip
    inputs, y, values, gradient = room.inputs, room.labels, room.values, room.gradient
    for r in range(len(students)):
        w, words, counts = students[r], generators[r], progress.counts[r]
        records, fault = progress.records[r], progress.fault[r]
        mark, examples = counts[RECORDED], counts[EXAMPLES]
        left = problem.piece
        while mark < marks.size and left > 0 and counts[FAULT] == 0:
            at = examples % block
            drawn, flipped = words[INPUTS, 2], words[NOISE, 2]
            _draw(scan, fill, problem, room, words)
            while at < block:
                if marks[mark] == examples:
                    counts[EXAMPLES] = examples
                    left = _test(
                        scan, fill, problem, room, w, left, counts, words[TESTS]
                    )
                    if counts[TESTED] < problem.tests:
                        break
                    _record(w, counts, records[mark])
                    mark += 1
                    if mark == marks.size:
                        break
                if left <= 0:
                    break
                last = min(block, at + marks[mark] - examples)
                found = scan(inputs, y, w, at, last, values, gradient)
                examples += found - at
                left -= found - at + 1
                at = found
                if found == last:
                    continue
                at += 1
                examples += 1
                counts[MISTAKES] += 1
                eta = rate(Clock(float(examples), float(counts[MISTAKES]), 1.0))
                finite, most = _move(w, eta * y[found], gradient, groups)
                if not (finite and abs(values[found]) <= HUGE):
                    counts[FAULT] = 1
                    fault[0], fault[1] = room.theirs[found], values[found]
                    fault[2], fault[3] = eta, most
                    break
            if at < block:
                words[INPUTS, 2], words[NOISE, 2] = drawn, flipped
        counts[EXAMPLES], counts[RECORDED] = examples, mark


def _begin(experiment: MachineExperiment, replicas: range) -> Batch:
    """Start some replicas."""
    machine, run, dim = experiment.machine, experiment.run, experiment.machine.inputs
    batch = Batch(len(replicas), run.marks, experiment.record_size)
    problem = Problem(
        experiment.target,
        experiment.noise,
        dim,
        block_size(dim),
        machine.groups,
        0 if experiment.exact else experiment.tests,
        max(1, _PIECE // (batch.size * (dim + machine.parameters))),
    )
    functions = scanning(machine), filling(experiment.stream)
    given = *functions, compiled(experiment.schedule), problem
    state = experiment.students(replicas), experiment.generators(replicas)
    batch.advance = lambda: _advance(*given, *state, batch.arrays)
    return batch


_ENGINE = Engine("machine", _begin)


def simulate_machine(
    machine: Machine,
    schedule: ScheduleLike,
    target: npt.ArrayLike,
    stream: VectorStream | None = None,
    *,
    examples: float | Iterable[float],
    noise: float = 0.0,
    replicas: int = 1,
    seed: int = 0,
    start: npt.ArrayLike | None = None,
    tests: int = 10_000,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students that learn a target of their own kind, by eq. (1).

    Parameters
    ----------
    machine
        The dichotomy, see :mod:`rosenblatt.machines`.
    schedule
        The rate, with ``time`` and ``mistakes`` as plain numbers and ``dim`` 1; any
        function of the clock.
    target
        The weights to be learned; normalised groups are rescaled to length 1.
    stream
        The inputs; by default standard normal.
    examples
        Numbers of examples after which the state is recorded, increasing; 0 is allowed.
    noise
        Probability of a wrong label.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`.
    start
        The first weights, for all replicas or one row for each; by default standard
        normal. Normalised groups are rescaled to length 1.
    tests
        Number of fresh inputs on which the error of a recorded state is measured, where
        the machine does not know it exactly.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica``, ``example`` and ``parameter``; variables ``weights``,
        ``error`` (the probability that the student's sign is not the label, noise
        included) and ``mistakes``. The attribute ``exact`` is 1 where the error is
        exact, 0 where it is a fraction of tests.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate_machine(
    ...     rb.machines.Ball(), rb.schedules.Power(4.0, 1.0, 10.0), target=[0.0, 0.0],
    ...     examples=[0, 10_000], replicas=100)
    >>> dict(run.sizes), run.attrs["exact"]
    ({'replica': 100, 'example': 2, 'parameter': 2}, 1)
    >>> bool(run.error.mean("replica")[1] < 1e-3)
    True
    """
    experiment = machine_experiment(
        machine, schedule, target, stream, noise=noise, start=start, tests=tests,
        examples=examples, replicas=replicas, seed=seed, workers=workers,
        progress=progress,
    )  # fmt: skip
    return _ENGINE.run(experiment)
