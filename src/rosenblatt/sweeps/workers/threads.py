"""Limit of one thread for linear algebra, the same on all workers.

Libraries split long sums among their threads, so the last digits depend on the number
of threads. That would be the number of cores, or the one that Dask gives its workers. A
sweep keeps all cores busy anyway.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]

# What libraries read that are loaded later.
_VARIABLES = ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@functools.lru_cache(maxsize=1)
def _libraries(modules: int) -> ThreadpoolController:
    """Return the loaded libraries; a search takes 10 ms, so only imports cause one."""
    return ThreadpoolController()


class _Shared:
    """Limit of a process, set by the first and removed by the last thread inside."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: dict[str, str | None] = {}
        self._limit: Any = None

    def enter(self, libraries: ThreadpoolController) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit = libraries.select(user_api="blas").limit(limits=1)
                self._before = {name: os.environ.get(name) for name in _VARIABLES}
                os.environ.update(dict.fromkeys(_VARIABLES, "1"))
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside:
                return
            self._limit.restore_original_limits()
            for name, value in self._before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


_SHARED = _Shared()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let libraries use one thread; several threads may be in here at once."""
    libraries = _libraries(len(sys.modules))
    _SHARED.enter(libraries)
    try:
        with libraries.select(user_api="openmp").limit(limits=1):  # of this thread
            yield
    finally:
        _SHARED.leave()
