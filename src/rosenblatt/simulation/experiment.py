"""One experiment, checked once, the engine that runs it, and its replicas.

An experiment has all that a simulation depends on. Engines are functions of it:
``refusal(experiment)`` says why an engine cannot run it, ``begin(experiment,
replicas)`` starts a few replicas. Each public function checks its arguments by making
an experiment, and the experiment labels the records.

A kernel advances a few replicas without the GIL, for a bounded piece of work at a time.
Randomness belongs to a replica, not to a thread, so results do not depend on how many
threads there are. Ctrl-C is noticed between two pieces, within a fraction of a second.
"""

from __future__ import annotations

import functools
import math
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np
import xarray as xr

from rosenblatt.compiling import compiled, force_inlined, inlined, types
from rosenblatt.compiling.jit import mapped, over_arrays
from rosenblatt.core import (
    AverageShift,
    FixedShift,
    Heading,
    Percept,
    Update,
    VectorStream,
    starts,
)
from rosenblatt.core.arguments import flag, increasing, numbers, shown, whole
from rosenblatt.core.parts import UNIFORM
from rosenblatt.core.trace import field_trace, trace
from rosenblatt.core.types import HUGE, SHORTEST, FloatArray, IntArray, Words
from rosenblatt.numerics.random import generator, generators
from rosenblatt.simulation.rotation import Rotations, rotations_of
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import Parts, RefusalError, gather, probe_stream
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.threads import core_count

# Entries of a replica's counts; the last two are each engine's own.
EXAMPLES, MISTAKES, RECORDED, FAULT, LABELS, NEXT = range(6)
_PATIENCE = 1.0  # seconds before a progress bar appears, and for threads to stop
_TOGETHER = 64  # replicas that a kernel may advance
_SHARES = 8  # batches for each worker, so that all end at about the same time


EXACT = 2**53  # examples: up to here a float tells a whole number from the next
MOST = 2**61  # examples; kernels use 2**62 for never
_STATES = 2**28  # recorded; four numbers each are 8 GiB


@dataclass(frozen=True, eq=False)
class Run:
    """Checked numbers of a simulation, the same for all engines.

    Build it with :meth:`at_alpha` or :meth:`at_examples`.

    Examples
    --------
    >>> run = Run.at_alpha([0.5, 2], 10, replicas=3, seed=0, workers=1, progress=None)
    >>> run.marks
    array([ 5, 20])
    """

    marks: IntArray  # numbers of examples after which the state is recorded
    dim: int  # N; 1 where examples are not counted per weight
    alpha: FloatArray  # marks per weight, as they were asked for
    replicas: int
    seed: int
    workers: int | None  # None: one thread per core
    progress: bool | None  # None: a bar in a terminal
    per_weight: bool = True  # whether examples are counted so

    def __post_init__(self) -> None:
        for name, low in (("replicas", 1), ("seed", 0), ("workers", 1)):
            given = getattr(self, name)
            if given is not None or name != "workers":
                object.__setattr__(self, name, whole(name, given, low=low))
        if self.progress is not None:
            flag("progress", self.progress)
        if self.replicas * self.marks.size > _STATES:
            raise ValueError(
                f"replicas must be at most {_STATES // self.marks.size} for "
                f"{self.marks.size} recorded times, got {self.replicas}"
            )

    @classmethod
    def at_alpha(
        cls,
        alpha: float | Iterable[float],
        dim: int,
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
        *,
        most: int = EXACT,
    ) -> Run:
        """Return a run recorded after given numbers of examples per weight."""
        dim = whole("dim", dim, low=1)
        alphas = increasing("alpha", alpha)
        if dim > EXACT:
            raise ValueError(f"dim must be at most {EXACT}, got {dim!s:.40}")
        if alphas[-1] * dim > most:
            raise ValueError(
                f"alpha * dim must not exceed {most:.1e} examples, "
                f"got {alphas[-1] * dim:.1e}"
            )
        marks = np.array([round(a * dim) for a in alphas], dtype=np.int64)
        return cls(marks, dim, alphas, replicas, seed, workers, progress)

    @classmethod
    def at_examples(
        cls,
        examples: float | Iterable[float],
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
    ) -> Run:
        """Return a run recorded after given numbers of examples."""
        given = increasing("examples", examples)
        for n in given[(given != np.floor(given)) | (given > EXACT)]:
            raise ValueError(f"examples must be whole numbers up to 2**53, got {n}")
        marks = given.astype(np.int64)
        return cls(marks, 1, given, replicas, seed, workers, progress, False)

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers that a specification has, in the order in which it has them."""
        last = {"replicas": self.replicas, "seed": self.seed}
        if self.per_weight:
            return {"dim": self.dim, "alpha": self.alpha, **last}
        return {"examples": self.marks, **last}

    def place(self, replica: int, example: int) -> str:
        """Return words for an example of a replica, for error messages."""
        alpha = f" (alpha = {example / self.dim:g})" if self.dim > 1 else ""
        return f"in replica {replica} at example {example}{alpha}"

    def generators(self, replicas: range, uses: int) -> Words:
        """Return random numbers for each replica and use: (replica, use, 3)."""
        return generators(self.seed, replicas, uses)

    def seeds(self, replica: int) -> tuple[np.random.Generator, Words, Words, Words]:
        """Return generators for the start, examples, rejected draws and turns.

        They depend on the seed and the number of the replica, on nothing else.
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replica,))
        first, *others = sequence.spawn(4)
        examples, spare, turns = (generator(one) for one in others)
        return np.random.default_rng(first), examples, spare, turns


