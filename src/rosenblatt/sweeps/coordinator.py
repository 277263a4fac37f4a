"""Coordinator of a sweep: submits missing items to workers and stores their results.

Only monotonic clocks are used, never the time of day.
"""

from __future__ import annotations

import json
import math
import time
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.store.records import read_record
from rosenblatt.sweeps.store.segments import DamagedRange
from rosenblatt.sweeps.store.store import Store
from rosenblatt.sweeps.workers.compute import Done, Lost, Workers
from rosenblatt.system.progress import ProgressBar

__all__ = ["Coordinator", "Failures"]

_BATCH = 0.2  # seconds that a batch should take: long enough not to wait for others
_MOST = 500  # items of a batch
_SYNC = 1.0  # seconds of work that a loss of power may cost
_WAIT = 0.2  # seconds between two looks at what other sweeps are doing
_DEATHS = 3  # of those who computed an item, before it is given up
_LISTED = 20  # failures that are listed one by one


@dataclass
class Failures:
    """Experiments without a result: their number, and the first ones with reasons."""

    count: int = 0
    first: list[tuple[str, str]] = field(default_factory=list)

    def add(self, item: str, reason: str) -> None:
        """Add a failure."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append((item, reason))

    def as_json(self) -> str:
        """Return the listed failures, as JSON for an attribute of the result."""
        return json.dumps([{"item": i, "reason": r} for i, r in self.first])


class Coordinator:
    """One run of a plan into a store."""

    def __init__(self, plan: Plan, store: Store, progress: bool | None = None) -> None:
        self.plan, self.store, self._progress = plan, store, progress
        self.done = np.zeros(len(plan), dtype=bool)  # has a result, or was given up
        self.failures = Failures()
        self.computed = 0  # by this run
        self._retry: deque[int] = deque()  # items that workers have lost
        self._deferred: deque[int] = deque()  # items that others are computing
        self._crashes: dict[int, int] = {}
        self._running = 0
        self._next = self._pending()
        self._seconds = 0.0  # that an item takes
        self._synced = self._read = time.monotonic()

    def load_stored(self) -> None:
        """Mark the items that are in the store already."""
        for stored in self.store.new_records():
            for item in self.plan.keys.items(stored.key):
                self.done[item] = True
        for item in self.plan.keys.repeated():
            self.done[item] = True  # as soon as the first one of them is
        for damage in self.store.new_damage():
            warnings.warn(_damage(damage), stacklevel=2)

    @property
    def missing(self) -> int:
        """Number of items without a result."""
        return len(self.plan) - int(np.count_nonzero(self.done))

    def run(self, workers: Workers) -> None:
        """Compute all missing items."""
        self._missing, total = self.missing, len(self.plan)
        try:
            with ProgressBar(
                total, shown=self._progress, done=total - self._missing
            ) as bar:
                while self._missing or self._running:
                    self._step(workers)
                    bar.update(total - self._missing, self._described(workers.size))
        finally:
            self.store.sync()

    def _described(self, workers: int) -> str:
        failed = self.failures.count
        return f"{workers} at work" + (f", {failed} failed" if failed else "")

    def _step(self, workers: Workers) -> None:
        """Submit items as far as workers have capacity, and take what they send."""
        while workers.capacity() > 0 and (batch := self._batch(workers.size)):
            workers.submit(batch)
            self._running += len(batch)
        for event in workers.events(_WAIT):
            if isinstance(event, Done):
                self._finish(event)
            else:
                self._lose(event)
        self._synchronise()

    def _pending(self) -> Iterator[int]:
        for item in range(len(self.plan)):
            if not self.done[item]:
                yield item

    def _candidate(self) -> int | None:
        """Return an item that may need to be computed."""
        while self._retry:
            item = self._retry.popleft()
            if not self.done[item]:
                return item
        return next(self._next, None)

    def _batch(self, workers: int) -> list[int]:
        """Lock some items that no sweep has computed or computes."""
        fair = math.ceil(self._missing / (4 * max(workers, 1)))
        quick = _BATCH / self._seconds if self._seconds else 1
        size = max(1, min(int(quick), fair, _MOST))
        claimed: list[int] = []
        while len(claimed) < size and (item := self._candidate()) is not None:
            if not self.store.locks.acquire(self.plan.keys.key(item)):
                self._deferred.append(item)
                continue
            suspect = item in self._crashes
            if suspect and claimed:
                self._retry.appendleft(item)
                break
            claimed.append(item)
            if suspect:  # it may take others with it
                break
        if not claimed:
            return []
        # Another sweep may have computed and released an item before it was locked.
        self._read_others()
        for item in claimed:
            if self.done[item]:
                self.store.locks.release(self.plan.keys.key(item))
        return [item for item in claimed if not self.done[item]]

    def _finish(self, event: Done) -> None:
        self._running -= 1
        if self.done[event.item]:  # another result of it came before
            return
        key = self.plan.keys.key(event.item)
        if event.record is None:
            self._give_up(event.item, event.failure)
            return
        found, _ = read_record(event.record)
        if found != key:
            raise ValueError(
                f"the result for {self.plan.described(event.item)} has the key of "
                "another item"
            )
        self.store.append(event.record)
        self.store.locks.release(key)
        self.computed += 1
        self._mark(event.item)
        weight = 0.1  # about ten items are remembered
        self._seconds += (weight if self._seconds else 1.0) * (
            event.seconds - self._seconds
        )

    def _mark(self, item: int) -> None:
        if not self.done[item]:
            self.done[item] = True
            self._missing -= 1

    def _give_up(self, item: int, reason: str) -> None:
        self.store.locks.release(self.plan.keys.key(item))
        self.failures.add(self.plan.described(item), reason)
        self._mark(item)

    def _lose(self, event: Lost) -> None:
        self._running -= len(event.items)
        for item in event.suspects:
            self._crashes[item] = self._crashes.get(item, 0) + 1
            if self._crashes[item] == _DEATHS:
                self._give_up(item, f"{event.reason}, {_DEATHS} times")
        self._retry.extend(item for item in event.items if not self.done[item])
        if event.items:
            warnings.warn(
                f"{event.reason}; {len(event.items)} experiments are computed again",
                stacklevel=2,
            )

    def _read_others(self) -> None:
        for stored in self.store.new_records():
            for item in self.plan.keys.items(stored.key):
                self._mark(item)

    def _synchronise(self) -> None:
        """Write results to the disk and read those of other sweeps, now and then."""
        now = time.monotonic()
        if now - self._synced > _SYNC:
            self.store.sync()
            self._synced = now
        if self._deferred and not self._retry and now - self._read > _WAIT:
            self._retry, self._deferred = self._deferred, deque()
            self._read_others()
            self._read = now


def _damage(damage: DamagedRange) -> str:
    what = "a half-written result" if damage.cut else "a damaged piece"
    return (
        f"the store has {what} in {damage.segment} (bytes {damage.start} to "
        f"{damage.stop}); what is missing is computed again"
    )
