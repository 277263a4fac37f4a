"""Replicas on all cores: threads, progress, interrupts.

A kernel advances one replica without the GIL, for a bounded piece of work at a time.
Randomness belongs to a replica, not to a thread, so results do not depend on how many
threads there are. Ctrl-C is noticed between two pieces, within a fraction of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from rosenblatt.compiling import force_inlined, inlined, types
from rosenblatt.core import Percept, Update
from rosenblatt.core.arguments import flag, increasing, whole
from rosenblatt.core.shifts import UNIFORM
from rosenblatt.core.starts import StartState
from rosenblatt.core.types import HUGE, SHORTEST, FloatArray, IntArray, Words
from rosenblatt.numerics.random import generator, generators
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.threads import core_count

__all__ = [
    "EXACT",
    "EXAMPLES",
    "FAULT",
    "LABELS",
    "MISTAKES",
    "MOST",
    "NEXT",
    "PROGRESS",
    "RECORDED",
    "Batch",
    "Progress",
    "Run",
    "Task",
    "broken",
    "run_replicas",
    "shift_ratio",
]

# Entries of a replica's counts; the last two are each engine's own.
EXAMPLES, MISTAKES, RECORDED, FAULT, LABELS, NEXT = range(6)
_PATIENCE = 1.0  # seconds before a progress bar appears, and for threads to stop
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


class Task(Protocol):
    """A simulation, as far as the ensemble has to know it."""

    @property
    def run(self) -> Run:
        """Replicas, marks, threads and progress bar."""

    @property
    def record_size(self) -> int:
        """Number of entries of a record."""

    @property
    def title(self) -> str:
        """Name in a progress bar."""

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that cannot be trusted."""


@dataclass
class Batch:
    """State of a few replicas: kernels write it, the ensemble reads it."""

    size: int
    marks: IntArray
    record_size: int = 4
    counts: IntArray = field(init=False)  # (replica, entry)
    records: FloatArray = field(init=False)  # (replica, mark, numbers)
    fault: FloatArray = field(init=False)  # (replica, what went wrong)
    advance: Callable[[], object] = field(init=False)  # one bounded piece of work

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.size, 6), np.int64)
        self.records = np.zeros((self.size, self.marks.size, self.record_size))
        self.fault = np.zeros((self.size, len(Percept._fields) + len(Update._fields)))

    def begin(self, row: int, state: StartState) -> None:
        """Set a replica to the state in which its start leaves it."""
        counts, early = self.counts[row], len(state.early)
        if early:
            self.records[row, :early, :3] = state.early
        counts[EXAMPLES], counts[RECORDED] = state.examples, early
        counts[LABELS] = state.labels

    @property
    def arrays(self) -> Progress:
        """Arrays for a kernel."""
        return Progress(self.counts, self.marks, self.records, self.fault)

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

    counts: IntArray  # (replica, entry)
    marks: IntArray
    records: FloatArray  # (replica, mark, numbers)
    fault: FloatArray  # (replica, numbers)


PROGRESS = types.structure(
    Progress,
    types.int64[:, ::1],
    types.int64[::1],
    types.float64[:, :, ::1],
    types.float64[:, ::1],
)


class _StoppedError(Exception):
    """The user pressed Ctrl-C, or an earlier replica failed."""


def _complete(
    task: Task,
    replicas: range,
    begin: Callable[[range], Batch],
    stopped: Callable[[int], bool],
    progress: FloatArray,
) -> FloatArray:
    """Run a few replicas to their end and return their records."""
    batch = begin(replicas)
    while not batch.done:
        if stopped(replicas.start):
            raise _StoppedError
        batch.advance()
        for row in np.flatnonzero(batch.counts[:, FAULT]):
            example = int(batch.counts[row, EXAMPLES])
            raise task.failure(replicas[row], example, batch.fault[row])
        progress[replicas] = batch.fraction
    progress[replicas] = 1.0
    return batch.records


def run_replicas(
    task: Task,
    engine: str,
    begin: Callable[[range], Batch],
    most: int,
    least: int = 1,
) -> FloatArray:
    """Return the records of all replicas: (replica, mark, numbers).

    ``begin`` starts a few of them, from ``least`` (but for the last) to ``most``. Short
    runs go to the kernel together, since threads that take turns in Python would wait
    for each other.
    """
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
                found = _complete(task, few, begin, stopped, progress)
                records[few.start : few.stop] = found
            except _StoppedError:
                return
            except BaseException as failure:
                failures[few.start] = failure
                return

    words, shown = f"{engine}: {replicas} x {task.title}", task.run.progress
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