@dataclass
class Batch:
    """State of a few replicas: kernels write it, the ensemble reads it."""

    size: int
    marks: IntArray
    record_size: int = 4
    advance: Callable[[], object] = field(init=False)  # one bounded piece of work

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.size, 6), np.int64)
        self.records = np.zeros((self.size, self.marks.size, self.record_size))
        self.fault = np.zeros((self.size, len(Percept._fields) + len(Update._fields)))
        self.arrays = Progress(self.counts, self.marks, self.records, self.fault)

    def begin(self, row: int, state: starts.StartState) -> None:
        """Set a replica to the state in which its start leaves it."""
        counts, early = self.counts[row], len(state.early)
        if early:
            self.records[row, :early, :3] = state.early
        counts[EXAMPLES], counts[RECORDED] = state.examples, early
        counts[LABELS] = state.labels

    @property
    def done(self) -> bool:
        """True if all marks of all replicas are recorded."""
        return bool((self.counts[:, RECORDED] == self.marks.size).all())

    @property
    def fraction(self) -> FloatArray:
        """Share of its examples that each replica has seen."""
        return np.asarray(self.counts[:, EXAMPLES] / max(self.marks[-1], 1))


@inlined
def broken(p: Percept, u: Update, counts: IntArray, fault: FloatArray) -> bool:
    """Return whether numbers cannot be trusted, and if so store state and update.

    They are not finite, the rate is negative, or the weights are too short. Weights
    that are 0 are not too short: rules begin there.
    """
    # Comparisons, since reordered sums would turn x - x == 0 into true.
    long_enough = p.norm2 >= SHORTEST * SHORTEST or p.norm2 <= 0.0
    finite = abs(u.gain) <= HUGE and abs(u.decay) <= HUGE and p.norm2 <= HUGE
    if finite and long_enough and not p.rate < 0.0:
        return False
    counts[FAULT] = 1
    for j in range(len(p)):
        fault[j] = p[j]
    fault[len(p)] = u.gain
    fault[len(p) + 1] = u.decay
    return True


