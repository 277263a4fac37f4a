"""Interface of the workers of a sweep."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from rosenblatt.sweeps.workers.compute import Done

__all__ = ["Event", "Lost", "Workers"]


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
        """End all workers, whatever they are doing."""
