"""Connection to a Dask scheduler, or to workers started on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from rosenblatt.system.extras import missing

try:
    import dask as dask_package
    import distributed as dask_cluster
except ImportError:
    dask_package = dask_cluster = None  # type: ignore[assignment, unused-ignore]

dask: Any = dask_package
distributed: Any = dask_cluster

_CONNECT = 10.0  # seconds for one attempt to reach a scheduler
# Dask gives up a worker whose restart takes longer than this, by default 15 seconds. A
# busy machine needs more, and would lose all workers.
_RESTART = {"distributed.deploy.lost-worker-timeout": "1 hour"}


def check_installed() -> None:
    """Raise ImportError if Dask is not installed."""
    if dask is None:
        raise missing("dask", "a cluster, or a collection of Dask,")


@contextmanager
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


@contextmanager
def connected(workers: int | None = None, scheduler: Any = None) -> Iterator[Any]:
    """Return a client of workers on this machine, or of a scheduler.

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
    if isinstance(scheduler, distributed.Client):
        yield scheduler
        return
    with ExitStack() as stack:
        where = scheduler
        if workers is not None:
            where = stack.enter_context(local_workers(workers))
        try:
            client = distributed.Client(where, timeout=_CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as failure:
            raise ConnectionError(
                "scheduler must be the address of a running Dask scheduler, "
                f"got {scheduler!r}: {failure}"
            ) from None
        yield stack.enter_context(client)
