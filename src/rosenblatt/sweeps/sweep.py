"""Public functions: run a sweep, or open one that runs or has run."""

from __future__ import annotations

import functools
import json
import math
import os
import tempfile
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import lazy_loader
import xarray as xr

from rosenblatt.core.arguments import whole
from rosenblatt.sweeps.plan import Plan, Spec, check, read_spec, run
from rosenblatt.sweeps.store import Store, StoreError, as_dataset, collect, pack
from rosenblatt.system.parallel import (
    Cluster,
    Died,
    Here,
    Pool,
    Processes,
    completed,
)
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.threads import core_count, one_thread_everywhere

__all__ = ["Failures", "open_sweep", "run_plan", "sweep"]

dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)

_BATCH = 0.2  # seconds that a batch should take: long enough not to wait for others
_MOST = 500  # experiments of a batch
_RETRIES = 2  # of an experiment whose process died
_LISTED = 20  # failures that are listed one by one


@dataclass
class Failures:
    """Experiments without a result: their number, and the first ones with reasons."""

    count: int = 0
    first: list[tuple[str, str]] = field(default_factory=list)

    def add(self, item: str, reason: str) -> None:
        """Add a failure."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append((item, reason))


class _Done(NamedTuple):
    """An experiment with its result, or with the reason of its failure."""

    item: int
    result: bytes | None
    failure: str


def _said(failure: Exception) -> str:
    """Return an error in one line, with file and line number."""
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    frames = traceback.extract_tb(failure.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return what + where


def _compute(
    function: Callable[..., Any], item: int, parameters: dict[str, Any], threads: int
) -> _Done:
    try:
        result = pack(as_dataset(run(function, parameters, threads)))
    except Exception as failure:
        return _Done(item, None, _said(failure))
    return _Done(item, result, "")


_Batch = list[tuple[int, dict[str, Any]]]
_Task = tuple[list[int], Callable[[], Any]]


def _compute_all(
    function: Callable[..., Any], batch: _Batch, threads: int
) -> tuple[list[_Done], float]:
    """Return the results of a batch, and the seconds they took."""
    began = time.monotonic()
    with one_thread_everywhere():
        done = [_compute(function, item, given, threads) for item, given in batch]
    return done, time.monotonic() - began


class _Run:
    """One run of the missing experiments of a plan into a store."""

    def __init__(self, plan: Plan, store: Store, missing: list[int]) -> None:
        self.plan, self.store, self.missing = plan, store, deque(missing)
        self.failures = Failures()
        self._left = len(missing)  # experiments without a result that have not failed
        self._seconds = 0.0  # that an experiment takes

    def finish(self, pool: Pool, threads: int, bar: ProgressBar) -> None:
        """Compute all experiments; those whose process died, once more alone."""

        def tick() -> None:
            self.store.flush()
            failed = f", {self.failures.count} failed" if self.failures.count else ""
            bar.update(len(self.plan) - self._left, f"{pool.size} at work{failed}")

        alone: list[list[int]] = []
        for items, found in completed(self._batches(pool, threads), pool, tick=tick):
            if isinstance(found, Died):
                again = f"{found.reason}; {len(items)} experiments are computed again"
                warnings.warn(again, stacklevel=2)
                alone += [[item] for item in items]
            else:
                self._take(items, *found)
        tasks = (self._task(items, threads) for items in alone)
        for items, found in completed(tasks, pool, retries=_RETRIES, tick=tick):
            if isinstance(found, Died):
                said = f"{found.reason}, {_RETRIES + 1} times"
                self._take(items, [_Done(item, None, said) for item in items], 0.0)
            else:
                self._take(items, *found)

    def _batches(self, pool: Pool, threads: int) -> Iterator[_Task]:
        """Yield experiments that take a moment together."""
        while self.missing:
            fair = math.ceil(len(self.missing) / (4 * max(pool.size, 1)))
            quick = int(_BATCH / self._seconds) if self._seconds else 1
            count = min(max(1, min(quick, fair, _MOST)), len(self.missing))
            yield self._task([self.missing.popleft() for _ in range(count)], threads)

    def _task(self, items: list[int], threads: int) -> _Task:
        batch = [(item, self.plan.parameters(item)) for item in items]
        work = functools.partial(_compute_all, self.plan.function, batch, threads)
        return items, work

    def _take(self, items: list[int], done: list[_Done], seconds: float) -> None:
        """Store the results of a batch."""
        self._seconds = 0.5 * (seconds / len(items) + self._seconds)
        self._left -= len(items)
        for item, result, why in done:
            if result is None:
                self.failures.add(self.plan.described(item), why)
            else:
                self.store.add(self.plan.keys[item], result)


def run_plan(
    plan: Plan,
    name: str,
    path: Path,
    *,
    cores: int | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    progress: bool | None = None,
) -> Failures:
    """Compute the missing results of a store; return the experiments that failed."""
    if cores is not None:
        whole("cores", cores, low=0)
    if workers is not None:
        whole("workers", workers, low=1)
    if sum(given is not None for given in (cores, workers, scheduler)) > 1:
        raise ValueError("only one of cores, workers and scheduler can be given")
    check(plan)
    resume = "run the same sweep again to resume"
    try:
        with Store(path, create=True) as store, ExitStack() as stack:
            store.write_plan(plan.dataset(name))
            known = store.keys(repair=True)
            first = {key: item for item, key in reversed([*enumerate(plan.keys)])}
            missing = sorted(item for key, item in first.items() if key not in known)
            found = _Run(plan, store, missing)
            if not missing:
                return found.failures
            most, threads = cores or core_count(), 1
            pool: Pool
            if workers is not None or scheduler is not None:
                client = stack.enter_context(dask.connected(workers, scheduler))
                pool = Cluster(client, plan.modules())
            elif cores == 0:
                pool = Here()
            else:
                pool = Processes(min(most, len(missing)), plan.modules())
                threads = max(1, most // pool.size)
            stack.callback(pool.close)
            done, total = len(plan) - len(missing), len(plan)
            bar = stack.enter_context(ProgressBar(total, shown=progress, done=done))
            try:
                found.finish(pool, threads, bar)
            except KeyboardInterrupt:
                store.flush(now=True)
                stored = len({*plan.keys} & store.keys())
                raise KeyboardInterrupt(
                    f"stopped; {stored} of {total} experiments are in {str(path)!r}: "
                    f"{resume}"
                ) from None
            finally:
                store.flush(now=True)
            return found.failures
    except (StoreError, ConnectionError) as failure:
        raise type(failure)(f"{failure}; {resume}") from failure


def _spec(path: Path, given: Mapping[str, Any]) -> Spec:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} must be set in the file {str(path)!r} only")
    return read_spec(path)


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
        name, path, plan = _spec(Path(task), given)
    else:
        plan = Plan(task, parameters or {}, axes or {}, experiments)  # type: ignore[arg-type]
        name, path = plan.function.__name__, None
    with ExitStack() as stack:
        if store is not None:
            path = Path(store)
        elif path is None:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory()), "store")
        failures = run_plan(
            plan,
            name,
            path,
            cores=cores,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
        with Store(path) as opened:
            result = collect(opened, plan.dataset(name))
    if failures.count:
        item, reason = failures.first[0]
        warnings.warn(
            f"{failures.count} of {len(plan)} experiments failed and are NaN; "
            f"the first one, {item}: {reason}",
            stacklevel=2,
        )
        listed = [{"item": i, "reason": r} for i, r in failures.first]
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
