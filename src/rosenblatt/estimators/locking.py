"""Locks: one thread at a time uses a model.

Single rows are learned in place, and others by replacing the state: two threads at once
would tear the one and lose the other. Methods that learn or predict wait for each other
instead. So do copies, pickles and files of a model, and :func:`merging` another model:
each has the state of one moment. Models in different threads do not wait, so threads
that only predict are faster with a copy each.
"""

from __future__ import annotations

import copy
import functools
import os
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from sklearn.base import BaseEstimator

__all__ = ["exclusive", "locked", "merging", "shallow_copy", "state"]

Method = TypeVar("Method", bound=Callable[..., Any])
Model = TypeVar("Model")
# Not attributes of models: they would have to be left out of copies, pickles and files.
# The key is the model's id. A model that is deleted takes its entry along.
_locks: dict[int, tuple[weakref.ref[Any], threading.RLock]] = {}
_new = threading.Lock()


def _forget() -> None:
    """Forget all locks in a forked process: the threads that held them do not exist."""
    global _new
    _new = threading.Lock()
    _locks.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def locked(model: Any) -> AbstractContextManager[Any]:
    """Return a context in which no other thread uses the model's methods.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> with locked(Model()):
    ...     pass
    """
    known = _locks.get(id(model))
    return known[1] if known is not None else _new_lock(model, id(model))


def _new_lock(model: Any, key: int) -> threading.RLock:
    """Return the lock of a model that had none, or that another thread just made."""
    with _new:
        if key not in _locks:
            deleted = weakref.ref(model, lambda _: _locks.pop(key, None))
            _locks[key] = deleted, threading.RLock()
        return _locks[key][1]


def exclusive(method: Method) -> Method:
    """Let calls of a method wait for calls on the same model in other threads.

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
        with locked(self):
            return method(self, *args, **named)

    return cast(Method, waiting)


def merging(method: Method) -> Method:
    """Let ``merge(other)`` wait like other methods, and give it a copy of the other.

    The copy is made before: two models that merge each other hold one lock at a time.

    Examples
    --------
    >>> class Total:
    ...     count = 1
    ...
    ...     @merging
    ...     def merge(self, other):
    ...         self.count += other.count
    >>> total = Total()
    >>> total.merge(Total())
    >>> total.count
    2
    """

    @functools.wraps(method)
    def waiting(self: Any, other: Any) -> Any:
        if other is self:
            raise ValueError(
                "other must be another model, got this one, whose examples would count "
                "twice"
            )
        its = copy.copy(other) if type(other) is type(self) else other
        with locked(self):
            return method(self, its)

    return cast(Method, waiting)


def shallow_copy(model: Model) -> Model:
    """Return another object with the same attributes.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> model = Model()
    >>> model.weights = 3
    >>> shallow_copy(model).weights
    3
    """
    other = type(model).__new__(type(model))
    vars(other).update(vars(model))
    return other


def state(model: Any) -> dict[str, Any]:
    """Return the state of an estimator for pickles and deep copies, of one moment.

    Examples
    --------
    >>> sorted(state(BaseEstimator()))
    ['_sklearn_version']
    """
    found: dict[str, Any] = BaseEstimator.__getstate__(copy.copy(model))
    return found
