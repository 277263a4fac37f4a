"""Base of the workers of a sweep: local processes and those of Dask."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from rosenblatt.sweeps.workers.compute import Done

__all__ = ["Crew", "Lost", "News"]


class Lost(NamedTuple):
    """Items that somebody had who is gone; the suspects may have been the reason."""

    items: list[int]
    suspects: list[int]
    reason: str


News = Done | Lost


class Crew(Protocol):
    """Those who compute."""

    @property
    def size(self) -> int:
        """How many compute at the same time."""

    def room(self) -> int:
        """Return how many batches more it can be given now."""

    def give(self, items: list[int]) -> None:
        """Hand out a batch."""

    def news(self, timeout: float) -> list[News]:
        """Return what has happened, at once or after some time."""

    def close(self) -> None:
        """Send everybody home, whatever they are doing."""
