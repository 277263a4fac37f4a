"""Replicas on all cores: threads, progress, interrupts.

A kernel advances one replica without the GIL, for a bounded piece of work at a time.
Randomness belongs to a replica, not to a thread, so results do not depend on how many
threads there are. Ctrl-C is noticed between two pieces, within a fraction of a second.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import lazy_loader
import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.core import Percept, Update
from rosenblatt.core.starts import Opening
from rosenblatt.core.types import FloatArray, IntArray

# Loaded when a bar appears.
console: Any = lazy_loader.load("rich.console", suppress_warning=True)
bars: Any = lazy_loader.load("rich.progress", suppress_warning=True)

__all__ = [
    "EXAMPLES",
    "FAULT",
    "HUGE",
    "LABELS",
    "MISTAKES",
    "NEXT",
    "RECORDED",
    "Batch",
    "Task",
    "broken",
    "run",
]

# Entries of a replica's counts; the last two are each engine's own.
EXAMPLES, MISTAKES, RECORDED, FAULT, LABELS, NEXT = range(6)
HUGE = 1.7976931348623157e308  # the largest float: what is not below is not finite
_PATIENCE = 1.0  # seconds before a progress bar appears
_SHARES = 8  # batches for each worker, so that all end at about the same time


class Task(Protocol):
    """What there is to do, as far as the ensemble has to know it."""

    @property
    def replicas(self) -> int:
        """How many students there are."""

    @property
    def workers(self) -> int | None:
        """How many threads; None: one per core."""

    @property
    def progress(self) -> bool | None:
        """Whether to show a bar; None: in a terminal."""

    @property
    def marks(self) -> IntArray:
        """Numbers of examples after which the state is recorded."""

    @property
    def width(self) -> int:
        """How many numbers a record has."""

    @property
    def title(self) -> str:
        """What a progress bar calls it."""

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return what to say of numbers that are not finite."""


@dataclass
class Batch:
    """A few students on their way: what kernels write and the ensemble reads."""

    size: int
    marks: IntArray
    width: int = 4
    counts: IntArray = field(init=False)  # (replica, entry)
    records: FloatArray = field(init=False)  # (replica, mark, numbers)
    fault: FloatArray = field(init=False)  # (replica, what went wrong)
    advance: Callable[[], object] = field(init=False)  # one bounded piece of work

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.size, 6), np.int64)
        self.records = np.zeros((self.size, self.marks.size, self.width))
        self.fault = np.zeros((self.size, len(Percept._fields) + len(Update._fields)))

    def open(self, row: int, opening: Opening) -> None:
        """Begin a replica where its start leaves it."""
        early = len(opening.early)
        self.records[row, :early, :3] = opening.early
        self.counts[row, [EXAMPLES, RECORDED]] = opening.examples, early
        self.counts[row, LABELS] = opening.labels

    @property
    def done(self) -> bool:
        """Whether all marks of all replicas are recorded."""
        return bool((self.counts[:, RECORDED] == self.marks.size).all())

    @property
    def fraction(self) -> FloatArray:
        """How far each is, in examples."""
        return np.asarray(self.counts[:, EXAMPLES] / max(self.marks[-1], 1))


@inlined
def broken(p: Percept, u: Update, counts: IntArray, fault: FloatArray) -> bool:
    """Return whether state or update is not finite, and if so keep both."""
    # Comparisons, since reordered sums would turn x - x == 0 into true.
    if abs(u.gain) <= HUGE and abs(u.decay) <= HUGE and p.norm2 <= HUGE:
        return False
    counts[FAULT] = 1
    for j in range(len(p)):
        fault[j] = p[j]
    fault[len(p)] = u.gain
    fault[len(p) + 1] = u.decay
    return True


class _StoppedError(Exception):
    """Somebody pressed Ctrl-C, or a replica before failed."""


def _follow(
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


@contextmanager
def _bar(task: Task, engine: str) -> Iterator[Callable[[float], None]]:
    """Give a function that shows progress, once the work has lasted a while."""
    wanted = task.progress
    if wanted is None:
        wanted = sys.stderr.isatty()
    if not wanted:
        yield lambda fraction: None
        return
    began = time.monotonic()
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TextColumn("{task.percentage:3.0f}%"),
        bars.TimeRemainingColumn(),
    )
    screen = console.Console(stderr=True)
    bar = bars.Progress(*columns, console=screen, transient=screen.is_terminal)
    shown = bar.add_task(f"{engine}: {task.replicas} x {task.title}", total=1.0)
    started = False

    def show(fraction: float) -> None:
        nonlocal started
        if not started and time.monotonic() - began > _PATIENCE:
            bar.start()
            started = True
        bar.update(shown, completed=fraction)

    try:
        yield show
    finally:
        if started:
            bar.stop()


def run(
    task: Task,
    engine: str,
    begin: Callable[[range], Batch],
    most: int,
    least: int = 1,
) -> FloatArray:
    """Return the records of all replicas: (replica, mark, numbers).

    ``begin`` starts a few of them, from ``least`` (but for the last) to ``most``: short
    runs go to the kernel together, since threads that take turns in Python would wait
    for each other.
    """
    workers = min(task.workers or os.cpu_count() or 1, task.replicas)
    size = max(least, min(most, task.replicas // (_SHARES * workers)))
    batches = [
        range(first, min(first + size, task.replicas))
        for first in range(0, task.replicas, size)
    ]
    records = np.empty((task.replicas, task.marks.size, task.width))
    progress = np.zeros(task.replicas)
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
                replicas = next(left, None)
            if replicas is None or stopped(replicas.start):
                return
            try:
                found = _follow(task, replicas, begin, stopped, progress)
                records[replicas.start : replicas.stop] = found
            except _StoppedError:
                return
            except BaseException as failure:
                failures[replicas.start] = failure
                return

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    try:
        with _bar(task, engine) as show:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)
                    show(float(progress.mean()))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[min(failures)]
    return records
