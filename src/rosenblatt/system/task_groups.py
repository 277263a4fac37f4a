"""Groups of tasks in several processes, where processes can be forked.

A fork shares imported modules and compiled code, and takes any function, also one that
cannot be pickled. Where a fork is not safe (macOS, Windows, other threads, JAX) this
process does the tasks one after the other.

A process that dies loses only the task that it was doing.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from multiprocessing import get_context
from typing import Any

from rosenblatt.system.processes import core_count, forkable
from rosenblatt.system.worker_pool import Death, WorkerPool

__all__ = ["Event", "Kind", "events"]

Tasks = Sequence[Callable[[], Any]]

_TICK = 0.2  # seconds between two events


class Kind(Enum):
    """Kinds of events."""

    BEGUN = auto()
    DONE = auto()
    DIED = auto()
    TICK = auto()  # time has passed


@dataclass(frozen=True)
class Event:
    """An event of a task, the ``index``-th of a group.

    The result is what the task returned or, if its process died, the reason in words.
    """

    kind: Kind
    group: int = -1
    index: int = -1
    result: Any = None


def _do_group(
    task: tuple[int, int], send: Callable[[Event], None], groups: Sequence[Tasks]
) -> None:
    """Do the tasks of a group from an index on, in a worker process."""
    group, first = task
    for index in range(first, len(groups[group])):
        send(Event(Kind.BEGUN, group, index))
        send(Event(Kind.DONE, group, index, groups[group][index]()))


def _one_by_one(groups: Sequence[Tasks]) -> Iterator[Event]:
    for group, tasks in enumerate(groups):
        for index, task in enumerate(tasks):
            yield Event(Kind.BEGUN, group, index)
            yield Event(Kind.DONE, group, index, task())


def _take(
    waiting: deque[tuple[int, int]],
    families: Sequence[Hashable],
    begun: set[Hashable],
    previous: tuple[int, int] | None,
) -> tuple[int, int]:
    """Take the next task of a worker: of its family, of a new one, or any."""
    own = None if previous is None else families[previous[0]]
    chosen = next(
        (
            task
            for wanted in (lambda one: one == own, lambda one: one not in begun)
            for task in waiting
            if wanted(families[task[0]])
        ),
        waiting[0],
    )
    waiting.remove(chosen)
    begun.add(families[chosen[0]])
    return chosen


def _side_by_side(
    groups: Sequence[Tasks], families: Sequence[Hashable], count: int
) -> Iterator[Event]:
    waiting = deque((group, 0) for group, tasks in enumerate(groups) if tasks)
    begun: set[Hashable] = set()
    left = {group: len(tasks) for group, tasks in enumerate(groups) if tasks}
    function = functools.partial(_do_group, groups=groups)
    pool = WorkerPool(function, count, get_context("fork"))
    try:
        while left:
            while waiting and pool.capacity(1):
                pool.submit(_take(waiting, families, begun, pool.previous()))
            received = list(pool.events(_TICK))
            if not received:
                yield Event(Kind.TICK)
            for one in received:
                event: Event | None
                if isinstance(one, Death):
                    event = _of_death(one, groups, left)
                else:
                    event = one.content
                if event is None:
                    continue
                if event.kind is not Kind.BEGUN:
                    left[event.group] -= 1
                    if not left[event.group]:
                        del left[event.group]
                    elif event.kind is Kind.DIED:  # others go on with its group
                        waiting.appendleft((event.group, event.index + 1))
                yield event
    finally:
        pool.close()


def _of_death(
    death: Death, groups: Sequence[Tasks], left: dict[int, int]
) -> Event | None:
    """Return the event of a worker's death; None if it had done all its tasks."""
    for group, _ in death.tasks:
        if group in left:
            index = len(groups[group]) - left[group]
            reason = f"the process that computed it {death.reason}"
            return Event(Kind.DIED, group, index, reason)
    return None


def events(
    groups: Sequence[Tasks],
    workers: int | None = None,
    families: Sequence[Hashable] | None = None,
) -> Iterator[Event]:
    """Do groups of tasks, each group in one process, and yield what happens.

    Parameters
    ----------
    groups
        Functions; what they return must be picklable. Those of a group are done one
        after the other in one process, so that they can share what they compute.
    workers
        Number of processes; by default one per core.
    families
        A value for each group. A process goes on with groups of the same value as long
        as there are any, since these may share what they compute as well.

    Examples
    --------
    >>> found = events([[lambda: "a", lambda: "b"]], workers=1)
    >>> [(event.kind.name, event.index, event.result) for event in found]
    [('BEGUN', 0, None), ('DONE', 0, 'a'), ('BEGUN', 1, None), ('DONE', 1, 'b')]
    """
    count = min(workers or core_count(), sum(1 for tasks in groups if tasks))
    if count < 2 or not forkable():
        return _one_by_one(groups)
    return _side_by_side(groups, families or range(len(groups)), count)
