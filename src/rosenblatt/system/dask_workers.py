"""Workers of Dask: started on this machine, or reached through their scheduler.

Nothing imports this module before Dask is wanted.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

try:
    import dask as dask_package
    import distributed as dask_cluster
except ImportError:
    dask_package = dask_cluster = None  # type: ignore[assignment, unused-ignore]

dask: Any = dask_package
distributed: Any = dask_cluster

__all__ = [
    "CONNECT",
    "LONGER",
    "check_installed",
    "dask",
    "distributed",
    "local_workers",
    "patience",
    "reached",
]

CONNECT = 10.0  # seconds for one attempt to reach a scheduler
PATIENCE = 900.0  # seconds without a scheduler or a worker before work is given up
_SETTING = "rosenblatt.patience"  # of Dask, which finds it in files and variables too
LONGER = "to wait longer set DASK_ROSENBLATT__PATIENCE, such as 12h"
# Dask closes for ever what was to restart a worker if that takes longer than this, 15
# seconds by default; a busy machine needs more, and in the end no worker is left.
_RESTART = {"distributed.deploy.lost-worker-timeout": "1 hour"}


def check_installed() -> None:
    """Raise an error that says what is missing."""
    if dask is None:
        raise ImportError(
            "workers, schedulers and collections of Dask need Dask: "
            "install the extra rosenblatt[dask]"
        )


def patience() -> float:
    """Return the seconds without a scheduler or a worker before work is given up.

    Workers of a cluster may stand in a queue for hours, so that they can be set.
    """
    given = dask.config.get(_SETTING, PATIENCE)
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
        with started as found:
            yield found


def reached(scheduler: Any) -> Any:
    """Return a client of a scheduler, or say that there is none."""
    check_installed()
    try:
        return distributed.Client(scheduler, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as failure:
        raise ConnectionError(
            "scheduler must be the address of a running Dask scheduler, "
            f"got {scheduler!r}: {failure}"
        ) from None
