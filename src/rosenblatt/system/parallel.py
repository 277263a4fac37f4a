"""Tasks on processes of this machine, or on a Dask cluster, in order of completion.

A function is sent with its values, also one of a script or a notebook. Each local
process has an executor of its own, so that its death loses only its own task.
"""

from __future__ import annotations

import math
import os
import pickle
import re
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from types import ModuleType
from typing import Any, NamedTuple

import cloudpickle
from joblib.externals import loky
from joblib.externals.loky import process_executor

from rosenblatt.system.code import code_digest

__all__ = [
    "Cluster",
    "Died",
    "Here",
    "Pool",
    "Processes",
    "completed",
    "result_of",
]

_LOOK = 0.5  # seconds between two looks of a process at its parent
_ASK = 1.0  # seconds between two questions for the size of a cluster
_AHEAD = 2  # tasks for each thread of a cluster: while one runs, the next is there
_WARN = 10.0  # seconds without workers of a cluster before a warning
_TICK = 0.2  # seconds between two looks at all tasks


class Died(NamedTuple):
    """Result of a task whose process ended, for example for lack of memory."""

    reason: str


def _packed(value: Any, modules: Iterable[ModuleType]) -> bytes:
    """Return a value for :func:`pickle.loads`, with the code of its modules."""
    try:
        with ExitStack() as stack:
            for module in modules:
                if module.__name__ != "__main__":  # which is always sent
                    cloudpickle.register_pickle_by_value(module)
                    stack.callback(cloudpickle.unregister_pickle_by_value, module)
            return bytes(cloudpickle.dumps(value))
    except Exception as failure:
        raise TypeError(
            "functions and parameters must be picklable, to be sent to other "
            f"processes: {' '.join(str(failure).split())}"
        ) from failure


def _call(content: bytes, code: str, *arguments: Any) -> Any:
    """Call a function in a worker, which must have the code of the caller."""
    if code_digest() != code:
        raise ImportError("another version of rosenblatt, or of its libraries")
    return pickle.loads(content)(*arguments)


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


class Processes:
    """Processes of this machine, one task each.

    Parameters
    ----------
    size
        Number of processes.
    modules
        Modules of the user, whose code is sent to the processes.

    Examples
    --------
    >>> pool = Processes(1)
    >>> pool.submit(lambda x: x + 1, 1).result()
    2
    >>> pool.close()
    """

    def __init__(self, size: int, modules: Iterable[ModuleType] = ()) -> None:
        self.size = size
        self._modules = tuple(modules)
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
        """Return the number of tasks that can be submitted now."""
        return self.size - len(self._busy)

    def submit(
        self, task: Callable[..., Any], *arguments: Any, number: int | None = None
    ) -> Future[Any]:
        """Start a task in an idle process, of a certain number or any."""
        number = self.idle()[0] if number is None else number
        content = _packed(task, self._modules)
        future: Future[Any] = self._executors[number].submit(
            _call, content, code_digest(), *arguments
        )
        self._busy[future] = number
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return tasks that ended; replace processes that died."""
        done, _ = wait(self._busy, seconds, FIRST_COMPLETED)
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

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run a task."""
        future: Future[Any] = Future()
        future.set_result(task(*arguments))
        self._done.append(future)
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return the task that was run."""
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        """Do nothing."""


class Cluster:
    """Workers of Dask, which runs a task again elsewhere if its worker dies.

    Parameters
    ----------
    client
        A client of Dask.
    modules
        Modules of the user, whose code is sent to the workers.
    """

    def __init__(self, client: Any, modules: Iterable[ModuleType] = ()) -> None:
        self._client = client
        self._modules = tuple(modules)
        self._executor = client.get_executor(pure=False)
        self._busy: set[Future[Any]] = set()
        self._size, self._asked = 0, -math.inf
        self._since: float | None = time.monotonic()  # without workers; None: warned

    @property
    def size(self) -> int:
        """Number of threads of all workers that are there now."""
        if time.monotonic() - self._asked > _ASK:
            self._size = sum(self._client.nthreads().values())
            self._asked = time.monotonic()
            if self._size:
                self._since = self._asked
            elif self._since is not None and self._asked - self._since > _WARN:
                warnings.warn("Dask has no workers; waiting for them", stacklevel=2)
                self._since = None
        return self._size

    def room(self) -> int:
        """Return the number of tasks that can be submitted; some even without workers.

        Workers of a cluster may still wait in a queue.
        """
        return max(_AHEAD * self.size, 1) - len(self._busy)

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Send a task to the scheduler; futures of Dask may be among the arguments."""
        content = _packed(task, self._modules)
        future: Future[Any] = self._executor.submit(
            _call, content, code_digest(), *arguments
        )
        self._busy.add(future)
        return future

    def wait(self, seconds: float) -> list[Future[Any]]:
        """Return tasks that ended; raise an error if the scheduler is gone."""
        done, self._busy = wait(self._busy, seconds, FIRST_COMPLETED)
        if self._client.status != "running" or any(f.cancelled() for f in done):
            raise ConnectionError("the scheduler of Dask was lost")
        return list(done)

    def close(self) -> None:
        """Cancel all tasks."""
        self._executor.shutdown(wait=False)


Pool = Processes | Here | Cluster


def result_of(future: Future[Any]) -> Any:
    """Return the result of a task that ended, or how its process died.

    Raises
    ------
    Exception
        The task's own error.
    RuntimeError
        If a worker cannot load the task.
    """
    failure = future.exception()
    if isinstance(failure, BrokenExecutor):
        codes = re.search(r"\{(.*?)\}", str(failure))
        said = f" ({codes[1]})" if codes else ""
        return Died(f"the process that computed it ended{said}")
    if type(failure).__name__ == "KilledWorker":
        return Died("Dask workers that computed it died again and again")
    if isinstance(failure, ImportError | AttributeError | pickle.UnpicklingError):
        raise RuntimeError(
            f"workers cannot run this: {type(failure).__name__}: {failure}. They need "
            "this version of rosenblatt and its libraries, and whatever your own "
            "functions import"
        ) from failure
    return future.result()


def completed(
    tasks: Iterable[tuple[Any, ...]],
    pool: Pool,
    *,
    retries: int = 0,
    tick: Callable[[], object] = lambda: None,
) -> Iterator[tuple[Any, Any]]:
    """Run tasks, and yield the name of each with its result as soon as it is there.

    Parameters
    ----------
    tasks
        Tuples of a name, a function and its arguments. They are taken one by one when
        a worker is idle.
    pool
        The workers; the caller closes them.
    retries
        How often a task runs again whose process died, before its result is
        :class:`Died`.
    tick
        Called several times a second, for example to draw a progress bar.

    Examples
    --------
    >>> dict(completed([("a", len, "xy"), ("b", abs, -1)], Here()))
    {'a': 2, 'b': 1}
    """
    left = iter(tasks)
    again: deque[tuple[Any, ...]] = deque()
    running: dict[Future[Any], tuple[int, tuple[Any, ...]]] = {}
    while True:
        while pool.room() > 0:
            deaths, task = again.popleft() if again else (0, next(left, None))
            if task is None:
                break
            running[pool.submit(*task[1:])] = deaths, task
        if not running:
            return
        for future in pool.wait(_TICK):
            deaths, task = running.pop(future)
            found = result_of(future)
            if isinstance(found, Died) and deaths < retries:
                again.append((deaths + 1, task))
            else:
                yield task[0], found
        tick()
