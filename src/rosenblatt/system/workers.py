"""Workers: processes of this machine or of a Dask cluster, behind one interface.

A function is sent with its values, also one of a script or a notebook. Each local
process has an executor of its own, so that its death loses only its own task.
"""

from __future__ import annotations

import math
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future
from concurrent.futures import wait as wait_for
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any, Protocol

import cloudpickle
from joblib.externals import loky
from joblib.externals.loky import process_executor

__all__ = ["DaskWorkers", "Here", "LocalWorkers", "Workers", "death", "packed"]

_LOOK = 0.5  # seconds between two looks of a worker at its parent
_ASK = 1.0  # seconds between two questions for the size of a cluster
_AHEAD = 2  # tasks for each thread of a cluster: while one runs, the next is there
_KILLED = "KilledWorker"  # name of Dask's error for a task whose workers died


class Workers(Protocol):
    """Workers that run one task each, or a few."""

    def room(self) -> int:
        """Return the number of tasks that can be submitted now."""

    @property
    def size(self) -> int:
        """Number of tasks that run at the same time."""

    def submit(self, task: Callable[[], Any]) -> Future[Any]:
        """Start a task."""

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return tasks that ended, after the first one or the time given."""

    def close(self) -> None:
        """End all workers."""


@contextmanager
def _by_value(modules: Iterable[ModuleType]) -> Any:
    with ExitStack() as stack:
        for module in modules:
            if module.__name__ != "__main__":  # which is always sent
                cloudpickle.register_pickle_by_value(module)
                stack.callback(cloudpickle.unregister_pickle_by_value, module)
        yield


def packed(value: Any, modules: Iterable[ModuleType] = ()) -> bytes:
    """Return a value as bytes for :func:`pickle.loads`, with the code of its modules.

    Examples
    --------
    >>> import pickle
    >>> pickle.loads(packed(lambda x: x + 1))(1)
    2
    """
    try:
        with _by_value(modules):
            return bytes(cloudpickle.dumps(value))
    except Exception as failure:
        raise TypeError(
            "functions and parameters must be picklable, to be sent to other "
            f"processes: {' '.join(str(failure).split())}"
        ) from failure


def death(failure: BaseException | None) -> str:
    """Return in words how the process of a task died, or "" if it did not.

    Examples
    --------
    >>> death(ValueError()), death(BrokenExecutor("codes are {SIGKILL(-9)}"))
    ('', 'the process that computed it ended (SIGKILL(-9))')
    """
    if isinstance(failure, BrokenExecutor):
        codes = re.search(r"\{(.*?)\}", str(failure))
        said = f" ({codes[1]})" if codes else ""
        return f"the process that computed it ended{said}"
    if type(failure).__name__ == _KILLED:
        return "Dask workers that computed it died again and again"
    return ""


def _begin(parent: int) -> None:
    """Leave Ctrl-C to the parent, end with it, and keep this process while it grows.

    loky ends a worker that has grown by 300 MB, as if memory leaked. Compiled code and
    results that are kept take more, and a new worker would have to compute them again.
    """
    process_executor._USE_PSUTIL = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


class LocalWorkers:
    """Processes of this machine, one task each.

    Examples
    --------
    >>> workers = LocalWorkers(1)
    >>> future = workers.submit(lambda: 1 + 1)
    >>> future.result()
    2
    >>> workers.close()
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._executors = [self._start() for _ in range(size)]
        self._busy: dict[Future[Any], int] = {}

    @staticmethod
    def _start() -> Any:
        return loky.ProcessPoolExecutor(
            max_workers=1, initializer=_begin, initargs=(os.getpid(),)
        )

    def idle(self) -> list[int]:
        """Return the numbers of the idle processes."""
        return sorted({*range(self.size)} - {*self._busy.values()})

    def room(self) -> int:
        """Return the number of idle processes."""
        return self.size - len(self._busy)

    def submit(self, task: Callable[[], Any], number: int | None = None) -> Future[Any]:
        """Start a task in an idle process, of a certain number or any."""
        number = self.idle()[0] if number is None else number
        future: Future[Any] = self._executors[number].submit(task)
        self._busy[future] = number
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return tasks that ended; replace processes that died."""
        done, _ = wait_for(self._busy, seconds, FIRST_COMPLETED)
        for future in done:
            number = self._busy.pop(future)
            if isinstance(future.exception(), BrokenExecutor):
                self._executors[number].shutdown(kill_workers=True)
                self._executors[number] = self._start()
        return list(done)

    def close(self) -> None:
        """Kill all processes."""
        for executor in self._executors:
            executor.shutdown(kill_workers=True)


class Here:
    """One worker that is the calling process; it runs a task when it is submitted."""

    size = 1

    def __init__(self) -> None:
        self._done: list[Future[Any]] = []

    def room(self) -> int:
        """Return 1 if no result waits to be taken, else 0."""
        return int(not self._done)

    def submit(self, task: Callable[[], Any]) -> Future[Any]:
        """Run a task."""
        future: Future[Any] = Future()
        future.set_result(task())
        self._done.append(future)
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return the task that was run."""
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        """Do nothing."""


class DaskWorkers:
    """Workers of Dask, which runs a task again elsewhere if its worker dies.

    Parameters
    ----------
    client
        A client of Dask.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._busy: set[Future[Any]] = set()
        self._size, self._asked = 0, -math.inf

    @property
    def size(self) -> int:
        """Number of threads of all workers that are there now."""
        if time.monotonic() - self._asked > _ASK:
            self._size = sum(self._client.nthreads().values())
            self._asked = time.monotonic()
        return self._size

    def room(self) -> int:
        """Return the number of tasks that can be submitted; some even without workers.

        Workers of a cluster may still wait in a queue.
        """
        return max(_AHEAD * self.size, 1) - len(self._busy)

    def submit(self, task: Callable[[], Any]) -> Future[Any]:
        """Send a task to the scheduler."""
        future: Future[Any] = self._executor.submit(task)
        self._busy.add(future)
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return tasks that ended; raise an error if the scheduler is gone."""
        done, self._busy = wait_for(self._busy, seconds, FIRST_COMPLETED)
        if self._client.status != "running" or any(f.cancelled() for f in done):
            raise ConnectionError("the scheduler of Dask was lost")
        return list(done)

    def close(self) -> None:
        """Cancel all tasks."""
        self._executor.shutdown(wait=False)
