"""Public functions: run a sweep, or open one that runs or has run."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import lazy_loader
import xarray as xr

from rosenblatt.core.arguments import whole
from rosenblatt.sweeps.coordinator import Coordinator, Failures
from rosenblatt.sweeps.plan.checks import check
from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.plan.spec import Spec, read_spec
from rosenblatt.sweeps.store.collect import collect
from rosenblatt.sweeps.store.manifest import manifest_of, read_last, write
from rosenblatt.sweeps.store.status import status
from rosenblatt.sweeps.store.store import Store, StoreError
from rosenblatt.sweeps.workers.compute import SerialWorker, Workers
from rosenblatt.sweeps.workers.processes import ProcessWorkers
from rosenblatt.system.processes import core_count

__all__ = ["open_sweep", "run_plan", "sweep"]

dask: Any = lazy_loader.load("rosenblatt.sweeps.workers.dask", suppress_warning=True)


def _workers(
    plan: Plan, store: Store, left: int, cores: int | None, workers: Any, scheduler: Any
) -> Workers:
    """Return the workers that the arguments of a sweep ask for."""
    if scheduler is not None or workers is not None:
        found: Workers = dask.DaskWorkers(plan, scheduler=scheduler, workers=workers)
        return found
    if cores == 0:
        return SerialWorker(plan)
    most = cores or core_count()
    size = max(1, min(most, left))
    threads = max(1, most // size)
    return ProcessWorkers(plan, size, threads, closers=(store.locks,))


def run_plan(
    plan: Plan,
    name: str,
    store: Path,
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
    with ExitStack() as stack:
        opened = Store(store)
        stack.callback(opened.close)
        manifest = manifest_of(plan, name)
        write(opened, manifest)
        coordinator = Coordinator(plan, opened, progress)
        coordinator.load_stored()
        total = len(plan)
        if not coordinator.missing:
            return coordinator.failures
        found = _workers(plan, opened, coordinator.missing, cores, workers, scheduler)
        stack.callback(found.close)
        try:
            coordinator.run(found)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"stopped; {_there(coordinator)} of {total} experiments are in "
                f"{str(store)!r}: run the same sweep again to resume"
            ) from None
        except StoreError as failure:
            stored = status(
                store, manifest
            ).done  # after the error, what the files hold
            raise StoreError(
                f"{failure}; {stored} of {total} experiments are stored there: "
                "run the same sweep again to resume"
            ) from failure
        return coordinator.failures


def _there(coordinator: Coordinator) -> int:
    return len(coordinator.plan) - coordinator.missing - coordinator.failures.count


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
        :mod:`rosenblatt.sweeps.plan.spec`.
    parameters
        Parameters that all experiments share.
    axes
        Names and values of parameters; all combinations are run. ``"teacher.noise"``
        replaces an attribute of the part ``teacher``. A dictionary instead of a list
        says what values are called in the result.
    experiments
        A list of dictionaries of parameters, run for each combination of the axes.
    store
        The folder that keeps results, each as soon as it is there. What it has is not
        computed again, whatever has happened in between. By default results are opened
        in memory only once all are there.
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
        name, folder, plan = _spec(Path(task), given)
    else:
        plan = Plan(task, parameters or {}, axes or {}, experiments)  # type: ignore[arg-type]
        name, folder = plan.function.__name__, None
    how: dict[str, Any] = {
        "cores": cores,
        "workers": workers,
        "scheduler": scheduler,
        "progress": progress,
    }
    with ExitStack() as stack:
        if store is not None:
            folder = Path(store)
        elif folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        failures = run_plan(plan, name, folder, **how)
        result = collect(folder, manifest_of(plan, name))
    if failures.count:
        item, reason = failures.first[0]
        warnings.warn(
            f"{failures.count} of {len(plan)} experiments failed and are NaN; "
            f"the first one, {item}: {reason}",
            stacklevel=2,
        )
        result.attrs["failures"] = failures.as_json()
    return result


def open_sweep(store: str | os.PathLike[str]) -> xr.Dataset:
    """Return the stored results of the sweep that was started last.

    It may still be running, here or elsewhere; results that are not there yet are NaN.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> with tempfile.TemporaryDirectory() as store:
    ...     _ = rb.sweep("theory.critical_alpha", {}, store=store, cores=0)
    ...     rb.open_sweep(store).attrs["done"]
    1
    """
    folder = Path(store)
    return collect(folder, read_last(folder))
