"""Processes of jobs: copies of a fork server that has all modules loaded.

A copy starts within milliseconds. Threads start and end processes, since the fork
server may not be ready yet, and the web server must never wait.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any

from rosenblatt.lab.jobs.messages import Job, Message
from rosenblatt.lab.jobs.work import work
from rosenblatt.system.processes import Child

__all__ = ["JobProcess", "run_in_process", "start_fork_server"]

# Without a fork server, on other systems, a process takes seconds to start.
_METHOD = next(
    method
    for method in ("forkserver", "spawn")
    if method in multiprocessing.get_all_start_methods()
)
_CONTEXT: Any = multiprocessing.get_context(_METHOD)


def start_fork_server() -> None:
    """Begin to load the modules that all processes share, and return at once."""
    if _METHOD == "forkserver":
        _CONTEXT.set_forkserver_preload(
            [
                "rosenblatt.lab.jobs.fork_server",
                "__main__",
                "rosenblatt.lab.jobs.preload",
            ]
        )
        forkserver.ensure_running()


def run_in_process(function: Callable[[], object]) -> None:
    """Run a function in a process of its own, and wait for its end."""
    child = Child(_CONTEXT, _call, (function,))
    child.start()
    child.process.join()
    child.stop()


def _call(connection: Connection, function: Callable[[], object]) -> None:
    function()


class JobProcess:
    """The process of one job, with the interface of ``scheduler.Worker``."""

    def __init__(self, job: Job) -> None:
        self._child = Child(_CONTEXT, work, (job,))
        self._lock = threading.Lock()
        self._killed = False
        self._began = False
        threading.Thread(target=self._start, daemon=True).start()

    def _start(self) -> None:
        with self._lock:
            if not self._killed:
                self._child.start()
                self._began = True

    def messages(self) -> list[Message]:
        """Return the messages since the last call."""
        found: list[Message] = []
        with contextlib.suppress(EOFError, OSError):
            while self._child.connection.poll():
                found.append(self._child.connection.recv())
        return found

    def proceed(self) -> None:
        """Let the process compute its next stage."""
        self._child.send(None)

    @property
    def ended(self) -> bool:
        """True if the process has begun and ended."""
        return self._began and not self._child.process.is_alive()

    def kill(self) -> None:
        """End the process, also if it is about to start."""
        threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        with self._lock:
            self._killed = True
            if self._began:
                self._child.process.kill()
            self._child.stop()
