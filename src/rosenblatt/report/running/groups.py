"""Groups of tasks in several processes.

Tasks of a group share what they compute, so that one process does them in order. A
process that dies loses only the task that it was doing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from rosenblatt.system.parallel import Died, Processes, result_of
from rosenblatt.system.threads import core_count

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


def _one_by_one(groups: Sequence[Tasks]) -> Iterator[Event]:
    for group, tasks in enumerate(groups):
        for index, task in enumerate(tasks):
            yield Event(Kind.BEGUN, group, index)
            yield Event(Kind.DONE, group, index, task())


def _side_by_side(
    groups: Sequence[Tasks], families: Sequence[Hashable], count: int
) -> Iterator[Event]:
    left = {g: deque(range(len(tasks))) for g, tasks in enumerate(groups) if tasks}
    own: dict[int, int] = {}  # the group of each process
    running: dict[Future[Any], tuple[int, int]] = {}

    def next_group(number: int) -> int | None:
        """Return the group of a process, or another: of its family, a new one, any."""
        if own.get(number) in left:
            return own[number]
        free = [group for group in left if group not in own.values()]
        begun = {families[group] for group in own.values()}
        family = families[own[number]] if number in own else None
        free.sort(key=lambda g: (families[g] != family, families[g] in begun))
        return free[0] if free else None

    pool = Processes(count)
    try:
        while left or running:
            for number in pool.idle():
                group = next_group(number)
                if group is not None:
                    own[number], index = group, left[group].popleft()
                    if not left[group]:
                        del left[group]
                    task = pool.submit(groups[group][index], number=number)
                    running[task] = group, index
                    yield Event(Kind.BEGUN, group, index)
            ended = pool.wait(_TICK)
            if not ended:
                yield Event(Kind.TICK)
            for future in ended:
                place, found = running.pop(future), result_of(future)
                if isinstance(found, Died):
                    yield Event(Kind.DIED, *place, found.reason)
                else:
                    yield Event(Kind.DONE, *place, found)
    finally:
        pool.close()


def events(
    groups: Sequence[Tasks],
    workers: int | None = None,
    families: Sequence[Hashable] | None = None,
) -> Iterator[Event]:
    """Do groups of tasks, each group in one process, and yield what happens.

    Parameters
    ----------
    groups
        Functions; they and what they return must be picklable. Those of a group are
        done one after the other in one process, so that they can share what they
        compute.
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
    if count < 2:
        return _one_by_one(groups)
    return _side_by_side(groups, families or range(len(groups)), count)
