"""The connection to Dask: workers here, or a scheduler that may come and go."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from rosenblatt.core.arguments import whole
from rosenblatt.system.dask_workers import (
    check_installed,
    local_workers,
    patience,
    reached,
)

__all__ = ["Line", "connected"]


class Line:
    """A client and, if its scheduler was gone and has come back, another one.

    Parameters
    ----------
    client
        A client of Dask.
    address
        Where to look for the scheduler if it is gone; None for nowhere.
    """

    def __init__(self, client: Any, address: str | None = None) -> None:
        self.client, self._address = client, address
        self._own = contextlib.ExitStack()

    def renewed(self, look: Callable[[], None]) -> bool:
        """Wait for the scheduler; return whether it is there again."""
        if self._address is None:
            return False
        warnings.warn("Dask's scheduler is gone; waiting for it", stacklevel=2)
        until = time.monotonic() + patience()
        while time.monotonic() < until:
            look()
            with contextlib.suppress(ConnectionError):
                self.client = self._own.enter_context(reached(self._address))
                return True
        return False

    def close(self) -> None:
        """Let go of clients that were made here."""
        self._own.close()


@contextlib.contextmanager
def connected(
    workers: int | None = None, scheduler: str | None = None
) -> Iterator[Any]:
    """Start workers on this machine, or reach a scheduler; yield the connection."""
    check_installed()
    if (workers is None) == (scheduler is None):
        raise ValueError("workers or scheduler must be given, and not both")
    with contextlib.ExitStack() as own:
        where: Any = scheduler
        if workers is not None:
            whole("workers", workers, low=1)
            where = own.enter_context(local_workers(workers))
        line = Line(own.enter_context(reached(where)), scheduler)
        own.callback(line.close)
        yield line
