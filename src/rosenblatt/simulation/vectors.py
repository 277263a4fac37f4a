r"""Learning from plain examples: labelled classes, or a smooth function's own labels.

Nothing is scaled with the number of weights here: a schedule's ``time`` and
``mistakes`` are plain numbers, and rules see ``dim = 1``.

**Classes** have features :math:`x` and labels :math:`y = \pm 1`, and

.. math:: w \leftarrow (1 - \mathrm{decay})\, w + \mathrm{gain}\, x,  \tag{1}

where gain and decay are the rule's. A mistake is :math:`y\, w \cdot x \le 0`.

**A machine** is any thresholded smooth function. The label of an input is :math:`y =
\operatorname{sgn} f(s, w_0)`, wrong with a given probability; on a mistake,

.. math:: w \leftarrow w + \eta(n)\, y\, \nabla_w f(s, w)
    \quad\text{if}\quad y\, f(s, w) \le 0,  \tag{2}

where :math:`n` is the number of examples, the current one included. Afterwards each
normalised group of weights is rescaled to length 1.

Examples are drawn a few thousand at a time. All students of a replica then learn from
them, one after the other, so that the examples stay in the cache. Students that move on
mistakes only look for the next one in a loop of its own. All numbers of an example
depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.compiling import compiled, inlined, kernel, types
from rosenblatt.compiling.eights import EIGHT, first_not_positive, load, same_eight
from rosenblatt.compiling.jit import Fill, Rate, Scan, block_size, filling, scanning
from rosenblatt.compiling.pointers import address, rate_at, step_at
from rosenblatt.compiling.vectors import normalise, normalised
from rosenblatt.core import Clock, Machine, Percept, Rule, Schedule, VectorStream
from rosenblatt.core.arguments import number, numbers, part, shown, whole
from rosenblatt.core.trace import labelled
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.numerics.random import apart, normal, uniforms
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    Engine,
    Experiment,
    Run,
    broken,
    broken_update,
)
from rosenblatt.specification.parts import (
    RefusalError,
    ScheduleLike,
    probe,
    probe_stream,
    schedule_of,
)
from rosenblatt.streams import Normal, TwoClasses
from rosenblatt.streams.two_classes import BLOCK, EACH, draw_features

Schedules = ScheduleLike | Iterable[ScheduleLike] | Mapping[str, ScheduleLike]
# Uses of random numbers: by machines, and by classes, whose tests have two.
START, INPUTS, NOISE, TESTS = range(4)
USES = 4
TEST_SET = 2
_DRAWN = 8192  # examples drawn at a time, fewer of many components:
_NUMBERS = 2**14  # of 128 kilobytes
_PIECE = 4_000_000  # products a call: some hundredths of a second


# ---- one loop for both


@dataclass(frozen=True, eq=False)
class VectorExperiment(Experiment):
    """Students of plain examples, one for each schedule."""

    schedules: dict[str, Schedule]
    start: FloatArray | None  # rows: one, or one for each replica
    tests: int

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of weights."""

    @property
    @abstractmethod
    def block(self) -> tuple[int, int]:
        """Random numbers that an example needs, and examples that a block holds."""

    @abstractmethod
    def first(self, words: Words) -> FloatArray:
        """Return the first weights where none are given."""

    @abstractmethod
    def learner(self, words: Words, count: int, one: _Replica) -> Learner:
        """Return the functions of a replica that draws so many examples together."""

    @property
    def record_size(self) -> int:
        """Weights, mistakes and errors in the tests of a student of each schedule."""
        return len(self.schedules) * (self.size + 2)

    def by_schedule(self, records: FloatArray) -> FloatArray:
        """Return records as (replica, schedule, mark, number)."""
        shape = (*records.shape[:2], len(self.schedules), self.size + 2)
        return np.ascontiguousarray(records.reshape(shape).swapaxes(1, 2))

    def labelled(
        self, weight: str, numbers: FloatArray, found: dict[str, Any], **about: Any
    ) -> xr.Dataset:
        """Return weights and mistakes from records, and more that was found."""
        each = ("replica", "schedule", "example")
        variables: dict[str, tuple[tuple[str, ...], Any]] = {
            "weights": ((*each, weight), np.ascontiguousarray(numbers[..., :-2])),
            "mistakes": (each, np.ascontiguousarray(numbers[..., -2])),
        }
        variables |= {name: (each, values) for name, values in found.items()}
        along = {
            "replica": np.arange(self.run.replicas),
            "schedule": np.array(list(self.schedules)),
            "example": self.run.marks,
            weight: np.arange(self.size),
        }
        return labelled(variables, along, **about, seed=self.run.seed, spec=self.spec)


