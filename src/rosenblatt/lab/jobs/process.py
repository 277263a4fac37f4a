"""Processes of jobs: copies of a fork server that has all modules loaded.

A copy starts within milliseconds. Threads start and end processes, since the fork
server may not be ready yet, and the web server must never wait.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from typing import Any

from rosenblatt.lab.jobs.messages import Job, Message
from rosenblatt.lab.jobs.work import work

__all__ = ["Child", "JobProcess", "run_in_process", "start_fork_server"]

_JOIN = 5.0  # seconds that a child has to end before it is killed
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


class Child:
    """A child process with a pipe.

    The child ignores Ctrl-C, which is for its parent, and ends if its parent ends,
    however that happens.

    Parameters
    ----------
    context
        A context of :mod:`multiprocessing`.
    target
        The function to run; its first argument is the child's end of the pipe.
    arguments
        Its other arguments.
    inherited
        Open handles of this process that a forked child must close.
    """

    def __init__(
        self,
        context: Any,
        target: Callable[..., object],
        arguments: Sequence[Any] = (),
        inherited: Sequence[Any] = (),
    ) -> None:
        self.connection: Connection
        self.connection, self._other = context.Pipe()
        forked = context.get_start_method() == "fork"
        handles = [*inherited, self.connection] if forked else []
        self.process = context.Process(
            target=_run, args=(target, self._other, handles, arguments), daemon=True
        )

    def start(self) -> None:
        """Start the process."""
        with warnings.catch_warnings():
            # Python warns about threads of BLAS, which is prepared for a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        self._other.close()  # the pipe then breaks when the child ends

    def send(self, message: Any) -> None:
        """Send a message; one to a child that has ended is lost."""
        with contextlib.suppress(OSError):
            self.connection.send(message)

    def end(self) -> str:
        """Wait for a child that has closed its pipe; return in words how it ended."""
        self.connection.close()
        self.process.join(1.0)
        if self.process.exitcode is None:  # alive without a pipe: of no use
            self.process.kill()
            self.process.join()
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"was killed by signal {-code} ({signal.Signals(-code).name})"
        return f"ended with code {code}"

    def stop(self) -> None:
        """Terminate the process, or kill it if it does not end; close the pipe."""
        if self.process.pid is not None:  # it was started
            self.process.terminate()
            self.process.join(_JOIN)
            if self.process.exitcode is None:
                self.process.kill()
                self.process.join()
        self.connection.close()
        self._other.close()


def _run(
    target: Callable[..., object],
    connection: Connection,
    inherited: Sequence[Any],
    arguments: Sequence[Any],
) -> None:
    """Run a function in a child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for handle in inherited:
        handle.close()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    target(connection, *arguments)


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended, killed or not."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
