"""Tasks on Dask's workers, watched until each has given its result.

A task may be lost with the worker or the scheduler that had it, or wait for workers
that never come. What is lost is handed out again; if that does not help, an error says
so, instead of waiting for ever.
"""

from __future__ import annotations

import pickle
import queue
import time
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple

from rosenblatt.system.dask_workers import LONGER, distributed, patience

__all__ = ["Refused", "SchedulerGoneError", "watched"]

_IDLE = 60.0  # seconds in which no worker does anything before tasks count as lost
_LOOK = 1.0  # seconds after which it looks whether to end
_ASK = 5.0  # seconds between two questions to the scheduler: all workers are counted
_TOLD = 10.0  # seconds before it says what it waits for
_TIMES = 3  # that a task is handed out again
_LOST = (OSError, TimeoutError)
# What a process says of a task that it cannot load.
_UNREADABLE = (ImportError, AttributeError, pickle.UnpicklingError)
# What tasks do, as workers report it, of which a result can come.
_AT_WORK = ("executing", "long-running", "flight", "resumed", "cancelled")

_CLOSED = ("closing", "closed")  # of a client
_DOZING = "no worker of Dask does anything"
_KEPT = "what was kept until then is there to go on with"

Send = Callable[[Mapping[int, Any]], dict[Any, int]]


class SchedulerGoneError(ConnectionError):
    """A client that has given up its scheduler."""


class Refused(NamedTuple):
    """What a worker returns instead of a result if its code is another."""

    worker: str


def watched(
    client: Any,
    send: Send,
    tasks: Mapping[int, Sequence[Any]],
    look: Callable[[], None],
    refused: set[str],
) -> Generator[tuple[int, Any]]:
    """Yield numbers and results of tasks, whichever is ready first.

    Parameters
    ----------
    client
        A client of Dask.
    send
        Hands out tasks; it returns futures and their numbers.
    tasks
        What to hand out, by number.
    look
        Called now and then; it may raise an error to end the work.
    refused
        Workers of another version, which get no tasks; more may become known here.
    """
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    flying: dict[Any, int] = {}
    waiting, times = dict(tasks), dict.fromkeys(tasks, 0)
    wait = _Wait(client)
    try:
        while waiting or flying:
            look()
            if waiting and client.status == "running":
                sent = send(waiting)
                for future in sent:
                    future.add_done_callback(ready.put)
                flying |= sent
                waiting.clear()
            try:
                ended = [ready.get(timeout=_LOOK)]
                if ended[0].status == "pending":  # lost with a worker, and made again
                    ended.pop().add_done_callback(ready.put)
            except queue.Empty:
                ended = [f for f in flying if f.status in ("lost", "cancelled")]
                if not ended and wait.stuck():
                    ended = list(flying)
            for future in ended:
                number = flying.pop(future, None)
                if number is None:  # it was given up before
                    continue
                found = _result(future, tasks[number])
                future.release()
                if found is not None:
                    wait.over()
                    if isinstance(found[0], Refused):
                        _tell_refused(found[0].worker, refused)
                        waiting[number] = tasks[number]
                    else:
                        yield number, found[0]
                    continue
                times[number] += 1
                if times[number] > _TIMES:
                    raise RuntimeError(
                        f"Dask has lost the same task {times[number]} times, without "
                        "an error: look at the logs of its scheduler and workers"
                    )
                waiting[number] = tasks[number]
    finally:
        if flying and client.status == "running":
            client.cancel(list(flying))


def _tell_refused(worker: str, refused: set[str]) -> None:
    if worker not in refused:
        refused.add(worker)
        warnings.warn(
            f"the worker {worker} of Dask has another version of rosenblatt; it gets "
            "nothing to learn",
            stacklevel=2,
        )


def _named(task: Sequence[Any]) -> str:
    """Return the pieces of a task, in words."""
    return str(task[0]) if len(task) == 1 else f"{task[0]} to {task[-1]}"


def _result(future: Any, task: Sequence[Any]) -> tuple[Any] | None:
    """Return what a task has returned, in a tuple; None if that is lost."""
    if future.status == "error":
        failure = future.exception()
        if isinstance(failure, distributed.KilledWorker):
            raise RuntimeError(
                f"workers of Dask died again and again while they learned "
                f"{_named(task)}, perhaps for lack of memory; the last one was "
                f"{failure.last_worker.address}"
            ) from None
        if isinstance(failure, _UNREADABLE):
            raise RuntimeError(
                f"workers of Dask cannot run this: {failure}. They and the scheduler "
                "need rosenblatt in the same version, and whatever pieces import"
            ) from failure
        future.result()  # raises it
    if future.status != "finished":
        return None
    try:
        return (future.result(timeout=patience()),)
    except (*_LOST, distributed.CancelledError):
        return None


class _Wait:
    """How long nothing has come, and why."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._asked = time.monotonic()
        self.over()

    def over(self) -> None:
        """Take note that something has come."""
        self._reason: str | None = None
        self._since = time.monotonic()
        self._told = False

    def stuck(self) -> bool:
        """Return whether tasks must have been lost; raise an error if all is."""
        if time.monotonic() - self._asked < _ASK:
            return False
        self._asked = time.monotonic()
        reason, limit = self._found()
        if reason != self._reason:
            self.over()
            self._reason = reason
        waited = time.monotonic() - self._since
        if reason is None or waited < _TOLD:
            return False
        if self._client.status in _CLOSED:
            raise SchedulerGoneError(f"{reason}, for {waited:.0f} seconds now; {_KEPT}")
        if waited > limit:
            if reason == _DOZING:
                self.over()
                return True
            raise ConnectionError(
                f"{reason}, for {waited:.0f} seconds now; {_KEPT}; {LONGER}"
            )
        if not self._told and reason != _DOZING:
            warnings.warn(f"{reason}; waiting for {limit:.0f} s", stacklevel=2)
            self._told = True
        return False

    def _found(self) -> tuple[str | None, float]:
        """Return why nothing can come at the moment, and how long to wait."""
        client = self._client
        if client.status in _CLOSED:
            return "the connection to Dask's scheduler is closed", _TOLD
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
            if any(counts.get(state, 0) for state in _AT_WORK):
                return None, 0.0
        return _DOZING, _IDLE
