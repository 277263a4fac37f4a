"""A worker of a sweep that is this process itself, for a debugger."""

from __future__ import annotations

from collections import deque

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.compute import Event, compute
from rosenblatt.sweeps.workers.threads import one_thread

__all__ = ["SerialWorker"]


class SerialWorker:
    """A worker that computes one item at a time in this process."""

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
        with one_thread():
            return [compute(plan.function, item, plan.keys.key(item), parameters, 1)]

    def close(self) -> None:
        """Do nothing."""