class Learner(NamedTuple):
    """Functions of a replica: draw examples from a number on, learn, and test."""

    draw: Callable[[int], None]
    learn: Callable[[int, int, int], None]  # a student, and a range of examples
    wrong: Callable[[FloatArray], int]  # errors of weights in the tests


class _Replica:
    """The students of one replica, one for each schedule, on their way."""

    def __init__(self, task: VectorExperiment, index: int) -> None:
        self.batch = Batch(1, task.run.marks, task.record_size)
        self.batch.advance = self.advance
        words = task.run.generators(range(index, index + 1), USES)[0]
        start = task.first(words)[None] if task.start is None else task.start
        self.weights = np.tile(start[index % len(start)], (len(task.schedules), 1))
        # examples, mistakes and faults of each student, as the ensemble knows them
        shape = len(task.schedules), self.batch.counts.shape[1]
        self.counts = np.zeros(shape, np.int64)
        width, block = task.block
        wanted = min(_DRAWN, _NUMBERS // width, int(task.run.marks[-1]) + block)
        self.count = max(1, wanted // block) * block
        self.pieces = max(1, _PIECE // (self.count * width))
        self.learner = task.learner(words, self.count, self)

    def advance(self) -> None:
        """Compute the next few blocks of examples."""
        for _ in range(self.pieces):
            if self.batch.done or self.batch.counts[0, FAULT]:
                return
            self.learner.draw(int(self.batch.counts[0, EXAMPLES]))
            self._learn_all()

    def _learn_all(self) -> None:
        """Present all drawn examples to all students, and record at the marks."""
        shared, marks = self.batch.counts[0], self.batch.marks
        at = 0
        while True:
            if not self.batch.done and marks[shared[RECORDED]] == shared[EXAMPLES]:
                record = self.batch.records[0, shared[RECORDED]]
                rows = record.reshape(len(self.weights), -1)
                rows[:, :-2] = self.weights
                rows[:, -2] = self.counts[:, MISTAKES]
                rows[:, -1] = [self.learner.wrong(w) for w in self.weights]
                shared[RECORDED] += 1
                continue
            if self.batch.done or at == self.count:
                return
            left = int(marks[shared[RECORDED]] - shared[EXAMPLES])
            stop = min(self.count, at + left)
            for student, counts in enumerate(self.counts):
                self.learner.learn(student, at, stop)
                if counts[FAULT]:
                    shared[[EXAMPLES, FAULT]] = counts[EXAMPLES], 1
                    return
            shared[EXAMPLES] += stop - at
            at = stop


def _run(experiment: VectorExperiment, name: str) -> xr.Dataset:
    """Return the result of an engine of this name."""
    return Engine(
        name,
        lambda own, replicas: _Replica(own, replicas.start).batch,
        together=lambda _: (1, 1),
    ).run(experiment)


# ---- two classes


@dataclass(frozen=True, eq=False)
class ClassesExperiment(VectorExperiment):
    """Students that learn to tell two classes, one for each schedule."""

    rule: Rule
    stream: TwoClasses
    task = "simulate_classes"

    @property
    def size(self) -> int:
        """Number of weights, one for each feature."""
        return self.stream.features

    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for an update that is not finite."""
        return broken_update(self.rule, self.schedules, place, fault)

    @property
    def block(self) -> tuple[int, int]:
        """Random numbers that an example needs, and examples that a block holds."""
        return self.size, BLOCK

    def first(self, words: Words) -> FloatArray:
        """Return zeros."""
        return np.zeros(self.size)

    def learner(self, words: Words, count: int, one: _Replica) -> Learner:
        """Return the functions of a replica."""
        law = self.stream.law()
        X = np.empty((self.size, count))
        labels = np.empty(count)
        rule, quiet = address(self.rule), self.rule.mistakes_only
        rates = [address(schedule) for schedule in self.schedules.values()]
        # a test set with as many examples of each class
        wanted = 2 * self.tests
        size = -(-wanted // BLOCK) * BLOCK
        tests, answers = np.empty((self.size, size)), np.empty(size)
        draw_features(words[TEST_SET:], law._replace(prior=EACH), 0, tests, answers)
        tests, answers = np.ascontiguousarray(tests[:, :wanted]), answers[:wanted]

        def draw(first: int) -> None:
            draw_features(words[:TEST_SET], law, first // BLOCK, X, labels)

        def learn(student: int, start: int, stop: int) -> None:
            w, counts = one.weights[student], one.counts[student]
            fault = one.batch.fault[0]
            _learn(
                rule, rates[student], quiet, X, labels, start, stop, w, counts, fault
            )

        def wrong(w: FloatArray) -> int:
            return int(np.count_nonzero(answers * (w @ tests) <= 0.0))

        return Learner(draw, learn, wrong)

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of ``simulate_classes``."""
        return {
            "rule": self.rule,
            "schedules": list(self.schedules.values()),
            "names": list(self.schedules),
            "stream": self.stream,
            "start": None if self.start is None else self.start[0],
            "tests": self.tests,
        }

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records with their labels, and exact errors."""
        numbers, stream = self.by_schedule(records), self.stream
        found = {"error": stream.error(numbers[..., :-2])}
        if self.tests > 0:
            found["test_error"] = numbers[..., -1] / (2 * self.tests)
        about = {"engine": engine, "rule": repr(self.rule), "stream": repr(stream)}
        best = {"bayes_error": stream.bayes_error} if stream.solvable else {}
        return self.labelled("weight", numbers, found, **about, **best)


def _named(schedules: Schedules, names: Iterable[str] | None) -> dict[str, Schedule]:
    """Return the schedules by the given names, or by their representations."""
    if isinstance(schedules, Mapping):
        names, listed = list(schedules), list(schedules.values())
    elif callable(schedules) or not isinstance(schedules, Iterable):
        listed = [schedules]
    else:
        listed = list(schedules)
    parts = [schedule_of(schedule) for schedule in listed]
    labels = [repr(p) for p in parts] if names is None else [str(n) for n in names]
    if len(labels) != len(parts):
        raise ValueError(
            f"names must be {len(parts)}, one for each schedule, got {labels}"
        )
    found = dict(zip(labels, parts, strict=True))
    if not parts or len(found) < len(parts):
        raise ValueError(
            f"schedules must be one or more, all different, got {shown(schedules)}"
        )
    return found


def classes_experiment(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    start: npt.ArrayLike | None,
    tests: int,
    names: Iterable[str] | None,
    examples: float | Iterable[float],
    **others: Any,
) -> ClassesExperiment:
    """Check the arguments of ``simulate_classes``."""
    run = Run.at_examples(examples, **others)
    part("rule", Rule, rule)
    part("stream", TwoClasses, stream)
    if rule.shift is not None:
        raise RefusalError(
            f"rule {rule!r} has a shift, which is not known for labelled classes; "
            "take the rule without, or rosenblatt.OnlinePerceptron"
        )
    rule.check_dim(1)  # examples are not counted per weight
    found = ClassesExperiment(
        run,
        _named(schedules, names),
        None if start is None else numbers("start", start, (stream.features,))[None],
        whole("tests", tests, low=0),
        rule,
        stream,
    )
    for each in (rule, *found.schedules.values()):
        compiled(each)  # what does not compile fails before anything runs
    return found


@inlined
def _next_mistake(
    X: FloatArray, labels: FloatArray, w: FloatArray, row: int, stop: int
) -> int:
    """Return the first row from this one on that is a mistake, or ``stop``."""
    columns = X.shape[1]
    while row + EIGHT <= stop:
        field = same_eight(0.0)
        for i in range(w.size):
            field = field + same_eight(w[i]) * load(X, i * columns + row)
        ahead: int = first_not_positive(field * load(labels, row))
        if ahead < EIGHT:
            return row + ahead
        row += EIGHT  # a constant: the next eight need not wait for these
    while row < stop:
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[i, row]
        if labels[row] * h <= 0.0:
            return row
        row += 1
    return row


@kernel()
def _learn(
    rule: int,
    schedule: int,
    mistakes_only: bool,
    X: types.Matrix,
    labels: types.Vector,
    start: int,
    stop: int,
    w: types.Vector,
    counts: types.Wholes,
    fault: types.Vector,
) -> None:
    """Show examples to one student: eq. (1).

    Rule and schedule are addresses: to pass functions takes longer than to learn.
    """
    step, rate = step_at(rule), rate_at(schedule)
    size, examples, mistakes = w.size, counts[EXAMPLES] - start, counts[MISTAKES]
    q = 0.0
    for i in range(size):
        q += w[i] * w[i]
    row = start
    while row < stop:
        if mistakes_only:
            row = _next_mistake(X, labels, w, row, stop)
            if row == stop:
                break
        y, h, x2 = labels[row], 0.0, 0.0
        for i in range(size):
            h += w[i] * X[i, row]
            x2 += X[i, row] * X[i, row]
        if y * h <= 0.0:
            mistakes += 1
        row += 1
        eta = rate(Clock(float(examples + row), float(mistakes), 1.0))
        p = Percept(h, y, q, x2, eta, 1.0, 0.0)
        u = step(p)
        if broken(p, u, counts, fault):
            counts[EXAMPLES] = examples + row
            return
        q = 0.0
        for i in range(size):
            w[i] = (1.0 - u.decay) * w[i] + u.gain * X[i, row - 1]
            q += w[i] * w[i]
    counts[EXAMPLES], counts[MISTAKES] = examples + stop, mistakes


def simulate_classes(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    examples: float | Iterable[float],
    replicas: int = 1,
    seed: int = 0,
    start: npt.ArrayLike | None = None,
    tests: int = 0,
    names: Iterable[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students that learn to tell two classes, by eq. (1).

    Parameters
    ----------
    rule
        The learning rule, without a shift.
    schedules
        One schedule, several, or a mapping of names to schedules. All students of a
        replica see the same examples; ``time`` is their number.
    stream
        The classes, see :class:`rosenblatt.streams.TwoClasses`.
    examples
        Numbers of examples after which the state is recorded, increasing; 0 is allowed.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`. Other schedules do not change a replica.
    start
        The first weights, one for each feature; by default zero.
    tests
        Size of a test set that each replica has, of each class, whatever the prior of
        the stream. The exact error is there without one, and knows the prior.
    names
        Names of the schedules in the result; by default their representations.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica``, ``schedule``, ``example`` and ``weight``; variables
        ``weights``, ``error`` (exact given the weights), ``mistakes`` and, with tests,
        ``test_error``. The attribute ``bayes_error`` is the least error there can be.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> stream = rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=1)
    >>> run = rb.simulate_classes(
    ...     rb.rules.Perceptron(), {"slow": rb.schedules.Power(1.0, 0.6),
    ...     "per mistake": rb.schedules.PerMistake()}, stream, examples=[100, 10_000],
    ...     replicas=50)
    >>> dict(run.sizes)
    {'replica': 50, 'schedule': 2, 'example': 2, 'weight': 3}
    >>> bool((run.error >= run.attrs["bayes_error"]).all())
    True
    """
    experiment = classes_experiment(
        rule, schedules, stream, start=start, tests=tests, names=names,
        examples=examples, replicas=replicas, seed=seed, workers=workers,
        progress=progress,
    )  # fmt: skip
    return _run(experiment, "classes")


# ---- machines


@dataclass(frozen=True, eq=False)
class MachineExperiment(VectorExperiment):
    """Students that learn a target of their own kind."""

    machine: Machine
    stream: VectorStream
    target: FloatArray
    noise: float
    exact: bool  # whether the machine knows its error
    task = "simulate_machine"

    @property
    def size(self) -> int:
        """Number of weights, the parameters."""
        return self.machine.parameters

    @property
    def schedule(self) -> Schedule:
        """The only schedule."""
        (schedule,) = self.schedules.values()
        return schedule

    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        label, value, rate, change = (float(number) for number in fault[:4])
        what = f"machine {self.machine!r} left the finite numbers"
        if not math.isfinite(rate):
            what = f"schedule {self.schedule!r} returned rate {rate}"
        return ArithmeticError(
            f"{what} {place}: f = {value}, label {label:g}, "
            f"rate {rate}, largest derivative {change}"
        )

    @property
    def block(self) -> tuple[int, int]:
        """Random numbers that an example needs, and examples that a block holds."""
        return self.machine.inputs, block_size(self.machine.inputs)

    def first(self, words: Words) -> FloatArray:
        """Return standard normal weights, rescaled if the machine asks for it."""
        weights = np.empty((1, self.size))
        _gaussians(words[START], weights[0])
        found: FloatArray = normalised(weights, self.machine.groups)[0]
        return found

    def learner(self, words: Words, count: int, one: _Replica) -> Learner:
        """Return the functions of a replica."""
        (dim, block), groups = self.block, self.machine.groups
        scan = scanning(self.machine)
        fill = filling(self.stream)
        rate = compiled(self.schedule)
        X = np.zeros((count, dim))
        labels = np.empty(count)
        tests = np.zeros((block, dim))
        wanted = 0 if self.exact else self.tests
        drawn = scan, fill, self.target

        def draw(first: int) -> None:
            _draw(*drawn, self.noise, X, labels, block, words)

        def learn(student: int, start: int, stop: int) -> None:
            state = one.weights[0], one.counts[0], one.batch.fault[0]
            _learn_machine(scan, rate, X, labels, groups, start, stop, *state)

        def wrong(w: FloatArray) -> int:
            rng = apart(words[TESTS], int(one.batch.counts[0, EXAMPLES]))
            return int(_differ(*drawn, w, tests, rng, wanted))

        return Learner(draw, learn, wrong)

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of ``simulate_machine``."""
        known = "machine", "schedule", "target", "stream", "noise", "start", "tests"
        return {name: getattr(self, name) for name in known}

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records, with errors in tests turned into those of labels."""
        numbers = self.by_schedule(records)
        wrong = numbers[..., -1] / self.tests
        if self.exact:
            rows = np.ascontiguousarray(numbers[..., :-2]).reshape(-1, self.size)
            known = self.machine.error(rows, self.target, self.stream)
            assert known is not None
            wrong = known.reshape(wrong.shape)
        about = {
            "engine": engine,
            "machine": repr(self.machine),
            "schedule": repr(self.schedule),
            "stream": repr(self.stream),
            "exact": int(self.exact),
        }
        found = {"error": self.noise + (1 - 2 * self.noise) * wrong}
        result = self.labelled("parameter", numbers, found, **about)
        return result.isel(schedule=0, drop=True)


def _sizes(machine: Machine) -> None:
    """Refuse sizes that do not fit together."""
    whole("machine.inputs", machine.inputs, low=1)
    parameters = whole("machine.parameters", machine.parameters, low=1)
    groups = whole("machine.groups", machine.groups, low=0)
    if groups > 0 and parameters % groups != 0:
        raise ValueError(
            f"machine.groups must divide its {parameters} parameters, got {groups}"
        )


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
    **others: Any,
) -> MachineExperiment:
    """Check the arguments of ``simulate_machine``."""
    run = Run.at_examples(examples, **others)
    part("machine", Machine, machine)
    _sizes(machine)
    stream = Normal(machine.inputs) if stream is None else stream
    if part("stream", VectorStream, stream).dim != machine.inputs:
        raise ValueError(
            f"stream must have {machine.inputs} components as the machine has inputs, "
            f"got {shown(stream)}"
        )
    size = machine.parameters
    aim = numbers("target", target, (size,))[None]
    aim = normalised(aim, machine.groups, "target")
    probe(machine, aim[0])
    probe_stream(stream)
    first = None
    if start is not None:
        first = np.atleast_2d(numbers("start", start, (size,), (run.replicas, size)))
        first = normalised(first, machine.groups, "start")
    return MachineExperiment(
        run,
        {"": schedule_of(schedule)},
        first,
        whole("tests", tests, low=1),
        machine,
        stream,
        aim[0],
        number("noise", noise, low=0, high=0.5),
        machine.error(aim, aim[0], stream) is not None,
    )


@kernel()
def _gaussians(rng: types.WordVector, weights: types.Vector) -> None:
    for i in range(weights.size):
        weights[i] = normal(rng)


@kernel(allocates=True)
def _draw(
    scan: Scan,
    fill: Fill,
    target: types.Vector,
    noise: float,
    X: types.Matrix,
    labels: types.Vector,
    block: int,
    words: types.WordMatrix,
) -> None:
    """Draw inputs block by block, and their labels; NaN stays, and is reported."""
    nothing, gradient, flips = np.empty(0), np.empty(target.size), np.empty(block)
    for first in range(0, len(X), block):
        inputs, y = X[first : first + block], labels[first : first + block]
        fill(words[INPUTS], inputs)
        scan(inputs, nothing, target, 0, block, y, gradient)
        if noise > 0.0:
            uniforms(flips, words[NOISE])
        for i in range(block):
            y[i] = 1.0 if y[i] > 0.0 else (-1.0 if y[i] <= 0.0 else y[i])
            if noise > 0.0 and flips[i] < noise:
                y[i] = -y[i]


@kernel(allocates=True)
def _learn_machine(
    scan: Scan,
    rate: Rate,
    X: types.Matrix,
    labels: types.Vector,
    groups: int,
    start: int,
    stop: int,
    w: types.Vector,
    counts: types.Wholes,
    fault: types.Vector,
) -> None:
    """Show examples to a student: eq. (2)."""
    values, gradient = np.empty(stop), np.empty(w.size)
    row = start
    while row < stop:
        found = scan(X, labels, w, row, stop, values, gradient)
        counts[EXAMPLES] += min(found + 1, stop) - row
        row = found + 1
        if found == stop:
            return
        counts[MISTAKES] += 1
        eta = rate(Clock(float(counts[EXAMPLES]), float(counts[MISTAKES]), 1.0))
        gain, most, finite = eta * labels[found], 0.0, abs(values[found]) <= HUGE
        for i in range(w.size):
            w[i] += gain * gradient[i]
            if not abs(gradient[i]) <= most:
                most = abs(gradient[i])
        normalise(w, groups)
        for i in range(w.size):
            finite = finite and abs(w[i]) <= HUGE
        if not finite:
            counts[FAULT] = 1
            fault[0], fault[1] = labels[found], values[found]
            fault[2], fault[3] = eta, most
            return


@kernel(allocates=True)
def _differ(
    scan: Scan,
    fill: Fill,
    target: types.Vector,
    w: types.Vector,
    inputs: types.Matrix,
    rng: types.WordVector,
    tests: int,
) -> int:
    """Return on how many fresh inputs the signs of student and target differ."""
    wrong, block = 0, len(inputs)
    nothing, gradient = np.empty(0), np.empty(w.size)
    theirs, ours = np.empty(block), np.empty(block)
    for first in range(0, tests, block):
        last = min(block, tests - first)
        fill(rng, inputs)
        scan(inputs, nothing, target, 0, last, theirs, gradient)
        scan(inputs, nothing, w, 0, last, ours, gradient)
        for i in range(last):
            if (ours[i] > 0.0) != (theirs[i] > 0.0):
                wrong += 1
    return wrong


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
    """Simulate students that learn a target of their own kind, by eq. (2).

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
    return _run(experiment, "machine")
