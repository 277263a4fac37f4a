"""Waits that Ctrl-C can end, and limits of one thread for linear algebra.

Python handles Ctrl-C in the main thread, between two of its own instructions: never
while compiled code runs there. So what may take long runs in another thread.

Threads that wait for each other take longer than small matrices do. Also, libraries
split long sums among their threads, so that the last digits depend on their number.

A limit holds for the whole process. The first of several threads sets it, and the last
one removes it.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = [
    "MANY_ROWS",
    "core_count",
    "interruptible",
    "one_thread",
    "one_thread_everywhere",
]

MANY_ROWS = 1_000_000  # to learn them takes a tenth of a second or more
Result = TypeVar("Result")
_LOOK = 0.1  # seconds; on Windows, Ctrl-C does not end a wait without a limit

# Variables that libraries read when they are loaded.
_VARIABLES = ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux, where it may be limited
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def interruptible(work: Callable[[], Result], *, long: bool = True) -> Result:
    """Return the result of a function; Ctrl-C ends the wait for it.

    Compiled code cannot be stopped. After Ctrl-C its thread goes on, until it or the
    process ends: the function must change nothing that others use.

    Parameters
    ----------
    work
        The function.
    long
        Whether it may take long; if not, it is called without a thread.

    Examples
    --------
    >>> interruptible(lambda: 1 + 1)
    2
    """
    if not long or threading.current_thread() is not threading.main_thread():
        return work()
    results: list[Result] = []
    failures: list[BaseException] = []
    done, context = threading.Event(), contextvars.copy_context()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as failure:
            failures.append(failure)
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while not done.wait(_LOOK):
        pass
    thread.join()
    if failures:
        raise failures.pop()
    return results.pop()


@functools.lru_cache(maxsize=2)
def _libraries(kind: str, modules: int) -> ThreadpoolController:
    """Return the loaded libraries; a search takes 10 ms, so only imports cause one."""
    return ThreadpoolController().select(user_api=kind)


def _limit_blas() -> Callable[[], None]:
    found: Any = _libraries("blas", len(sys.modules)).limit(limits=1)
    return found.restore_original_limits  # type: ignore[no-any-return]


def _set_variables() -> Callable[[], None]:
    before = {name: os.environ.get(name) for name in _VARIABLES}
    os.environ.update(dict.fromkeys(_VARIABLES, "1"))

    def restore() -> None:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    return restore


class _Limit:
    """A limit of this process; ``start`` sets it and returns what removes it."""

    def __init__(self, start: Callable[[], Callable[[], None]]) -> None:
        self._start = start
        self._lock = threading.RLock()
        self._inside: list[int] = []  # threads, once for each context
        if hasattr(os, "register_at_fork"):  # a fork waits: half a change would stay
            os.register_at_fork(
                before=self._lock.acquire,
                after_in_parent=self._lock.release,
                after_in_child=self._forget,
            )

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._remove = self._start()
            self._inside.append(threading.get_ident())

    def __exit__(self, *failure: object) -> None:
        with self._lock:
            self._inside.remove(threading.get_ident())
            if not self._inside:
                self._remove()

    def _forget(self) -> None:
        """Forget other threads in a forked process, where they do not exist."""
        before, own = self._inside, threading.get_ident()
        self._inside = [one for one in before if one == own]
        if before and not self._inside:
            self._remove()
        self._lock.release()


_BLAS, _LATER = _Limit(_limit_blas), _Limit(_set_variables)


def one_thread() -> contextlib.AbstractContextManager[None]:
    """Return a context in which the BLAS libraries of this process have one thread."""
    return _BLAS


@contextlib.contextmanager
def one_thread_everywhere() -> Iterator[None]:
    """Limit OpenMP too, and libraries that are loaded later."""
    openmp = _libraries("openmp", len(sys.modules))
    with _BLAS, _LATER, openmp.limit(limits=1):  # that of OpenMP is of this thread
        yield
