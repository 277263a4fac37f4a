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
from collections.abc import Callable
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

MANY_ROWS = 1_000_000  # to learn them takes a tenth of a second or more
Result = TypeVar("Result")
_LOOK = 0.1  # seconds; on Windows, Ctrl-C does not end a wait without a limit


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
        Whether the function may take long; if not, it runs in the main thread.

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


@functools.lru_cache(maxsize=1)
def _libraries(modules: int) -> ThreadpoolController:
    """Return the loaded libraries; a search takes 10 ms, so only imports cause one."""
    return ThreadpoolController().select(user_api="blas")


class _Limit:
    """The limit of this process, and the number of threads that need it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._set: Any = _libraries(len(sys.modules)).limit(limits=1)
            self._inside += 1

    def __exit__(self, *failure: object) -> None:
        with self._lock:
            self._inside = max(self._inside - 1, 0)
            if not self._inside:
                self._set.restore_original_limits()

    def forget(self) -> None:
        """Forget other threads in a forked process, where they do not exist."""
        if self._inside:
            self._set.restore_original_limits()
        self._lock, self._inside = threading.Lock(), 0


_BLAS = _Limit()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_BLAS.forget)


def one_thread() -> contextlib.AbstractContextManager[None]:
    """Return a context in which the BLAS libraries of this process have one thread."""
    return _BLAS
