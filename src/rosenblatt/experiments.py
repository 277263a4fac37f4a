"""Results know their experiments: run one again from its specification."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import xarray as xr

from rosenblatt.committees import Committee, fluctuations
from rosenblatt.committees import simulate as simulate_committee
from rosenblatt.committees import solve as solve_committee
from rosenblatt.core.arguments import part
from rosenblatt.simulation import simulate, simulate_classes, simulate_machine
from rosenblatt.specification.codec import SpecificationError, possible, rebuild
from rosenblatt.theory import solve

# Functions that specifications name.
TASKS: Mapping[str, Callable[..., xr.Dataset]] = MappingProxyType(
    {
        "committees.fluctuations": fluctuations,
        "committees.simulate": simulate_committee,
        "committees.solve": solve_committee,
        "simulate": simulate,
        "simulate_classes": simulate_classes,
        "simulate_machine": simulate_machine,
        "solve": solve,
    }
)


def rerun(
    result: xr.Dataset,
    *,
    parts: Mapping[str, Any] = MappingProxyType({}),
    workers: int | None = None,
) -> xr.Dataset:
    """Compute again what a result was made from; the bits are the same.

    A result may come from somebody else: its specification can name parts of this
    package, and nothing else is imported or called. It still decides how much is
    computed.

    Parameters
    ----------
    result
        A result of a simulation or of the theory, perhaps from :func:`rosenblatt.load`.
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
    if "spec" not in result.attrs:
        raise ValueError(
            f"result must come from one of {', '.join(TASKS)}, got attributes "
            f"{list(result.attrs)}"
        )
    given = rebuild(result.attrs["spec"], parts)
    task = given.pop("task", None)
    if not isinstance(task, str) or task not in TASKS:
        raise SpecificationError(f"there is no task {task!r}; {possible(TASKS)}")
    function = TASKS[task]
    signature = inspect.signature(function)
    if "committee" in signature.parameters:
        known = given.keys() & {field.name for field in fields(Committee)}
        given["committee"] = Committee(**{name: given.pop(name) for name in known})
    try:
        if given.keys() & {"workers", "progress"}:
            raise TypeError("workers and progress are no part of an experiment")
        signature.bind(**given)
    except TypeError as failure:
        raise SpecificationError(f"the specification of {task}: {failure}") from None
    extra = {"workers": workers} if "workers" in signature.parameters else {}
    return function(**given, **extra)
