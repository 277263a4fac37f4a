"""Tasks on processes of this machine, or on a Dask cluster, in order of completion.

Functions are sent by value, also those of a script or a notebook. A pool says how many
tasks it takes at a time, and submits them to an executor.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from itertools import islice
from types import ModuleType
from typing import Any, NamedTuple

import cloudpickle
from joblib.externals import loky
from joblib.externals.loky import process_executor

from rosenblatt.system.code import code_digest

_LOOK = 0.5  # seconds between two looks of a process at its parent
_TICK = 0.2  # seconds between two looks at all tasks


class Died(NamedTuple):
    """Result of a task whose process ended, for example for lack of memory."""

    reason: str


def _packed(value: Any, modules: Iterable[ModuleType]) -> bytes:
    """Return a value for :func:`pickle.loads`, with the code of these modules."""
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
    """Leave Ctrl-C to the parent, and end with it.

    loky ends a worker that has grown by 300 MB, as if memory leaked. Compiled code and
    stored results take more, so this check is switched off.
    """
    process_executor._USE_PSUTIL = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


class Processes:
    """Processes of this machine; if one dies, all running tasks are lost."""

    def __init__(self, size: int) -> None:
        self.size = self.room = size
        self.renew()

    def renew(self) -> None:
        """Start new processes."""
        self._executor = loky.ProcessPoolExecutor(
            max_workers=self.size, initializer=_begin, initargs=(os.getpid(),)
        )

    def submit(self, *task: Any) -> Future[Any]:
        """Start a task."""
        future: Future[Any] = self._executor.submit(*task)
        return future

    def check(self, done: Iterable[Future[Any]]) -> None:
        """Do nothing: deaths are found by the tasks."""

    def close(self) -> None:
        """Kill all processes."""
        self._executor.shutdown(kill_workers=True)


class Here:
    """The calling process, which runs a task as soon as it is submitted."""

    size = room = 1

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run a task."""
        future: Future[Any] = Future()
        future.set_result(task(*arguments))
        return future

    def renew(self) -> None:
        """Do nothing."""

    def check(self, done: Iterable[Future[Any]]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Cluster:
    """Workers of a Dask client; Dask runs a task again if its worker dies."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    @property
    def size(self) -> int:
        """Number of threads of all workers that are there now."""
        try:
            return sum(self._client.nthreads().values())
        except OSError as failure:
            raise ConnectionError("the scheduler of Dask was lost") from failure

    @property
    def room(self) -> int:
        """While a task runs, the next is there. One waits even without workers."""
        return max(2 * self.size, 1)

    def submit(self, *task: Any) -> Future[Any]:
        """Send a task to the scheduler; futures of Dask may be among the arguments."""
        future: Future[Any] = self._executor.submit(*task)
        return future

    def renew(self) -> None:
        """Do nothing: Dask replaces workers itself."""

    def check(self, done: Iterable[Future[Any]]) -> None:
        """Raise ConnectionError if the scheduler is gone."""
        if self._client.status != "running" or any(f.cancelled() for f in done):
            raise ConnectionError("the scheduler of Dask was lost")

    def close(self) -> None:
        """Cancel all tasks."""
        self._executor.shutdown(wait=False)


Pool = Processes | Here | Cluster


def _result_of(future: Future[Any]) -> Any:
    """Return the result of a task that ended, or how its process died."""
    failure = future.exception()
    if isinstance(failure, BrokenExecutor):
        codes = re.search(r"\{(.*?)\}", str(failure))
        said = f" ({codes[1]})" if codes else ""
        return Died(f"the process that computed it ended{said}")
    if type(failure).__name__ == "KilledWorker":
        return Died("Dask workers that computed it died again and again")
    if isinstance(failure, ImportError | AttributeError | pickle.UnpicklingError):
        raise ImportError(
            f"workers cannot run this: {type(failure).__name__}: {failure}. They need "
            "this version of rosenblatt and its libraries, and whatever your own "
            "functions import"
        ) from failure
    return future.result()


def completed(
    tasks: Iterable[tuple[Any, ...]],
    pool: Pool,
    *,
    alone: bool = False,
    modules: Iterable[ModuleType] = (),
    tick: Callable[[], object] = lambda: None,
) -> Iterator[tuple[Any, Any]]:
    """Run tasks, and yield the name of each with its result as soon as it is there.

    Parameters
    ----------
    tasks
        Tuples of a name, a function and its arguments, taken when there is room.
    pool
        The workers; the caller closes them.
    alone
        Whether to run one task at a time, so that a death loses only its own task.
    modules
        Modules of the user, whose code is sent with the functions.
    tick
        Called several times a second, for example to draw a progress bar.

    Examples
    --------
    >>> dict(completed([("a", len, "xy"), ("b", abs, -1)], Here()))
    {'a': 2, 'b': 1}
    """
    left = iter(tasks)
    running: dict[Future[Any], Any] = {}
    while True:
        room = (1 if alone else pool.room) - len(running)
        for name, task, *arguments in islice(left, max(room, 0)):
            if isinstance(pool, Here):
                running[pool.submit(task, *arguments)] = name
            else:
                sent = _call, _packed(task, modules), code_digest(), *arguments
                running[pool.submit(*sent)] = name
        if not running:
            return
        done, _ = wait(running, _TICK, FIRST_COMPLETED)
        pool.check(done)
        if any(isinstance(f.exception(), BrokenExecutor) for f in done):
            done, _ = wait(running)  # those of all other processes were lost too
            pool.close()
            pool.renew()
        for future in done:
            yield running.pop(future), _result_of(future)
        tick()
