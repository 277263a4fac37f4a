"""All knowledge of Dask: its workers compute items, wherever they are.

Records come back through the scheduler's network and are kept by the coordinator, so
that workers need no access to the store. Each says which code it has; what another
version has computed is refused. Nothing imports this module before Dask is wanted.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
import warnings
from typing import Any, NamedTuple

from rosenblatt.sweeps.plan.identity import own_modules
from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.base import Event, Lost
from rosenblatt.sweeps.workers.compute import Done, compute_all
from rosenblatt.sweeps.workers.threads import one_thread
from rosenblatt.system.code import code_digest
from rosenblatt.system.dask_workers import (
    CONNECT,
    LONGER,
    check_installed,
    distributed,
    local_workers,
    patience,
    reached,
)

try:
    import cloudpickle  # type: ignore[import-untyped, unused-ignore]
except ImportError:  # it comes with Dask
    cloudpickle = None  # type: ignore[assignment, unused-ignore]

__all__ = ["Answer", "DaskWorkers"]

_AHEAD = 2  # batches for each thread of a worker
_FRESH = 1.0  # seconds for which it is known which workers there are
_LOST = (OSError, TimeoutError)


class Answer(NamedTuple):
    """What a worker returns: nothing, if its code is another."""

    code: str
    worker: str
    done: list[Done]


def _batch(payload: bytes, code: str) -> Answer:
    """Compute a batch on a worker."""
    here, worker = code_digest(), distributed.get_worker().address
    if here != code:
        return Answer(here, worker, [])
    function, items = cloudpickle.loads(payload)
    with one_thread():
        return Answer(here, worker, list(compute_all(function, items, threads=1)))


class DaskWorkers:
    """A crew of Dask workers.

    Parameters
    ----------
    plan
        What is to be computed.
    scheduler
        An address, or a client.
    workers
        Without a scheduler: how many processes to start on this machine.
    """

    def __init__(
        self, plan: Plan, *, scheduler: Any = None, workers: int | None = None
    ) -> None:
        check_installed()
        self._plan = plan
        self._flying: dict[Any, list[int]] = {}  # futures and their items
        self._refused: set[str] = set()
        self._known: tuple[float, dict[str, int]] = (-_FRESH, {})
        self._gone: float | None = None  # since when there has been no scheduler
        self._alone: float | None = None  # since when there have been no workers
        self._woken = threading.Event()
        self._own = contextlib.ExitStack()
        self._quiet()
        for module in own_modules([plan.function, plan.fixed, *_values(plan)]):
            if module.__name__ != "__main__":  # which always travels by value
                cloudpickle.register_pickle_by_value(module)
                self._own.callback(cloudpickle.unregister_pickle_by_value, module)
        self._address: str | None = scheduler if isinstance(scheduler, str) else None
        try:
            if scheduler is None:
                scheduler = self._own.enter_context(local_workers(workers or 1))
            self._client = self._connected(scheduler)
        except BaseException:
            self._own.close()
            raise

    def _quiet(self) -> None:
        """Keep Dask from writing about what is handled here."""
        for name in ("distributed", "distributed.client"):
            logger = logging.getLogger(name)
            self._own.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)

    def _connected(self, scheduler: Any) -> Any:
        if isinstance(scheduler, distributed.Client):
            return scheduler
        client = reached(scheduler)
        self._own.callback(_close, client)
        return client

    def _threads(self) -> dict[str, int]:
        """Return the addresses of workers that may be used, and their threads."""
        since, known = self._known
        if time.monotonic() - since > _FRESH and self._here():
            with contextlib.suppress(*_LOST):
                now = dict(self._client.nthreads())
                _tell_gone(sorted(set(known) - set(now)))
                known = now
            self._known = time.monotonic(), known
        return {w: n for w, n in known.items() if w not in self._refused}

    def _here(self) -> bool:
        """Return whether there is a scheduler; wait for one that is gone."""
        if self._client.status == "running":
            self._gone = None
            return True
        now = time.monotonic()
        if self._gone is None:
            self._gone = now
            warnings.warn(
                "the connection to Dask's scheduler is lost; waiting for it",
                stacklevel=2,
            )
        if now - self._gone > patience():
            raise ConnectionError(
                f"Dask's scheduler has been gone for {now - self._gone:.0f} seconds; "
                f"what was computed is kept: run the same again to go on; {LONGER}"
            )
        if self._client.status == "closed" and self._address is not None:
            with contextlib.suppress(*_LOST):
                self._client = self._connected(self._address)
        return False

    @property
    def size(self) -> int:
        """Number of threads of all workers."""
        return sum(self._threads().values())

    def capacity(self) -> int:
        """Return how many batches more fit."""
        if not self._here():
            return 0
        size = self.size
        if size == 0 and self._refused and self._known[1]:
            raise ValueError(
                f"all {len(self._known[1])} workers of Dask have another version of "
                "rosenblatt than this process: install the same"
            )
        self._wait_for_workers(size)
        return _AHEAD * size - len(self._flying)

    def _wait_for_workers(self, size: int) -> None:
        """Give up if there are none for too long."""
        now = time.monotonic()
        self._alone = None if size else self._alone or now
        if self._alone is not None and now - self._alone > patience():
            raise ConnectionError(
                f"Dask has had no workers for {now - self._alone:.0f} seconds; what "
                f"was computed is kept: run the same again to go on; {LONGER}"
            )

    def submit(self, items: list[int]) -> None:
        """Hand out a batch."""
        plan = self._plan
        work = [(item, plan.keys.key(item), plan.parameters(item)) for item in items]
        where = list(self._threads()) if self._refused else None
        future = self._client.submit(
            _batch,
            cloudpickle.dumps((plan.function, work)),
            plan.code,
            key=f"rosenblatt-{uuid.uuid4().hex}",
            pure=False,
            workers=where,
            allow_other_workers=False,
        )
        future.add_done_callback(lambda _: self._woken.set())
        self._flying[future] = items

    def events(self, timeout: float) -> list[Event]:
        """Return what has happened."""
        self._woken.wait(timeout)
        self._woken.clear()
        found: list[Event] = []
        for future in [f for f in self._flying if f.status != "pending"]:
            items = self._flying.pop(future)
            found += self._ended(future, items)
            future.release()
        return found

    def _ended(self, future: Any, items: list[int]) -> list[Event]:
        if future.status == "error":
            failure = future.exception()
            if isinstance(failure, distributed.KilledWorker):
                reason = "a worker of Dask that computed it died again and again"
                return [Lost(items, items, reason)]
            raise RuntimeError(
                f"workers of Dask cannot run this: {failure}. They need rosenblatt in "
                "the same version, and whatever your own functions import"
            )
        try:
            answer = future.result(timeout=CONNECT)
        except (*_LOST, distributed.CancelledError):
            return [Lost(items, [], "the connection to Dask was lost")]
        if answer.code != self._plan.code:
            self._refused.add(answer.worker)
            return [Lost(items, [], _version(answer, self._plan.code))]
        return list(answer.done)

    def close(self) -> None:
        """Cancel what is left, and let go of what was started here."""
        with contextlib.suppress(*_LOST):
            if self._client.status == "running":
                self._client.cancel(list(self._flying))
        self._flying.clear()
        self._own.close()


def _version(answer: Answer, code: str) -> str:
    return (
        f"the worker {answer.worker} of Dask has another version of rosenblatt "
        f"(code {answer.code[:8]}, here {code[:8]}); its results are refused"
    )


def _tell_gone(workers: list[str]) -> None:
    if workers:
        warnings.warn(
            f"workers of Dask are gone ({', '.join(workers)}); what they had is "
            "computed again by others, or as soon as there are others",
            stacklevel=2,
        )


def _values(plan: Plan) -> list[Any]:
    return [axis.values for axis in plan.axes if not isinstance(axis.values, range)]


def _close(client: Any) -> None:
    with contextlib.suppress(*_LOST):
        client.close()
