"""Independent pieces of work in several processes, where processes can be forked.

A fork shares all that is imported and compiled already, and takes any function, also
one that cannot be pickled. Where there is no safe fork (on macOS and Windows, next to
other threads, or to those of JAX) the pieces are done one after the other.

A process that dies takes with it the piece it was at, and no other.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from rosenblatt.system.processes import forkable

__all__ = ["Event", "News", "events"]

Tasks = Sequence[Callable[[], Any]]

_TICK = 0.2  # seconds between two looks at the clock


class News(Enum):
    """What there is to tell."""

    BEGUN = auto()
    DONE = auto()
    DIED = auto()
    NOTHING = auto()  # but time passes


@dataclass(frozen=True)
class Event:
    """Something that happened to a task, the ``index``-th of a group.

    The result is what the task returned or, if it died, a sentence on that.
    """

    news: News
    group: int = -1
    index: int = -1
    result: Any = None


@dataclass
class _Worker:
    """A process, and what it is at; nothing if ``group`` is None."""

    process: BaseProcess
    line: Connection
    group: int | None = None
    index: int = 0


def _work(line: Connection, groups: Sequence[Tasks]) -> None:
    """Do, in a process of its own, what comes over the line."""
    # Let Ctrl-C end it at once: the process that forked it says what there is.
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))
    while True:
        try:
            group, first = line.recv()
        except EOFError:
            return
        for index in range(first, len(groups[group])):
            line.send((News.BEGUN, index, None))
            line.send((News.DONE, index, groups[group][index]()))
        line.send((News.NOTHING, 0, None))


def _forked(groups: Sequence[Tasks]) -> _Worker:
    context = get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, groups), daemon=True)
    with warnings.catch_warnings():
        # Of threads that do not survive a fork; those of BLAS are prepared for it.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()  # the other end is then closed when the process ends
    return _Worker(process, ours)


def _epitaph(process: BaseProcess) -> str:
    process.join()
    code = process.exitcode or 0
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
    return f"the process that computed it ended {how}"


def _one_by_one(groups: Sequence[Tasks]) -> Iterator[Event]:
    for group, tasks in enumerate(groups):
        for index, task in enumerate(tasks):
            yield Event(News.BEGUN, group, index)
            yield Event(News.DONE, group, index, task())


def _heard(worker: _Worker) -> Event:
    """Return what a process says, or that it died."""
    group = worker.group
    assert group is not None
    try:
        news, index, result = worker.line.recv()
    except (EOFError, OSError):
        return Event(News.DIED, group, worker.index, _epitaph(worker.process))
    if news is News.NOTHING:
        worker.group = None
        return Event(News.NOTHING)
    worker.index = index + (news is News.DONE)
    return Event(news, group, index, result)


def _side_by_side(groups: Sequence[Tasks], count: int) -> Iterator[Event]:
    waiting = deque((group, 0) for group, tasks in enumerate(groups) if tasks)
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.group is not None for worker in workers):
            while len(workers) < min(count, len(workers) + len(waiting)):
                workers.append(_forked(groups))
            for worker in workers:
                if worker.group is None and waiting:
                    worker.group, worker.index = waiting.popleft()
                    worker.line.send((worker.group, worker.index))
            busy = {w.line: w for w in workers if w.group is not None}
            ready = wait(list(busy), timeout=_TICK)
            if not ready:
                yield Event(News.NOTHING)
            for line in ready:
                worker = busy[line]  # type: ignore[index]
                event = _heard(worker)
                if event.news is News.DIED:
                    workers.remove(worker)
                    left = len(groups[event.group]) - event.index
                    if left > 1:  # others go on with the rest of its group
                        waiting.appendleft((event.group, event.index + 1))
                    if left == 0:  # all was done and said
                        continue
                yield event
    finally:
        for worker in workers:
            worker.line.close()
            worker.process.terminate()
            worker.process.join()


def events(groups: Sequence[Tasks], workers: int | None = None) -> Iterator[Event]:
    """Do groups of tasks, each group in one process, and tell what happens.

    Parameters
    ----------
    groups
        Functions; what they return must be picklable. Those of a group are done one
        after the other in one process, so that they can share what they compute.
    workers
        Number of processes; by default one per core.

    Examples
    --------
    >>> told = events([[lambda: "a", lambda: "b"]], workers=1)
    >>> [(event.news.name, event.index, event.result) for event in told]
    [('BEGUN', 0, None), ('DONE', 0, 'a'), ('BEGUN', 1, None), ('DONE', 1, 'b')]
    """
    count = min(workers or os.cpu_count() or 1, sum(1 for tasks in groups if tasks))
    if count < 2 or not forkable():
        return _one_by_one(groups)
    return _side_by_side(groups, count)