@force_inlined
def shift_ratio(
    kind: int, h: float, product: float, examples: int, labels: int
) -> float:
    """Return the shift that is learned, in units of the average of label * x."""
    above, below = h, product
    if kind == UNIFORM:
        above, below = examples - 1.0, float(labels)
    right = product > 0.0 and below != 0.0  # else it is too early for a shift
    return above / below if right else 0.0


class Progress(NamedTuple):
    """Arrays of a batch, as kernels take them."""

    counts: types.WholeMatrix  # (replica, entry)
    marks: types.Wholes
    records: types.Tensor  # (replica, mark, numbers)
    fault: types.Matrix  # (replica, numbers)


@dataclass(frozen=True, eq=False)
class Experiment(ABC):
    """All that a simulation depends on, checked."""

    run: Run
    task: ClassVar[str] = "simulate"  # the public function

    @property
    @abstractmethod
    def record_size(self) -> int:
        """Number of entries of a replica's record."""

    @abstractmethod
    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for numbers that cannot be trusted, at a place of a run."""

    @abstractmethod
    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records, (replica, mark, numbers), as a result."""

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of the public function, but for the numbers of the run."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name != "run"
        }

    @property
    def spec(self) -> dict[str, Any]:
        """Name of the public function and its arguments, as plain data."""
        return describe(self.task, **self.given, **self.run.numbers)

    def about(self, engine: str) -> dict[str, Any]:
        """Return attributes of a result that name engine, N and specification."""
        spec = self.spec | {"engine": engine}
        return {"engine": engine, "dim": self.run.dim, "spec": spec}


@dataclass(frozen=True)
class Engine:
    """A way to run experiments.

    Parameters
    ----------
    name
        Name in results.
    begin
        Starts some replicas of an experiment.
    refusal
        Returns the reason why it cannot run an experiment, and an engine that can; or
        None.
    together
        Returns the least (but for the last) and the largest number of replicas that it
        advances together.
    """

    name: str
    begin: Callable[[Any, range], Batch]
    refusal: Callable[[Any], str | None] = lambda _: None
    together: Callable[[Any], tuple[int, int]] = lambda _: (1, _TOGETHER)

    def run(self, experiment: Experiment) -> xr.Dataset:
        """Return the result of an experiment."""
        reason = self.refusal(experiment)
        if reason is not None:
            raise RefusalError(f"engine {self.name!r} cannot run this: {reason}")
        return experiment.label(self.name, run_replicas(experiment, self))


class _StoppedError(Exception):
    """The user pressed Ctrl-C, or an earlier replica failed."""


def _complete(
    task: Experiment,
    engine: Engine,
    replicas: range,
    stopped: Callable[[int], bool],
    progress: FloatArray,
) -> FloatArray:
    """Run a few replicas to their end and return their records."""
    batch = engine.begin(task, replicas)
    while not batch.done:
        if stopped(replicas.start):
            raise _StoppedError
        batch.advance()
        for row in np.flatnonzero(batch.counts[:, FAULT]):
            place = task.run.place(replicas[row], int(batch.counts[row, EXAMPLES]))
            raise task.failure(place, batch.fault[row])
        progress[replicas] = batch.fraction
    progress[replicas] = 1.0
    return batch.records


