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
from rosenblatt.simulation.classes import classes_task
from rosenblatt.simulation.machines import machine_task
from rosenblatt.simulation.run import MOST, Run, teacher_task
from rosenblatt.specification.parts import gather
from rosenblatt.sweeps.plan import Plan

__all__ = ["check"]

_MOST = 50  # values of an axis that are tried; of more, some between the ends


_RUN = ("replicas", "seed", "workers", "progress")  # parameters of every simulation


def _split(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of every simulation, and the others."""
    numbers = {name: given[name] for name in _RUN}
    return numbers, {name: given[name] for name in given if name not in _RUN}


def _simulate(*, engine: str | None, dim: int, alpha: Any, **given: Any) -> None:
    numbers, parts = _split(given)
    if isinstance(parts["rule"], rb.core.BeliefRule):  # which has checks of its own
        increasing("alpha", alpha)
        return
    run = Run.at_alpha(alpha, dim, most=MOST, **numbers)
    target, tests = parts.pop("target"), parts.pop("tests")
    teacher_task(gather(**parts, vectors=True), run, target, tests)


def _machine(*, examples: Any, **given: Any) -> None:
    numbers, parts = _split(given)
    machine_task(**parts, run=Run.at_examples(examples, **numbers))


def _classes(*, examples: Any, **given: Any) -> None:
    numbers, parts = _split(given)
    classes_task(**parts, run=Run.at_examples(examples, **numbers))


def _solve(*, alpha: Any, **parts: Any) -> None:
    gather(**parts)
    increasing("alpha", alpha)


_CHECKS: dict[Callable[..., Any], Callable[..., Any]] = {
    rb.simulate: _simulate,
    rb.solve: _solve,
    rb.simulate_machine: _machine,
    rb.simulate_classes: _classes,
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
