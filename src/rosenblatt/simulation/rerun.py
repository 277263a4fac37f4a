"""Run a result again from its specification."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import xarray as xr

from rosenblatt.core.arguments import part
from rosenblatt.simulation.beliefs import coordinate
from rosenblatt.simulation.classes import simulate_classes
from rosenblatt.simulation.machines import simulate_machine
from rosenblatt.simulation.simulate import ENGINES, simulate
from rosenblatt.specification.codec import rebuild

__all__ = ["rerun"]

_NUMBERS = ("replicas", "seed")
_PARTS = ("rule", "schedule", "teacher", "stream")
# For each engine, the function that ran and the entries of its specification.
_TASKS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "classes": (
        simulate_classes,
        (
            "rule",
            "schedules",
            "names",
            "stream",
            "examples",
            "start",
            "tests",
            *_NUMBERS,
        ),
    ),
    "machine": (
        simulate_machine,
        (
            "machine",
            "schedule",
            "target",
            "stream",
            "examples",
            "noise",
            "start",
            "tests",
            *_NUMBERS,
        ),
    ),
    "coordinate": (
        coordinate,
        (*_PARTS, "dim", "alpha", "target", "tests", *_NUMBERS),
    ),
} | dict.fromkeys(ENGINES, (simulate, (*_PARTS, "start", "dim", "alpha", *_NUMBERS)))


def rerun(
    result: xr.Dataset,
    *,
    parts: Mapping[str, Any] = MappingProxyType({}),
    workers: int | None = None,
) -> xr.Dataset:
    """Simulate again what a result was made from; the bits are the same.

    A result may come from somebody else: its specification can name parts of this
    package, and nothing else is imported or called. It still decides how much is
    computed.

    Parameters
    ----------
    result
        A result of a simulation, perhaps from :func:`rosenblatt.load`.
    parts
        Your own parts and functions by name, ``{"halving": halving}``, if the result
        was made with any.
    workers
        Number of threads; by default one per core.

    Returns
    -------
    xarray.Dataset
        The same result.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=3)
    >>> rb.rerun(run).identical(run)
    True
    """
    part("result", xr.Dataset, result)
    engine = result.attrs.get("engine")
    if "R" in result and "Q" in result:
        raise ValueError(
            "result is one of a committee, got overlaps R and Q; take "
            "rosenblatt.committees.rerun"
        )
    if (
        not isinstance(engine, str)
        or engine not in _TASKS
        or "spec" not in result.attrs
    ):
        raise ValueError(
            "result must come from rosenblatt.simulate, simulate_classes, "
            "simulate_machine or an engine"
        )
    task, wanted = _TASKS[engine]
    what = f"a result of the engine {engine!r}"
    optional = ("motion", "target", "tests") if task is simulate else ()
    spec = rebuild(result.attrs["spec"], what, wanted, parts, optional)
    if task is simulate:
        spec["engine"] = engine
    found: xr.Dataset = task(**spec, workers=workers)
    return found