def run_replicas(task: Experiment, engine: Engine) -> FloatArray:
    """Return the records of all replicas: (replica, mark, numbers).

    Short runs go to the kernel together, since threads that take turns in Python would
    wait for each other.
    """
    least, most = engine.together(task)
    replicas, marks = task.run.replicas, task.run.marks
    workers = min(task.run.workers or core_count(), replicas)
    size = max(least, min(most, replicas // (_SHARES * workers)))
    batches = [
        range(first, min(first + size, replicas)) for first in range(0, replicas, size)
    ]
    records = np.empty((replicas, marks.size, task.record_size))
    progress = np.zeros(replicas)
    failures: dict[int, BaseException] = {}
    left = iter(batches)
    lock, stop = threading.Lock(), threading.Event()

    def stopped(replica: int) -> bool:
        # Those before one that failed go on: the first of all failures is reported,
        # whichever thread came to it first.
        return stop.is_set() or any(failed < replica for failed in list(failures))

    def work() -> None:
        while True:
            with lock:
                few = next(left, None)
            if few is None or stopped(few.start):
                return
            try:
                found = _complete(task, engine, few, stopped, progress)
                records[few.start : few.stop] = found
            except _StoppedError:
                return
            except BaseException as failure:
                failures[few.start] = failure
                return

    words, shown = f"{engine.name}: {replicas} replicas", task.run.progress
    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        if not shown:  # most runs end before they need a bar
            threads[-1].join(_PATIENCE)
        with ProgressBar(1.0, shown=shown, counted=False) as bar:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)
                    bar.update(float(progress.mean()), words)
    finally:
        stop.set()
        until = time.monotonic() + _PATIENCE  # a rule may never return
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(0.0, until - time.monotonic()))
    if failures:
        raise failures[min(failures)]
    return records


def broken_update(
    rule: object, schedule: object, place: str, fault: FloatArray
) -> ArithmeticError:
    """Return the error for an update that cannot be trusted, at a place of a run."""
    *entries, gain, decay = (float(f) for f in fault)
    percept = Percept(*entries)
    finite = math.isfinite(gain) and math.isfinite(decay) and percept.rate >= 0
    if 0 < percept.norm2 < SHORTEST**2 and finite:
        return ArithmeticError(
            f"weights of rule {rule!r} have become too short {place}: their length "
            f"over sqrt(N) must be {SHORTEST:g} or more for exact squares, got "
            f"{math.sqrt(percept.norm2):.4g}; Normalised(rule) keeps their length"
        )
    what = f"rule {rule!r} returned gain {gain}, decay {decay}"
    if not 0 <= percept.rate < math.inf:
        what = f"schedule {schedule!r} returned rate {percept.rate}"
    return ArithmeticError(f"{what} {place}, given {percept}")


@dataclass(frozen=True, eq=False)
class TeacherExperiment(Experiment):
    """A student with one vector of weights, and its teacher."""

    parts: Parts
    target: FloatArray | None = None  # the teacher's weights, if inputs are vectors
    tests: int = 0  # fresh inputs on which an error is measured

    @property
    def record_size(self) -> int:
        """Numbers of a record: coordinates, mistakes, and the error if measured."""
        return 4 if self.parts.vectors is None else 5

    @property
    def dim(self) -> int:
        """Number N of weights."""
        return self.run.dim

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of ``simulate``."""
        if self.parts.vectors is None:
            return self.parts.given
        return {**self.parts.given, "target": self.target, "tests": self.tests}

    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for an update that cannot be trusted."""
        return broken_update(self.parts.rule, self.parts.schedule, place, fault)

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """Numbers and functions that the start may depend on."""
        teacher = self.parts.teacher
        center = self.parts.stream.center
        circle = self.rotations.heading == Heading.PLANE
        return starts.Setting(
            self.dim, center, mapped(teacher), teacher.kinks, circle=circle
        )

    @functools.cached_property
    def rotations(self) -> Rotations:
        """Rotations of the teacher."""
        motion = self.parts.motion
        return Rotations(self.dim) if motion is None else rotations_of(motion, self.dim)

    @functools.cached_property
    def axes(self) -> int:
        """Directions of their own that teacher, circle and mean input have: 1 or 2."""
        return self.setting.axes

    @functools.cached_property
    def center(self) -> FloatArray:
        """Mean of the inputs along and across the teacher."""
        return np.array(self.parts.stream.center)

    @functools.cached_property
    def fixed_shift(self) -> FloatArray:
        """Shift that is known beforehand, along and across the teacher."""
        shift = self.parts.rule.shift
        if not isinstance(shift, FixedShift):
            return np.zeros(2)
        return np.asarray(shift.mean * self.center + [shift.teacher, 0.0])

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled rule, schedule and teacher."""
        parts = self.parts
        rule, schedule = compiled(parts.rule), compiled(parts.schedule)
        return rule, schedule, over_arrays(parts.teacher)

    @functools.cached_property
    def early(self) -> list[int]:
        """Marks at which the start has not yet seen all its examples."""
        needed = self.parts.start.examples(self.dim)
        return [m for m in self.run.marks.tolist() if m < needed]

    def first_student(self, rng: np.random.Generator) -> starts.StartState:
        """Return one student at the moment when the rule takes over."""
        return self.parts.start.state(self.setting, rng, self.early)

    def needs_vectors(self, tracked: int) -> str | None:
        """Return why projections on so many tracked directions do not suffice."""
        if self.parts.vectors is not None:
            inputs = shown(self.parts.vectors)
            return f"of inputs {inputs} no projections are known; 'full' draws vectors"
        if isinstance(self.parts.start, starts.Vector):
            return "a start from a given vector needs all its components; 'full' can"
        if self.dim < tracked:
            return f"it tracks {tracked} directions, dim is {self.dim}; 'full' can"
        return None

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records as a trace."""
        if self.parts.likelihood is not None:
            return field_trace(records, self.run.alpha, **self.about(engine))
        drawn = self.parts.vectors is not None
        return trace(
            records[..., :4],
            self.run.alpha,
            functools.partial(self.parts.teacher.error, self.setting.positive),
            None if drawn else self.parts.stream.center,
            {"error": records[..., 4]} if drawn else {},
            **self.about(engine),
            **({"exact": 0} if drawn else {}),
        )


