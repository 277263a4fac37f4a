"""Interface of the workers of a sweep, and the worker that is this process itself."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.plan.tasks import run
from rosenblatt.sweeps.store.records import record
from rosenblatt.sweeps.store.results import as_result, encode
from rosenblatt.system.threads import one_thread_everywhere

__all__ = ["Done", "Event", "Lost", "SerialWorker", "Workers", "compute"]


class Done(NamedTuple):
    """An item with its record, or with the reason of its failure."""

    item: int
    record: bytes | None
    failure: str
    seconds: float


class Lost(NamedTuple):
    """Items of a worker that is gone; the suspects may have been the reason."""

    items: list[int]
    suspects: list[int]
    reason: str


Event = Done | Lost


class Workers(Protocol):
    """Workers that compute items of a plan."""

    @property
    def size(self) -> int:
        """Number of items that are computed at the same time."""

    def capacity(self) -> int:
        """Return the number of batches that can be submitted now."""

    def submit(self, items: list[int]) -> None:
        """Submit a batch of items."""

    def events(self, timeout: float) -> list[Event]:
        """Return results and losses, after the first one or the timeout."""

    def close(self) -> None:
        """End all workers at once."""


def _said(failure: Exception) -> str:
    """Return an error in one line, with file and line number."""
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    frames = traceback.extract_tb(failure.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return what + where


def compute(
    function: Callable[..., Any],
    item: int,
    key: bytes,
    parameters: Mapping[str, Any],
    threads: int,
) -> Done:
    """Run one experiment."""
    began = time.monotonic()
    try:
        data = record(key, encode(as_result(run(function, parameters, threads))))
    except Exception as failure:
        return Done(item, None, _said(failure), time.monotonic() - began)
    return Done(item, data, "", time.monotonic() - began)


class SerialWorker:
    """A worker that computes one item at a time in this process, for a debugger."""

    size = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._items: deque[int] = deque()

    def capacity(self) -> int:
        """Return 1 if no item waits, else 0."""
        return int(not self._items)

    def submit(self, items: list[int]) -> None:
        """Add a batch to the items that wait."""
        self._items.extend(items)

    def events(self, timeout: float) -> list[Event]:
        """Compute the next item."""
        if not self._items:
            return []
        item = self._items.popleft()
        plan = self._plan
        parameters = plan.parameters(item)
        with one_thread_everywhere():
            return [compute(plan.function, item, plan.keys.key(item), parameters, 1)]

    def close(self) -> None:
        """Do nothing."""
