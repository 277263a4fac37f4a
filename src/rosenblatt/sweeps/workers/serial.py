"""Items computed by this process itself, one after the other: for a debugger."""

from __future__ import annotations

from collections import deque

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.base import News
from rosenblatt.sweeps.workers.compute import compute
from rosenblatt.sweeps.workers.threads import one_thread

__all__ = ["Inline"]


class Inline:
    """A crew of nobody else."""

    size = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._todo: deque[int] = deque()

    def room(self) -> int:
        """Return whether there is nothing to do."""
        return int(not self._todo)

    def give(self, items: list[int]) -> None:
        """Remember a batch."""
        self._todo.extend(items)

    def news(self, timeout: float) -> list[News]:
        """Compute the next item."""
        if not self._todo:
            return []
        item = self._todo.popleft()
        plan = self._plan
        parameters = plan.parameters(item)
        with one_thread():
            return [compute(plan.function, item, plan.keys.key(item), parameters, 1)]

    def close(self) -> None:
        """Do nothing."""
