"""Worker processes on this machine, which may die while they compute.

A worker knows the plan, so a task is a list of item numbers. Items that a dead worker
had not returned are reported as lost; the coordinator submits them again.
"""

from __future__ import annotations

import functools
import pickle
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.plan.tasks import title
from rosenblatt.sweeps.workers.compute import Done, Event, Lost, compute
from rosenblatt.system.processes import start_context
from rosenblatt.system.threads import one_thread_everywhere
from rosenblatt.system.worker_pool import Death, WorkerPool

__all__ = ["ProcessWorkers"]

_DELAY = 0.05  # seconds for which results wait for others to travel with
_QUEUED = 2  # batches of a worker: while it computes one, the next is there


def _compute_batch(
    batch: tuple[int, list[int]],
    send: Callable[[list[Done]], None],
    plan: Plan,
    threads: int,
) -> None:
    """Compute the items of a batch, and send their results a few at a time."""
    done: list[Done] = []
    sent = time.monotonic()
    with one_thread_everywhere():
        for item in batch[1]:
            parameters, key = plan.parameters(item), plan.keys.key(item)
            done.append(compute(plan.function, item, key, parameters, threads))
            if time.monotonic() - sent > _DELAY:
                send(done)
                done, sent = [], time.monotonic()
    if done:
        send(done)


class ProcessWorkers:
    """Workers that are processes on this machine.

    Parameters
    ----------
    plan
        The items that they may have to compute.
    size
        Number of processes.
    threads
        Number of threads that each may use for one item.
    closers
        Handles that a forked process must close, such as those that hold locks.
    """

    def __init__(
        self,
        plan: Plan,
        size: int,
        threads: int = 1,
        closers: tuple[Any, ...] = (),
    ) -> None:
        context = start_context()
        if context.get_start_method() != "fork":
            _check_pickle(plan.function, plan)
        function = functools.partial(_compute_batch, plan=plan, threads=threads)
        self._pool = WorkerPool(function, size, context, closers)
        self._batches = 0
        self._missing: dict[int, deque[int]] = {}  # items of a batch without a result

    @property
    def size(self) -> int:
        """Number of processes."""
        return self._pool.size

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return self._pool.pids()

    def capacity(self) -> int:
        """Return the number of batches that can be submitted now."""
        return self._pool.capacity(_QUEUED)

    def submit(self, items: list[int]) -> None:
        """Submit a batch to the worker with the fewest."""
        self._batches += 1
        self._missing[self._batches] = deque(items)
        self._pool.submit((self._batches, items))

    def events(self, timeout: float) -> list[Event]:
        """Return results and losses, after the first one or the timeout."""
        found: list[Event] = []
        for event in self._pool.events(timeout):
            if isinstance(event, Death):
                found.append(self._lost(event))
                continue
            number = event.task[0]
            for done in event.content:
                self._missing[number].popleft()
                found.append(done)
            if not self._missing[number]:
                del self._missing[number]
        return found

    def _lost(self, death: Death) -> Lost:
        batches = (self._missing.pop(number, ()) for number, _ in death.tasks)
        items = [item for batch in batches for item in batch]
        reason = f"the process that computed it {death.reason}"
        return Lost(items, items[: int(death.started)], reason)

    def close(self) -> None:
        """End all processes."""
        self._pool.close()


def _check_pickle(function: Callable[..., Any], plan: Plan) -> None:
    try:
        pickle.dumps(plan)
    except Exception as failure:
        raise TypeError(
            f"{title(function)} and its parameters must be importable by other "
            "processes, since this one has threads and cannot be forked. Put functions "
            f"and classes into a file of their own ({failure})"
        ) from None
