"""A pool of worker processes; dead ones are replaced.

Every worker has a queue of tasks and runs them in order with one function, which sends
any number of messages about each. The tasks of a worker that died are reported; what to
do with them is the caller's decision.
"""

from __future__ import annotations

import contextlib
import pickle
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from rosenblatt.system.processes import Child

__all__ = ["Death", "Message", "WorkerPool"]

_DEATHS = 4  # in a row, each before the process has sent anything
_READY, _SENT, _FINISHED = range(3)

Send = Callable[[Any], None]


class Message(NamedTuple):
    """A message about a task, from the worker that runs it."""

    task: Any
    content: Any


class Death(NamedTuple):
    """The end of a worker.

    ``tasks`` are those that it has not finished, the one that it may have begun first.
    ``started`` says whether it was ready to run tasks.
    """

    tasks: list[Any]
    started: bool
    reason: str


@dataclass
class _Worker:
    child: Child
    tasks: deque[Any] = field(default_factory=deque)
    ready: bool = False
    previous: Any = None  # the task that it was given last


def _serve(connection: Connection, function: Callable[[Any, Send], None]) -> None:
    """Run tasks, in a worker, until the pipe is closed."""
    with contextlib.suppress(EOFError, OSError):
        connection.send((_READY, None))
        while True:
            function(connection.recv(), lambda item: connection.send((_SENT, item)))
            connection.send((_FINISHED, None))


class WorkerPool:
    """Worker processes on this machine.

    Parameters
    ----------
    function
        Called in a worker with a task and with a function that sends a message.
    size
        Number of workers.
    context
        A context of :mod:`multiprocessing`.
    inherited
        Handles that forked workers must close, such as those that hold locks.
    """

    def __init__(
        self,
        function: Callable[[Any, Send], None],
        size: int,
        context: Any,
        inherited: Sequence[Any] = (),
    ) -> None:
        self._function, self._context = function, context
        self._inherited = inherited
        self._deaths = 0
        self._workers: list[_Worker] = []
        for _ in range(size):
            self._workers.append(self._start())

    def _start(self) -> _Worker:
        others = [worker.child.connection for worker in self._workers]
        child = Child(
            self._context, _serve, (self._function,), [*self._inherited, *others]
        )
        child.start()
        return _Worker(child)

    @property
    def size(self) -> int:
        """Number of workers."""
        return len(self._workers)

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.child.process.pid for worker in self._workers]

    def capacity(self, queued: int) -> int:
        """Return the number of tasks that fit, for a number of tasks per worker."""
        return sum(max(queued - len(worker.tasks), 0) for worker in self._workers)

    def _freest(self) -> _Worker:
        """Return the worker with the fewest tasks."""
        return min(self._workers, key=lambda one: len(one.tasks))

    def previous(self) -> Any:
        """Return the last task of the worker that the next one goes to, or None."""
        return self._freest().previous

    def submit(self, task: Any) -> None:
        """Give a task to the worker with the fewest."""
        worker = self._freest()
        worker.tasks.append(task)
        worker.previous = task
        worker.child.send(task)

    def events(self, timeout: float) -> Iterator[Message | Death]:
        """Yield messages and deaths, after the first one or the timeout."""
        known = {worker.child.connection: worker for worker in self._workers}
        for connection in wait(list(known), timeout):
            worker = known[connection]  # type: ignore[index]
            try:
                kind, content = worker.child.connection.recv()
            except (EOFError, OSError, pickle.UnpicklingError):
                yield self._replace(worker)
                continue
            worker.ready = True
            if kind == _SENT:
                yield Message(worker.tasks[0], content)
            elif kind == _FINISHED:
                worker.tasks.popleft()

    def _replace(self, worker: _Worker) -> Death:
        """Start another process for one that has died."""
        reason = worker.child.end()
        self._deaths = 0 if worker.ready else self._deaths + 1
        if self._deaths >= _DEATHS:
            raise ChildProcessError(
                f"worker processes end before they begin: the last one {reason}. A "
                'script must call this below if __name__ == "__main__":, since this '
                "process has threads and cannot be forked"
            )
        self._workers.remove(worker)
        self._workers.append(self._start())
        return Death(list(worker.tasks), worker.ready, reason)

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.child.process.terminate()
        for worker in self._workers:
            worker.child.stop()
