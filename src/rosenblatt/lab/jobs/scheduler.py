"""Scheduler of jobs: every visitor has one job, and all jobs take turns.

The process of a job asks before each stage. As many stages run at once as there are
slots. The other jobs wait in a queue, and a job that has had its turn goes to the end.
A new job of a visitor ends the old one and its process.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Protocol

from rosenblatt.lab.jobs.messages import Done, Job, Message, Ready, Remark

__all__ = ["MOST", "JobScheduler", "Worker"]

MOST = 32  # jobs that run or wait
_LONGEST = 300.0  # seconds of wall time that one stage may take


class Worker(Protocol):
    """A process that does a job."""

    def messages(self) -> list[Message]:
        """Return the messages since the last call."""

    def proceed(self) -> None:
        """Let the process compute its next stage."""

    @property
    def ended(self) -> bool:
        """True if the process has ended."""

    def kill(self) -> None:
        """End the process."""


class JobScheduler:
    """Jobs of all visitors, in turns.

    Parameters
    ----------
    start
        Starts a process for a job.
    slots
        Number of stages that may run at the same time.
    """

    def __init__(self, start: Callable[[Job], Worker], slots: int) -> None:
        self._start = start
        self._slots = slots
        self._workers: dict[Hashable, Worker] = {}
        self._running: dict[Hashable, float] = {}  # since when
        self._queue: deque[Hashable] = deque()
        self._inbox: dict[Hashable, list[Message]] = {}

    def submit(self, visitor: Hashable, job: Job) -> None:
        """Start the job of a visitor, and end the one before."""
        self.cancel(visitor)
        if len(self._workers) >= MOST:
            self._inbox[visitor] = [
                Remark("Too many visitors are at work here; try later.", failure=True)
            ]
            return
        self._inbox[visitor] = []
        self._workers[visitor] = self._start(job)

    def cancel(self, visitor: Hashable) -> None:
        """End the job of a visitor and drop its messages."""
        self._inbox.pop(visitor, None)
        self._remove(visitor)
        self._start_next()

    def busy(self, visitor: Hashable) -> bool:
        """Return whether a visitor may receive more messages."""
        return visitor in self._workers or bool(self._inbox.get(visitor))

    def waiting(self, visitor: Hashable) -> int:
        """Return the position of a visitor in the queue; 0 if not in it."""
        return self._queue.index(visitor) + 1 if visitor in self._queue else 0

    def collect(self, visitor: Hashable) -> list[Message]:
        """Return the messages for a visitor, and let all jobs go on."""
        self._receive()
        found, self._inbox[visitor] = self._inbox.get(visitor, []), []
        return found

    def close(self) -> None:
        """End all jobs."""
        for visitor in list(self._workers):
            self.cancel(visitor)

    def _receive(self) -> None:
        # jobs that began their stage earlier are queued again earlier
        for visitor in dict.fromkeys([*self._running, *self._workers]):
            worker = self._workers[visitor]
            ended = worker.ended  # before looking at what it may have sent last
            for message in worker.messages():
                if isinstance(message, Ready):
                    self._running.pop(visitor, None)
                    self._queue.append(visitor)
                elif isinstance(message, Done):
                    # another visitor may have called this: the end is still to be seen
                    self._inbox[visitor].append(message)
                    self._remove(visitor)
                else:
                    self._inbox[visitor].append(message)
            since = self._running.get(visitor, math.inf)
            late = time.monotonic() - since > _LONGEST
            if (ended or late) and visitor in self._workers:
                why = "this took longer than it may here"
                if not late:
                    why += ", or its process was ended in another way"
                self._inbox[visitor].append(Remark(f"Stopped: {why}.", failure=True))
                self._remove(visitor)
        self._start_next()

    def _remove(self, visitor: Hashable) -> None:
        worker = self._workers.pop(visitor, None)
        self._running.pop(visitor, None)
        if visitor in self._queue:
            self._queue.remove(visitor)
        if worker is not None:
            worker.kill()

    def _start_next(self) -> None:
        while self._queue and len(self._running) < self._slots:
            visitor = self._queue.popleft()
            self._running[visitor] = time.monotonic()
            self._workers[visitor].proceed()
