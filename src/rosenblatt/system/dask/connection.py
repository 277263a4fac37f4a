"""Connections to Dask: workers on this machine, or a scheduler that may restart."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from rosenblatt.system.extras import missing

try:
    import dask as dask_package
    import distributed as dask_cluster
except ImportError:
    dask_package = dask_cluster = None  # type: ignore[assignment, unused-ignore]

dask: Any = dask_package
distributed: Any = dask_cluster

__all__ = [
    "LONGER",
    "Connection",
    "check_installed",
    "connect",
    "connected",
    "dask",
    "distributed",
    "local_workers",
    "patience",
]

_CONNECT = 10.0  # seconds for one attempt to reach a scheduler
_PATIENCE = 900.0  # seconds without a scheduler or a worker before work is given up
_SETTING = "rosenblatt.patience"  # of Dask, which reads files and variables too
_CLOSED = ("closing", "closed")  # states of a client
_LOST = (OSError, TimeoutError)
LONGER = "to wait longer set DASK_ROSENBLATT__PATIENCE, such as 12h"
# Dask gives up a worker whose restart takes longer than this, by default 15 seconds. A
# busy machine needs more, and would lose all workers.
_RESTART = {"distributed.deploy.lost-worker-timeout": "1 hour"}


def check_installed() -> None:
    """Raise ImportError if Dask is not installed."""
    if dask is None:
        raise missing("dask", "a cluster, or a collection of Dask,")


def patience() -> float:
    """Return the seconds without a scheduler or a worker before work is given up.

    Workers of a cluster may wait in a queue for hours, so this can be set.
    """
    given = dask.config.get(_SETTING, _PATIENCE)
    try:
        return float(dask.utils.parse_timedelta(given))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(
            f"{_SETTING} of Dask must be a time such as 12h, got {given!r}"
        ) from None


@contextlib.contextmanager
def local_workers(count: int) -> Iterator[Any]:
    """Start a scheduler and workers, processes of one thread, on this machine."""
    check_installed()
    with dask.config.set(_RESTART):
        try:
            started = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # None is one certain port
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as failure:  # of new processes, which import the script
            raise ChildProcessError(
                f"{count} workers of Dask cannot be started: {failure} A script must "
                'call this below if __name__ == "__main__":'
            ) from failure
        with started:
            yield started


def connect(scheduler: Any) -> Any:
    """Return a client of a scheduler; raise ConnectionError if there is none."""
    check_installed()
    try:
        return distributed.Client(scheduler, timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as failure:
        raise ConnectionError(
            "scheduler must be the address of a running Dask scheduler, "
            f"got {scheduler!r}: {failure}"
        ) from None


class Connection:
    """A client of a scheduler, replaced by another one if the scheduler restarts.

    Parameters
    ----------
    client
        A client of Dask.
    address
        The address of the scheduler; None if it cannot be reached again.
    """

    def __init__(self, client: Any, address: str | None = None) -> None:
        self.client, self.address = client, address
        self._own = contextlib.ExitStack()

    @property
    def open(self) -> bool:
        """True if there is a scheduler to which tasks can be sent."""
        return bool(self.client.status == "running")

    @property
    def closed(self) -> bool:
        """True if the client has given up its scheduler."""
        return self.client.status in _CLOSED

    def renew(self) -> bool:
        """Try once to reach the scheduler again; return whether it is there."""
        if self.address is not None:
            with contextlib.suppress(ConnectionError):
                self.client = connect(self.address)
                self._own.callback(_close, self.client)
                return True
        return False

    def close(self) -> None:
        """Close clients that were made here."""
        self._own.close()


def _close(client: Any) -> None:
    with contextlib.suppress(*_LOST):
        client.close()


@contextlib.contextmanager
def connected(
    workers: int | None = None, scheduler: Any = None
) -> Iterator[Connection]:
    """Start workers on this machine, or connect to a scheduler.

    Parameters
    ----------
    workers
        Number of processes to start.
    scheduler
        The address of a scheduler, or a client, instead.
    """
    check_installed()
    if (workers is None) == (scheduler is None):
        raise ValueError("workers or scheduler must be given, and not both")
    with contextlib.ExitStack() as own:
        if isinstance(scheduler, distributed.Client):
            client = scheduler
        else:
            where = scheduler
            if workers is not None:
                where = own.enter_context(local_workers(workers))
            client = connect(where)
            own.callback(_close, client)
        address = scheduler if isinstance(scheduler, str) else None
        connection = Connection(client, address)
        own.callback(connection.close)
        yield connection
