"""Independent pieces of work in several processes, where processes can be forked.

A fork shares all that is imported and compiled already, and takes any function, also
one that cannot be pickled. Where there is no safe fork (on macOS and Windows, next to
other threads, or to those of JAX) the pieces are done one after the other.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

__all__ = ["results"]

Result = TypeVar("Result")

_tasks: Sequence[Callable[[], Any]] = ()  # what the processes find when they are forked


def _do(index: int) -> Any:
    return _tasks[index]()


def _leave_quietly() -> None:
    """Let Ctrl-C end a process at once: the one that forked it says what there is."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))


def _safe() -> bool:
    """Return whether this process may be forked."""
    alone = threading.active_count() == 1 and "jax" not in sys.modules
    return sys.platform == "linux" and alone


def results(
    tasks: Sequence[Callable[[], Result]], workers: int | None = None
) -> Iterator[tuple[int, Result]]:
    """Give numbers of tasks and what they return, in the order in which they end.

    Processes are forked at once, also if nobody asks for the first result yet: a
    progress bar, which has a thread of its own, may appear in between.

    Parameters
    ----------
    tasks
        Functions; what they return must be picklable.
    workers
        Number of processes; by default one per core.

    Examples
    --------
    >>> sorted(results([lambda: "a", lambda: "b"], workers=2))
    [(0, 'a'), (1, 'b')]
    """
    global _tasks
    workers = min(workers or os.cpu_count() or 1, len(tasks))
    if workers < 2 or not _safe():
        return ((index, task()) for index, task in enumerate(tasks))
    _tasks = tasks
    numbers: dict[Future[Any], int] = {}
    pool = ProcessPoolExecutor(workers, get_context("fork"), _leave_quietly)
    with warnings.catch_warnings():
        # Of threads that do not survive a fork; those of BLAS are prepared for it.
        warnings.simplefilter("ignore", DeprecationWarning)
        for index in range(len(tasks)):
            numbers[pool.submit(_do, index)] = index
    return _collected(pool, numbers)


def _collected(
    pool: ProcessPoolExecutor, numbers: Mapping[Future[Any], int]
) -> Iterator[tuple[int, Any]]:
    """Yield what ends, and leave nothing behind."""
    global _tasks
    left = len(numbers)
    try:
        for done in as_completed(numbers):
            left -= 1
            yield numbers[done], done.result()
    finally:
        if left:  # somebody does not want the rest: do not wait for what is running
            for process in active_children():
                process.terminate()
        pool.shutdown(cancel_futures=True)
        _tasks = ()
