"""Supervision of tasks on Dask workers, until each has a result.

A task may be lost with its worker or its scheduler, or wait for workers that never
come. The caller learns what is lost, to send it again. If that cannot help, an error is
raised, so that no process waits for ever.
"""

from __future__ import annotations

import contextlib
import queue
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rosenblatt.system.code import code_digest
from rosenblatt.system.dask.connection import LONGER, Connection, distributed, patience

__all__ = [
    "Event",
    "Failed",
    "Finished",
    "Killed",
    "Lost",
    "Refused",
    "Supervisor",
    "run_same_code",
]

_IDLE = 60.0  # seconds in which no worker is active before tasks count as lost
_ASK = 5.0  # seconds between two questions to the scheduler, which lists all workers
_WARN = 10.0  # seconds of waiting before a warning
_FRESH = 1.0  # seconds for which a list of workers is used
_LOST = (OSError, TimeoutError)
# States of tasks, in the counts of workers, of which a result can come.
_ACTIVE = ("executing", "long-running", "flight", "resumed", "cancelled")
_IDLE_WORKERS = "no worker of Dask does anything"
_STORED = "results so far are stored if a store was given: run again to resume"


class Finished(NamedTuple):
    """A task that has returned a value."""

    task: Any
    value: Any


class Lost(NamedTuple):
    """A task that must be sent again; ``refused`` if its worker has other code."""

    task: Any
    reason: str
    refused: bool = False


class Killed(NamedTuple):
    """A task whose workers died again and again; with the address of the last one."""

    task: Any
    worker: str


class Failed(NamedTuple):
    """A task that has raised an error."""

    task: Any
    error: BaseException


Event = Finished | Lost | Killed | Failed


class Refused(NamedTuple):
    """Answer of a worker with other code, instead of a result."""

    worker: str
    code: str


def run_same_code(code: str, function: Callable[..., Any], *given: Any) -> Any:
    """Call a function on a worker, unless its code differs from the caller's."""
    here = code_digest()
    if here != code:
        return Refused(distributed.get_worker().address, here)
    return function(*given)


