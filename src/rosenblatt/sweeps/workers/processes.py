"""Processes on this machine that compute items and may die while they do.

Each has a pipe of its own. It is given numbers of items, since it knows the plan, and
returns records. One that dies is replaced; what it had not returned is done again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from typing import Any

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.plan.tasks import title
from rosenblatt.sweeps.workers.base import Lost, News
from rosenblatt.sweeps.workers.compute import Done, compute
from rosenblatt.sweeps.workers.threads import one_thread
from rosenblatt.system.processes import forkable

__all__ = ["Pool"]

_DELAY = 0.05  # seconds for which results wait for others to travel with
_AHEAD = 2  # batches that one has: while one is computed the next one is there
_WATCH = 0.5  # seconds after which a process notices that nobody wants its results
_HOPELESS = 4  # deaths in a row, each before anything was heard of the process


def _context() -> BaseContext:
    """Return how processes are started.

    A fork shares what is imported and compiled, and takes any function. Next to other
    threads it is not safe, and other systems do without.
    """
    return multiprocessing.get_context("fork" if forkable() else "spawn")


def _leave_with(parent: int) -> None:
    """End this process when the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)


def _work(
    connection: Connection, others: list[Any], plan: Plan, threads: int, parent: int
) -> None:
    """Compute what is asked for until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # copies that a fork has made
        other.close()
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    done: list[Done] = []
    sent = time.monotonic()
    with contextlib.suppress(EOFError, OSError), one_thread():
        connection.send(done)  # here I am
        while True:
            items = connection.recv()
            for item in items:
                parameters, key = plan.parameters(item), plan.keys.key(item)
                done.append(compute(plan.function, item, key, parameters, threads))
                if time.monotonic() - sent > _DELAY:
                    connection.send(done)
                    done, sent = [], time.monotonic()
            if done:
                connection.send(done)
                done, sent = [], time.monotonic()


class _Worker:
    """One process, its pipe and what it has to do."""

    def __init__(
        self, context: Any, others: list[Any], plan: Plan, threads: int
    ) -> None:
        self.connection, theirs = context.Pipe()
        copies = (
            [*others, self.connection] if context.get_start_method() == "fork" else []
        )
        self.process = context.Process(
            target=_work, args=(theirs, copies, plan, threads, os.getpid()), daemon=True
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of BLAS's threads
            self.process.start()
        theirs.close()
        self.ready = False  # whether it has ever been heard of
        self.todo: deque[int] = deque()
        self.batches: deque[int] = deque()  # sizes of what is left of each

    def give(self, items: list[int]) -> None:
        self.todo.extend(items)
        self.batches.append(len(items))
        with contextlib.suppress(OSError):  # of one that is dead, as will be noticed
            self.connection.send(items)

    def receive(self) -> list[Done]:
        done: list[Done] = self.connection.recv()
        self.ready = True
        for _ in done:
            self.todo.popleft()
            self.batches[0] -= 1
            if self.batches[0] == 0:
                self.batches.popleft()
        return done


class Pool:
    """A crew of processes on this machine.

    Parameters
    ----------
    plan
        What they may be asked to compute.
    size
        How many there are.
    threads
        How many threads each may use for one item.
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
        self._plan, self._threads, self._closers = plan, threads, closers
        self._context: Any = _context()
        if self._context.get_start_method() != "fork":
            _check_pickle(plan.function, plan)
        self._workers: list[_Worker] = []
        self._stillborn = 0
        for _ in range(size):
            self._workers.append(self._start())

    def _start(self) -> _Worker:
        others = [*self._closers, *(w.connection for w in self._workers)]
        return _Worker(self._context, others, self._plan, self._threads)

    @property
    def size(self) -> int:
        """Number of processes."""
        return len(self._workers)

    def pids(self) -> list[int]:
        """Return the numbers of the processes, for whoever wants to kill one."""
        return [w.process.pid for w in self._workers]

    def room(self) -> int:
        """Return how many batches more fit."""
        return sum(_AHEAD - len(w.batches) for w in self._workers)

    def give(self, items: list[int]) -> None:
        """Hand out a batch to whoever has least to do."""
        min(self._workers, key=lambda w: len(w.batches)).give(items)

    def news(self, timeout: float) -> list[News]:
        """Return what has happened."""
        ears = {w.connection: w for w in self._workers}
        found: list[News] = []
        for ear in wait(list(ears), timeout):
            worker = ears[ear]
            try:
                found += worker.receive()
            except (EOFError, OSError, pickle.UnpicklingError):
                found.append(self._replace(worker))
        return found

    def _replace(self, worker: _Worker) -> Lost:
        """Start another process for one that has died."""
        worker.connection.close()
        worker.process.join(1.0)
        code = worker.process.exitcode
        if code is None:  # it has closed its pipe and lives on: it cannot be used
            worker.process.kill()
            worker.process.join()
        reason = _reason(worker.process.exitcode)
        self._stillborn = 0 if worker.ready else self._stillborn + 1
        if self._stillborn >= _HOPELESS:
            raise ChildProcessError(
                f"processes end before they begin: the last one {reason}. A script "
                'must call this below if __name__ == "__main__":, since this process '
                "has threads and cannot be forked"
            )
        self._workers.remove(worker)
        self._workers.append(self._start())
        items = list(worker.todo)
        return Lost(
            items, items[: int(worker.ready)], f"the process that computed it {reason}"
        )

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(5.0)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.connection.close()


def _reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    return f"ended with code {code}"


def _check_pickle(function: Callable[..., Any], plan: Plan) -> None:
    try:
        pickle.dumps(plan)
    except Exception as failure:
        raise TypeError(
            f"{title(function)} and its parameters must be importable by other "
            "processes, since this one has threads and cannot be forked: put functions "
            f"and classes into a file of their own ({failure})"
        ) from None
