"""One thread at a time for each model.

Single rows are learned in place, and others by replacing the state: two threads at once
would tear the one and lose the other. Methods that learn or predict wait for each other
instead. Models in different threads do not wait, so threads that only predict are
faster with a copy each.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

__all__ = ["exclusive"]

Method = TypeVar("Method", bound=Callable[..., Any])
# Not attributes of models: they would have to be left out of copies, pickles and files.
_locks: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_new = threading.Lock()


def _forget() -> None:
    """Forget all locks in a forked process: the threads that held them do not exist."""
    global _new
    _new = threading.Lock()
    _locks.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _lock_of(model: Any) -> threading.RLock:
    with _new:
        return _locks.setdefault(model, threading.RLock())


def exclusive(method: Method) -> Method:
    """Let calls of a method wait for others on the same model in other threads.

    Examples
    --------
    >>> class Counter:
    ...     count = 0
    ...
    ...     @exclusive
    ...     def add(self):
    ...         self.count += 1
    >>> counter = Counter()
    >>> counter.add()
    >>> counter.count
    1
    """

    @functools.wraps(method)
    def waiting(self: Any, *args: Any, **named: Any) -> Any:
        with _locks.get(self) or _lock_of(self):
            return method(self, *args, **named)

    return cast(Method, waiting)
