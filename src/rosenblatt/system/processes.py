"""Child processes with a pipe, which end with their parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

__all__ = ["Child", "core_count"]

_JOIN = 5.0  # seconds that a child has to end before it is killed


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux, where it may be limited
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
