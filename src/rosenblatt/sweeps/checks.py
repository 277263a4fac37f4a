"""Checks of a plan before anything runs.

The functions of this package check their arguments before they compute. Here these
checks are made for every value of every axis, with the first values of all others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rosenblatt as rb
from rosenblatt.core.arguments import increasing
from rosenblatt.simulation.classes import classes_experiment
from rosenblatt.simulation.machines import machine_experiment
from rosenblatt.simulation.simulate import experiment_of
from rosenblatt.specification.parts import gather
from rosenblatt.sweeps.plan import Plan

__all__ = ["check"]

_MOST = 50  # values of an axis that are tried; of more, some between the ends


def _simulate(*, engine: str | None, **given: Any) -> None:
    experiment_of(**given)


def _solve(*, alpha: Any, **parts: Any) -> None:
    gather(**parts)
    increasing("alpha", alpha)


_CHECKS: dict[Callable[..., Any], Callable[..., Any]] = {
    rb.simulate: _simulate,
    rb.solve: _solve,
    rb.simulate_machine: machine_experiment,
    rb.simulate_classes: classes_experiment,
}


def _tried(plan: Plan) -> Iterator[int]:
    """Yield items so that each value, or many, of each axis occurs."""
    yield 0
    for number, size in enumerate(plan.shape):
        step = int(np.prod(plan.shape[number + 1 :], dtype=np.int64))
        for place in np.unique(np.linspace(0, size - 1, min(size, _MOST)).astype(int)):
            if place:
                yield int(place) * step


def check(plan: Plan) -> None:
    """Raise the errors that the task would raise for its arguments.

    Examples
    --------
    >>> parts = {"rule": rb.rules.Hebb(), "schedule": rb.schedules.Constant()}
    >>> check(Plan("solve", parts, {"alpha": [1, -1]}))
    Traceback (most recent call last):
    ValueError: alpha=-1: alpha must be finite and not negative, got -1.0
    """
    check_arguments = _CHECKS.get(plan.function)
    if check_arguments is None:
        return
    signature = inspect.signature(plan.function)
    for item in _tried(plan):
        bound = signature.bind(**plan.parameters(item))
        bound.apply_defaults()
        try:
            check_arguments(**bound.arguments)
        except (ValueError, TypeError) as failure:
            where = f"{plan.described(item)}: " if plan.shape else ""
            raise type(failure)(f"{where}{failure}") from failure
