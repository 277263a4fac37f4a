"""Hands out what is not there yet, keeps what comes back, and survives the rest.

Nothing here looks at the time of day: only time that has passed counts.
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
from rosenblatt.sweeps.store.records import body_of
from rosenblatt.sweeps.store.segments import Spoilt
from rosenblatt.sweeps.store.store import Store
from rosenblatt.sweeps.workers.base import Lost, Workers
from rosenblatt.sweeps.workers.compute import Done
from rosenblatt.system.progress import ProgressBar

__all__ = ["Coordinator", "Failures"]

_BATCH = 0.2  # seconds that a batch should take: long enough not to wait for others
_MOST = 500  # items of a batch
_SYNC = 1.0  # seconds of work that a loss of power may cost
_WAIT = 0.2  # seconds between two looks at what other sweeps are doing
_DEATHS = 3  # of those who computed an item, before it is left alone
_TOLD = 20  # failures that are told one by one


@dataclass
class Failures:
    """Experiments that gave no result: how many, and the first ones with reasons."""

    count: int = 0
    first: list[tuple[str, str]] = field(default_factory=list)

    def add(self, item: str, reason: str) -> None:
        """Remember one."""
        self.count += 1
        if len(self.first) < _TOLD:
            self.first.append((item, reason))

    def as_json(self) -> str:
        """Return those that are told, for an attribute of the result."""
        return json.dumps([{"item": i, "reason": r} for i, r in self.first])


class Coordinator:
    """One run of a plan into a store."""

    def __init__(self, plan: Plan, store: Store, progress: bool | None = None) -> None:
        self.plan, self.store, self._progress = plan, store, progress
        self.done = np.zeros(len(plan), dtype=bool)  # or given up
        self.failures = Failures()
        self.computed = 0  # by this run
        self._again: deque[int] = deque()  # items that came back without a result
        self._deferred: deque[int] = deque()  # items that others are computing
        self._strikes: dict[int, int] = {}
        self._running = 0
        self._next = self._pending()
        self._seconds = 0.0  # that an item takes
        self._synced = self._looked = time.monotonic()

    def look(self) -> None:
        """Take note of what is in the store already."""
        for kept in self.store.news():
            for item in self.plan.keys.items(kept.key):
                self.done[item] = True
        for item in self.plan.keys.repeated():
            self.done[item] = True  # as soon as the first one of them is
        for damage in self.store.damages():
            warnings.warn(_damage(damage), stacklevel=2)

    @property
    def left(self) -> int:
        """Number of items without a result."""
        return len(self.plan) - int(np.count_nonzero(self.done))

    def run(self, workers: Workers) -> None:
        """Compute all that is missing."""
        self._left, total = self.left, len(self.plan)
        try:
            with ProgressBar(
                total, shown=self._progress, done=total - self._left
            ) as bar:
                while self._left or self._running:
                    self._step(workers)
                    bar.update(total - self._left, self._described(workers.size))
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
        self._look_around()

    def _pending(self) -> Iterator[int]:
        for item in range(len(self.plan)):
            if not self.done[item]:
                yield item

    def _candidate(self) -> int | None:
        """Return an item that may need to be computed."""
        while self._again:
            item = self._again.popleft()
            if not self.done[item]:
                return item
        return next(self._next, None)

    def _batch(self, workers: int) -> list[int]:
        """Claim some items that nobody has computed or computes."""
        fair = math.ceil(self._left / (4 * max(workers, 1)))
        quick = _BATCH / self._seconds if self._seconds else 1
        size = max(1, min(int(quick), fair, _MOST))
        claimed: list[int] = []
        while len(claimed) < size and (item := self._candidate()) is not None:
            if not self.store.claims.take(self.plan.keys.key(item)):
                self._deferred.append(item)
                continue
            alone = item in self._strikes
            if alone and claimed:
                self._again.appendleft(item)
                break
            claimed.append(item)
            if alone:  # it may take others with it
                break
        if not claimed:
            return []
        self._read_others()  # who may have ended a claim that this one followed
        for item in claimed:
            if self.done[item]:
                self.store.claims.give_back(self.plan.keys.key(item))
        return [item for item in claimed if not self.done[item]]

    def _finish(self, news: Done) -> None:
        self._running -= 1
        if self.done[news.item]:  # somebody was thought dead and was not
            return
        key = self.plan.keys.key(news.item)
        if news.record is None:
            self._give_up(news.item, news.failure)
            return
        found, _ = body_of(news.record)
        if found != key:
            raise ValueError(
                f"a result for {self.plan.described(news.item)} is that of another item"
            )
        self.store.append(news.record)
        self.store.claims.give_back(key)
        self.computed += 1
        self._mark(news.item)
        weight = 0.1  # about ten items are remembered
        self._seconds += (weight if self._seconds else 1.0) * (
            news.seconds - self._seconds
        )

    def _mark(self, item: int) -> None:
        if not self.done[item]:
            self.done[item] = True
            self._left -= 1

    def _give_up(self, item: int, reason: str) -> None:
        self.store.claims.give_back(self.plan.keys.key(item))
        self.failures.add(self.plan.described(item), reason)
        self._mark(item)

    def _lose(self, news: Lost) -> None:
        self._running -= len(news.items)
        for item in news.suspects:
            self._strikes[item] = self._strikes.get(item, 0) + 1
            if self._strikes[item] == _DEATHS:
                self._give_up(item, f"{news.reason}, {_DEATHS} times")
        self._again.extend(item for item in news.items if not self.done[item])
        if news.items:
            warnings.warn(
                f"{news.reason}; {len(news.items)} experiments are computed again",
                stacklevel=2,
            )

    def _read_others(self) -> None:
        for kept in self.store.news():
            for item in self.plan.keys.items(kept.key):
                self._mark(item)

    def _look_around(self) -> None:
        """Put things on the disk, and see what others have done, now and then."""
        now = time.monotonic()
        if now - self._synced > _SYNC:
            self.store.sync()
            self._synced = now
        if self._deferred and not self._again and now - self._looked > _WAIT:
            self._again, self._deferred = self._deferred, deque()
            self._read_others()
            self._looked = now


def _damage(damage: Spoilt) -> str:
    what = "a half-written result" if damage.cut else "a damaged piece"
    return (
        f"the store has {what} in {damage.segment} (bytes {damage.start} to "
        f"{damage.stop}); what is missing is computed again"
    )
