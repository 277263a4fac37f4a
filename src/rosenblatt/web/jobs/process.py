"""Processes for jobs: copies of one that has everything loaded, ready in milliseconds.

Starting one may have to wait until that process is ready itself, so threads do it; the
server never waits.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any

from rosenblatt.web.jobs.messages import Job, Message
from rosenblatt.web.jobs.work import work

__all__ = ["Process", "prepare", "run"]

# "forkserver" where there is one; elsewhere a process takes seconds to start.
_HOW = next(
    how
    for how in ("forkserver", "spawn")
    if how in multiprocessing.get_all_start_methods()
)
_CONTEXT: Any = multiprocessing.get_context(_HOW)


def prepare() -> None:
    """Begin to load what all processes share, and return at once."""
    if _HOW == "forkserver":
        _CONTEXT.set_forkserver_preload(
            ["rosenblatt.web.jobs.detached", "__main__", "rosenblatt.web.jobs.preload"]
        )
        forkserver.ensure_running()


def run(task: Callable[[], object]) -> None:
    """Run something in a process of its own, and wait for it."""
    process = _CONTEXT.Process(target=task, daemon=True)
    process.start()
    process.join()


class Process:
    """A process that does one job, as ``scheduler.Worker`` describes it."""

    def __init__(self, job: Job) -> None:
        self._pipe: Connection
        self._pipe, other = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=work, args=(job, other), daemon=True)
        self._lock = threading.Lock()
        self._killed = False
        self._began = False
        threading.Thread(target=self._begin, args=(other,), daemon=True).start()

    def _begin(self, other: Connection) -> None:
        with self._lock:
            if not self._killed:
                self._process.start()
                self._began = True
            other.close()

    def messages(self) -> list[Message]:
        """Return what it has sent since it was last asked."""
        found: list[Message] = []
        with contextlib.suppress(EOFError, OSError):
            while self._pipe.poll():
                found.append(self._pipe.recv())
        return found

    def go(self) -> None:
        """Let it do its next piece of work."""
        with contextlib.suppress(OSError):  # it has ended, which is noticed elsewhere
            self._pipe.send(None)

    @property
    def ended(self) -> bool:
        """Whether it has begun and is no more."""
        return self._began and not self._process.is_alive()

    def kill(self) -> None:
        """End it, also if it is only about to begin."""
        threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        with self._lock:
            self._killed = True
            if self._began:
                self._process.kill()
                self._process.join()
                self._process.close()
            self._pipe.close()
