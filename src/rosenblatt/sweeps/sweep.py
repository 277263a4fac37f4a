"""Public functions: run a sweep, or open one that runs or has run."""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import lazy_loader
import xarray as xr
from threadpoolctl import threadpool_limits

from rosenblatt.core.arguments import whole
from rosenblatt.sweeps.plan import Plan, check, read_spec, run
from rosenblatt.sweeps.store import PLAN, Store, StoreError, as_dataset, collect, pack
from rosenblatt.system.parallel import Cluster, Died, Here, Pool, Processes, completed
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.threads import core_count

dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)

_BATCH = 0.2  # seconds that a batch should take: long enough not to wait for others
_MOST = 500  # experiments of a batch
_TRIES = 3  # of an experiment whose process died
_LISTED = 20  # failures in the attributes of the result
_RESUME = "run the same sweep again to resume"


class Failure(NamedTuple):
    """An experiment without a result, and the reason."""

    item: str
    reason: str


def _said(failure: Exception) -> str:
    """Return an error in one line, with file and line number."""
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    frames = traceback.extract_tb(failure.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return what + where


def _compute(
    function: Callable[..., Any], batch: list[dict[str, Any]], threads: int
) -> tuple[list[bytes | str], float]:
    """Return packed results, or reasons of failures, and the seconds of all."""
    began = time.monotonic()
    done: list[bytes | str] = []
    with threadpool_limits(1):  # else sums would be split, and end in other digits
        for parameters in batch:
            try:
                done.append(pack(as_dataset(run(function, parameters, threads))))
            except Exception as failure:
                done.append(_said(failure))
    return done, time.monotonic() - began


class _Run:
    """One run of the missing experiments of a plan into a store."""

    def __init__(self, plan: Plan, store: Store, missing: list[int]) -> None:
        self.plan, self.store = plan, store
        self.failures: list[Failure] = []
        self._next, self._left = missing[::-1], len(missing)
        self._seconds = 0.0  # that an experiment takes

    def finish(self, pool: Pool, threads: int, bar: ProgressBar) -> None:
        """Compute all experiments; those whose process died, once more alone."""

        def tick() -> None:
            failed = f", {len(self.failures)} failed" if self.failures else ""
            bar.update(len(self.plan) - self._left, f"{pool.size} at work{failed}")

        def tasks(batches: Iterator[list[int]]) -> Iterator[tuple[Any, ...]]:
            for items in batches:
                given = [self.plan.parameters(item) for item in items]
                yield items, _compute, self.plan.function, given, threads

        batches, modules = self._batches(pool), self.plan.modules()
        for tries in range(1, _TRIES + 1):
            died: list[list[int]] = []
            for items, found in completed(
                tasks(batches), pool, alone=tries > 1, modules=modules, tick=tick
            ):
                if not isinstance(found, Died):
                    self._take(items, *found)
                    continue
                if tries == _TRIES:
                    self._take(items, [f"{found.reason}, {_TRIES} times"], 0.0)
                    continue
                if tries == 1:
                    again = f"{len(items)} experiments are computed again"
                    warnings.warn(f"{found.reason}; {again}", stacklevel=2)
                died += [[item] for item in items]
            batches = iter(died)

    def _batches(self, pool: Pool) -> Iterator[list[int]]:
        """Yield batches of experiments, each short enough to show progress."""
        while self._next:
            fair = math.ceil(len(self._next) / (4 * max(pool.size, 1)))
            quick = int(_BATCH / self._seconds) if self._seconds else 1
            count = max(1, min(quick, fair, _MOST))
            yield [self._next.pop() for _ in range(min(count, len(self._next)))]

    def _take(self, items: list[int], done: list[bytes | str], seconds: float) -> None:
        """Store the results of a batch."""
        self._seconds = 0.5 * (seconds / len(items) + self._seconds)
        self._left -= len(items)
        entries = []
        for item, found in zip(items, done, strict=True):
            if isinstance(found, bytes):
                entries.append((self.plan.keys[item], found))
            else:
                self.failures.append(Failure(self.plan.described(item), found))
        self.store.write(entries)


def _pool(
    stack: ExitStack,
    cores: int | None,
    workers: int | None,
    scheduler: Any,
    missing: int,
) -> tuple[Pool, int]:
    """Return a pool, and the number of threads of each of its workers."""
    if workers is not None or scheduler is not None:
        return Cluster(stack.enter_context(dask.connected(workers, scheduler))), 1
    if cores == 0:
        return Here(), 1
    most = cores or core_count()
    pool = Processes(min(most, missing))
    return pool, max(1, most // pool.size)


def run_plan(
    plan: Plan,
    path: Path,
    *,
    cores: int | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    progress: bool | None = None,
) -> list[Failure]:
    """Compute the missing results of a store; return the experiments that failed."""
    if cores is not None:
        whole("cores", cores, low=0)
    if workers is not None:
        whole("workers", workers, low=1)
    if sum(given is not None for given in (cores, workers, scheduler)) > 1:
        raise ValueError("only one of cores, workers and scheduler can be given")
    check(plan)
    try:
        with Store(path, create=True) as store, ExitStack() as stack:
            store.write([(PLAN, pack(plan.dataset()))])
            first = {key: item for item, key in reversed([*enumerate(plan.keys)])}
            missing = sorted(first[key] for key in first.keys() - store.keys())
            found = _Run(plan, store, missing)
            if not missing:
                return found.failures
            pool, threads = _pool(stack, cores, workers, scheduler, len(missing))
            stack.callback(pool.close)
            done, total = len(plan) - len(missing), len(plan)
            bar = stack.enter_context(ProgressBar(total, shown=progress, done=done))
            try:
                found.finish(pool, threads, bar)
            except KeyboardInterrupt:
                stored = len({*plan.keys} & store.keys())
                raise KeyboardInterrupt(
                    f"stopped; {stored} of {total} experiments are in {str(path)!r}: "
                    f"{_RESUME}"
                ) from None
            return found.failures
    except (StoreError, ConnectionError) as failure:
        raise type(failure)(f"{failure}; {_RESUME}") from failure


def sweep(
    task: str | os.PathLike[str] | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    axes: Mapping[str, Any] | None = None,
    experiments: Sequence[Mapping[str, Any]] | None = None,
    store: str | os.PathLike[str] | None = None,
    cores: int | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Run a grid or a list of experiments, as one result.

    Parameters
    ----------
    task
        The experiment:
        ``"simulate"``, ``"solve"``, ``"simulate_machine"``, ``"simulate_classes"`` or
        another public function of this package. Or a function of your own, or
        ``"file.py:function"``, that returns a number, an array, a dictionary of these,
        or a Dataset. Or a TOML file that describes the sweep, see
        :mod:`rosenblatt.sweeps.plan`.
    parameters
        Parameters that all experiments share.
    axes
        Names and values of parameters; all combinations are run. ``"teacher.noise"``
        replaces an attribute of the part ``teacher``. A dictionary instead of a list
        says what values are called in the result.
    experiments
        A list of dictionaries of parameters, run for each combination of the axes.
    store
        The file that keeps results. What it has is not computed again, whatever has
        happened in between. By default a temporary file.
    cores
        Number of processes on this machine; by default one for each core. With 0 this
        process computes itself, as a debugger wants it.
    workers
        Start Dask here with so many processes (extra ``dask``).
    scheduler
        The address of a scheduler of Dask, or a client.
    progress
        Whether to show a bar; by default in a terminal.

    Returns
    -------
    xarray.Dataset
        A dimension for each axis (and ``experiment``, where they are listed), then
        those of the results. Experiments that failed are NaN; a warning tells how many
        and why, as does the attribute ``failures``.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curves = rb.sweep(
    ...     "solve", {"schedule": rb.schedules.Constant(), "alpha": [1, 100]},
    ...     axes={"rule": {"Hebb": rb.rules.Hebb(), "AdaTron": rb.rules.AdaTron()}},
    ...     cores=0)
    >>> dict(curves.sizes)
    {'rule': 2, 'replica': 1, 'alpha': 2}
    >>> curves.error.sel(rule="Hebb", alpha=100).values.round(6)
    array([0.039687])
    """
    if not callable(task) and str(task).endswith(".toml"):
        given = {"parameters": parameters, "axes": axes, "experiments": experiments}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"{name} must be set in the file {str(task)!r} only")
        plan, own = read_spec(Path(task))
        store = own if store is None else store
    else:
        plan = Plan(task, parameters or {}, axes or {}, experiments)  # type: ignore[arg-type]
    with ExitStack() as stack:
        if store is None:
            store = Path(stack.enter_context(tempfile.TemporaryDirectory()), "store")
        path = Path(store)
        failures = run_plan(
            plan,
            path,
            cores=cores,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
        with Store(path) as opened:
            result = collect(opened, plan.dataset())
    if failures:
        item, reason = failures[0]
        warnings.warn(
            f"{len(failures)} of {len(plan)} experiments failed and are NaN; "
            f"the first one, {item}: {reason}",
            stacklevel=2,
        )
        listed = [failure._asdict() for failure in failures[:_LISTED]]
        result.attrs["failures"] = json.dumps(listed)
    return result


def open_sweep(store: str | os.PathLike[str]) -> xr.Dataset:
    """Return the stored results of the sweep that was started last.

    It may still be running; results that are not there yet are NaN.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rb.sweep("theory.critical_alpha", {}, store=f"{folder}/a", cores=0)
    ...     rb.open_sweep(f"{folder}/a").attrs["done"]
    1
    """
    with Store(Path(store)) as opened:
        return collect(opened, opened.plan())