def targets(given: Any, dim: int, replicas: int) -> FloatArray | None:
    """Return the teacher's weights in rows, or None if none are given."""
    if given is None:
        return None
    found = numbers("target", given, (dim,), (replicas, dim), (1, dim))
    if not np.atleast_2d(found).any(axis=1).all():
        raise ValueError(f"target must not be all 0 in a row, got {shown(given)}")
    return np.atleast_2d(found)


def teacher_experiment(
    rule: Any,
    schedule: Any,
    teacher: Any,
    stream: Any,
    *,
    start: Any,
    motion: Any,
    target: Any,
    tests: int,
    dim: int,
    alpha: float | Iterable[float],
    **numbers: Any,
) -> TeacherExperiment:
    """Check the arguments of ``simulate`` for rules that keep one vector."""
    parts = gather(rule, schedule, teacher, stream, start, motion, vectors=True)
    run = Run.at_alpha(alpha, dim, most=MOST, **numbers)
    tests, vectors = whole("tests", tests, low=1), parts.vectors
    if vectors is None and target is not None:
        raise RefusalError(
            f"target must be None for stream {parts.stream!r}, to which all directions "
            f"of the teacher are the same, got {shown(target)}"
        )
    if vectors is not None:
        if vectors.dim != run.dim:
            raise ValueError(
                f"stream must have dim = {run.dim} components, got {shown(vectors)}"
            )
        if isinstance(vectors, VectorStream):
            probe_stream(vectors)
        target = targets(target, run.dim, run.replicas)
    found = TeacherExperiment(run, parts, target, tests)
    if found.rotations.heading != Heading.STILL and found.dim < 2:
        raise ValueError(f"dim must be at least 2 for a motion, got {found.dim}")
    if found.dim < found.axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {parts.stream.center} does "
            f"not point along the teacher, got {found.dim}"
        )
    parts.rule.check_dim(found.dim)
    shift = parts.rule.shift
    uniform = isinstance(shift, AverageShift) and shift.uniform
    if uniform and found.setting.balanced:
        warnings.warn(
            f"labels of {parts.teacher!r} on {parts.stream!r} are balanced, so that no "
            "uniform shift exists and what is learned of one grows without bound; take "
            "AverageShift(uniform=False)",
            stacklevel=4,
        )
    assert found.functions  # what does not compile fails before anything runs
    return found