class Supervisor:
    """Tasks on the workers of a scheduler, and the workers themselves."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.running: dict[Any, Any] = {}  # futures and their tasks
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._refused: set[str] = set()
        self._known: tuple[float, dict[str, int]] = (-_FRESH, {})
        self._wait = _Wait(connection)

    def threads(self) -> dict[str, int]:
        """Return workers that may have tasks, and the number of their threads."""
        since, known = self._known
        if time.monotonic() - since > _FRESH and self.connection.open:
            with contextlib.suppress(*_LOST):
                now = dict(self.connection.client.nthreads())
                if gone := sorted(set(known) - set(now)):
                    warnings.warn(
                        f"workers of Dask are gone ({', '.join(gone)}); their "
                        "tasks are computed again by other workers",
                        stacklevel=2,
                    )
                known = now
            self._known = time.monotonic(), known
        return {w: n for w, n in known.items() if w not in self._refused}

    def allowed(self) -> list[str] | None:
        """Return the workers that may have tasks; None if all may."""
        if not self._refused:
            return None
        workers = set(self.connection.client.nthreads())
        if workers and workers <= self._refused:
            raise ValueError(
                f"all {len(workers)} workers of Dask have another version of "
                "rosenblatt than this process: install the same"
            )
        return sorted(workers - self._refused) or None

    def watch(self, futures: Mapping[Any, Any]) -> None:
        """Supervise futures; their values name their tasks."""
        for future in futures:
            future.add_done_callback(self._ended.put)
        self.running |= futures

    def events(self, timeout: float) -> list[Event]:
        """Return the outcomes of tasks, after the first one or the timeout."""
        found: list[Event] = []
        for future in self._futures(timeout):
            if future not in self.running:  # given up before
                continue
            task = self.running.pop(future)
            event = self._event(future, task)
            future.release()
            if not isinstance(event, Lost):
                self._wait.over()
            found.append(event)
        return found

    def _futures(self, timeout: float) -> list[Any]:
        """Return futures that have ended or are lost."""
        ended = []
        with contextlib.suppress(queue.Empty):
            ended.append(self._ended.get(timeout=timeout))
            while True:
                ended.append(self._ended.get_nowait())
        if ended:
            # A result that was lost with its worker is computed again by Dask.
            for future in (f for f in ended if f.status == "pending"):
                future.add_done_callback(self._ended.put)
            return [future for future in ended if future.status != "pending"]
        lost = [f for f in self.running if f.status in ("lost", "cancelled")]
        return lost or (list(self.running) if self._wait.tasks_lost() else [])

    def _event(self, future: Any, task: Any) -> Event:
        if future.status == "error":
            error = future.exception()
            if isinstance(error, distributed.KilledWorker):
                return Killed(task, error.last_worker.address)
            return Failed(task, error)
        lost = Lost(task, "a task was lost with its worker or its scheduler of Dask")
        if future.status != "finished":
            return lost
        try:
            value = future.result(timeout=patience())
        except (*_LOST, distributed.CancelledError):
            return lost
        return (
            self._refuse(task, value)
            if type(value) is Refused
            else Finished(task, value)
        )

    def _refuse(self, task: Any, answer: Refused) -> Lost:
        """Send no more tasks to a worker with other code."""
        reason = (
            f"the worker {answer.worker} of Dask has another version of rosenblatt "
            f"(code {answer.code[:8]}, here {code_digest()[:8]})"
        )
        if answer.worker not in self._refused:
            self._refused.add(answer.worker)
            warnings.warn(f"{reason}; it gets no more tasks", stacklevel=2)
        return Lost(task, reason, refused=True)

    def cancel(self) -> None:
        """Cancel all tasks."""
        with contextlib.suppress(*_LOST):
            if self.running and self.connection.open:
                self.connection.client.cancel(list(self.running))
        self.running.clear()


class _Wait:
    """Time for which nothing has come, and the reason."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asked = time.monotonic()
        self.over()

    def over(self) -> None:
        """Note that a result has come."""
        self._reason: str | None = None
        self._since = time.monotonic()
        self._warned = False

    def tasks_lost(self) -> bool:
        """Return whether all tasks must be lost; raise an error if waiting is no use.

        A scheduler that is gone is looked for at its address.
        """
        if time.monotonic() - self._asked < _ASK:
            return False
        self._asked = time.monotonic()
        reason, limit = self._state()
        if reason != self._reason:
            self.over()
            self._reason = reason
        waited = time.monotonic() - self._since
        if reason is None:
            return False
        if self._connection.closed and self._connection.renew():
            self.over()
            return True
        if waited > limit:
            if reason == _IDLE_WORKERS:
                self.over()
                return True
            raise ConnectionError(
                f"{reason}, for {waited:.0f} seconds now; {_STORED}; {LONGER}"
            )
        if waited >= _WARN and not self._warned and reason != _IDLE_WORKERS:
            warnings.warn(f"{reason}; waiting for {limit:.0f} s", stacklevel=2)
            self._warned = True
        return False

    def _state(self) -> tuple[str | None, float]:
        """Return why no result can come at the moment, and how long to wait."""
        client = self._connection.client
        if self._connection.closed:
            known = self._connection.address is not None
            reason = "the connection to Dask's scheduler is closed"
            return reason, patience() if known else _WARN
        if client.status != "running":
            return "the connection to Dask's scheduler is lost", patience()
        try:
            workers = client.scheduler_info(n_workers=-1)["workers"]
        except _LOST:
            return "Dask's scheduler does not answer", patience()
        if not workers:
            return "Dask has no workers", patience()
        for worker in workers.values():
            counts = worker.get("metrics", {}).get("task_counts", {})
            if any(counts.get(state, 0) for state in _ACTIVE):
                return None, 0.0
        return _IDLE_WORKERS, _IDLE
