"""Dask workers that compute the items of a sweep.

Results come back through the scheduler's network and the coordinator stores them, so
workers need no access to the store.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from typing import Any

from rosenblatt.sweeps.plan.identity import own_modules
from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.compute import Done, Event, Lost, compute
from rosenblatt.system.dask import supervision
from rosenblatt.system.dask.connection import check_installed, connected
from rosenblatt.system.dask.supervision import Supervisor, run_same_code
from rosenblatt.system.threads import one_thread_everywhere

try:
    import cloudpickle  # type: ignore[import-untyped, unused-ignore]
except ImportError:  # it comes with Dask
    cloudpickle = None  # type: ignore[assignment, unused-ignore]

__all__ = ["DaskWorkers"]

_QUEUED = 2  # batches for each thread of a worker


def _compute_batch(payload: bytes) -> list[Done]:
    """Compute a batch on a worker."""
    function, items = cloudpickle.loads(payload)
    with one_thread_everywhere():
        return [compute(function, item, key, given, 1) for item, key, given in items]


class DaskWorkers:
    """Workers of Dask.

    Parameters
    ----------
    plan
        As in :class:`~rosenblatt.sweeps.workers.processes.ProcessWorkers`.
    scheduler
        An address, or a client.
    workers
        Without a scheduler: the number of processes to start on this machine.
    """

    def __init__(
        self, plan: Plan, *, scheduler: Any = None, workers: int | None = None
    ) -> None:
        check_installed()
        self._plan = plan
        self._own = contextlib.ExitStack()
        try:
            self._silence_logs()
            self._register_modules()
            self._tasks = Supervisor(
                self._own.enter_context(connected(workers, scheduler))
            )
        except BaseException:
            self._own.close()
            raise

    def _silence_logs(self) -> None:
        """Silence messages of Dask about faults that are handled here."""
        for name in ("distributed", "distributed.client"):
            logger = logging.getLogger(name)
            self._own.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)

    def _register_modules(self) -> None:
        """Register the user's own modules, to be sent with functions."""
        plan = self._plan
        axes = [one.values for one in plan.axes if not isinstance(one.values, range)]
        for module in own_modules([plan.function, plan.fixed, *axes]):
            if module.__name__ != "__main__":  # which is always sent
                cloudpickle.register_pickle_by_value(module)
                self._own.callback(cloudpickle.unregister_pickle_by_value, module)

    @property
    def size(self) -> int:
        """Number of threads of all workers."""
        return sum(self._tasks.threads().values())

    def capacity(self) -> int:
        """Return the number of batches that can be submitted now."""
        if not self._tasks.connection.open:
            return 0
        self._tasks.allowed()  # raises an error if no worker is
        return _QUEUED * self.size - len(self._tasks.running)

    def submit(self, items: list[int]) -> None:
        """Submit a batch."""
        plan = self._plan
        work = [(item, plan.keys.key(item), plan.parameters(item)) for item in items]
        future = self._tasks.connection.client.submit(
            run_same_code,
            plan.code,
            _compute_batch,
            cloudpickle.dumps((plan.function, work)),
            key=f"rosenblatt-{uuid.uuid4().hex}",
            pure=False,
            workers=self._tasks.allowed(),
            allow_other_workers=False,
        )
        self._tasks.watch({future: items})

    def events(self, timeout: float) -> list[Event]:
        """Return results and losses, after the first one or the timeout."""
        found: list[Event] = []
        for event in self._tasks.events(timeout):
            match event:
                case supervision.Finished():
                    found += event.value
                case supervision.Lost():
                    found.append(Lost(event.task, [], event.reason))
                case supervision.Killed():
                    reason = "a worker of Dask that computed it died again and again"
                    found.append(Lost(event.task, event.task, reason))
                case supervision.Failed():
                    raise RuntimeError(
                        f"workers of Dask cannot run this: {event.error}. They need "
                        "rosenblatt in the same version, and whatever your own "
                        "functions import"
                    )
        return found

    def close(self) -> None:
        """Cancel all tasks, and close what was started here."""
        self._tasks.cancel()
        self._own.close()
