"""Fair shares: every visitor has one job, and all jobs take turns.

A job's process asks before each piece of its work. As many pieces run at once as there
are places; the others wait in line, and who has had a turn goes to its end. Whoever
chooses anew gives up what was under way, and its process ends.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Protocol

from rosenblatt.web.jobs.messages import Done, Job, Message, Ready, Remark

__all__ = ["MOST", "Shares", "Worker"]

MOST = 32  # jobs under way, or in line
_LONGEST = 300.0  # seconds that one piece may take by the clock on the wall


class Worker(Protocol):
    """A process that does a job."""

    def messages(self) -> list[Message]:
        """Return what it has sent since it was last asked."""

    def go(self) -> None:
        """Let it do its next piece of work."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""

    def kill(self) -> None:
        """End it."""


class Shares:
    """Jobs of all visitors.

    Parameters
    ----------
    start
        Starts a process for a job.
    places
        How many pieces of work may run at the same time.
    """

    def __init__(self, start: Callable[[Job], Worker], places: int) -> None:
        self._start = start
        self._places = places
        self._workers: dict[Hashable, Worker] = {}
        self._running: dict[Hashable, float] = {}  # since when
        self._line: deque[Hashable] = deque()
        self._inbox: dict[Hashable, list[Message]] = {}

    def submit(self, visitor: Hashable, job: Job) -> None:
        """Do a job instead of whatever this visitor wanted before."""
        self.cancel(visitor)
        if len(self._workers) >= MOST:
            self._inbox[visitor] = [
                Remark("Too many visitors are at work here; try later.", failure=True)
            ]
            return
        self._inbox[visitor] = []
        self._workers[visitor] = self._start(job)

    def cancel(self, visitor: Hashable) -> None:
        """Forget what a visitor wanted, and end it."""
        self._inbox.pop(visitor, None)
        self._leave(visitor)
        self._hand_out()

    def busy(self, visitor: Hashable) -> bool:
        """Return whether more may come for a visitor."""
        return visitor in self._workers or bool(self._inbox.get(visitor))

    def waiting(self, visitor: Hashable) -> int:
        """Return how many are before a visitor in line; 0 if at work, or nothing is."""
        return self._line.index(visitor) + 1 if visitor in self._line else 0

    def collect(self, visitor: Hashable) -> list[Message]:
        """Return what has come for a visitor, and let everybody go on."""
        self._look()
        found, self._inbox[visitor] = self._inbox.get(visitor, []), []
        return found

    def close(self) -> None:
        """End everything."""
        for visitor in list(self._workers):
            self.cancel(visitor)

    def _look(self) -> None:
        # whoever has had a turn for longer is before the others in line again
        for visitor in dict.fromkeys([*self._running, *self._workers]):
            worker = self._workers[visitor]
            ended = worker.ended  # before looking at what it may have sent last
            for message in worker.messages():
                if isinstance(message, Ready):
                    self._running.pop(visitor, None)
                    self._line.append(visitor)
                elif isinstance(message, Done):
                    self._leave(visitor)
                else:
                    self._inbox[visitor].append(message)
            since = self._running.get(visitor, math.inf)
            late = time.monotonic() - since > _LONGEST
            if (ended or late) and visitor in self._workers:
                why = "this took longer than it may here"
                if not late:
                    why += ", or its process was ended in another way"
                self._inbox[visitor].append(Remark(f"Stopped: {why}.", failure=True))
                self._leave(visitor)
        self._hand_out()

    def _leave(self, visitor: Hashable) -> None:
        worker = self._workers.pop(visitor, None)
        self._running.pop(visitor, None)
        if visitor in self._line:
            self._line.remove(visitor)
        if worker is not None:
            worker.kill()

    def _hand_out(self) -> None:
        while self._line and len(self._running) < self._places:
            visitor = self._line.popleft()
            self._running[visitor] = time.monotonic()
            self._workers[visitor].go()
