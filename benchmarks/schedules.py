"""Best schedules beside the best constant rate and the best power of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import rosenblatt as rb
from benchmarks.measure import Row
from rosenblatt.theory.control import BestSchedule

_ERF = rb.rules.Erf()


def _perceptron(alpha: float) -> BestSchedule:
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    return rb.theory.best_schedule(rule, alpha=alpha, knots=10, rate=0.1)


def _committee(
    units: int, noise: float, alpha: float, activation: rb.core.Activation = _ERF
) -> BestSchedule:
    """Return the best schedule of students that begin with overlap 0.1 or none."""
    committee = rb.committees.Committee(activation, units, units, noise=noise)
    one = np.eye(units)
    start = (0.1 * one, 0.25 * one) if units > 1 else 0.5
    return rb.committees.best_schedule(committee, alpha=alpha, start=start, knots=8)


def best() -> Iterator[Row]:
    """Find the best schedules of one unit and of two."""
    cases: tuple[tuple[str, Callable[[], BestSchedule]], ...] = (
        ("erf, K = M = 1, noise 0.5, alpha = 30", lambda: _committee(1, 0.5, 30)),
        ("erf, K = M = 2, noise 0.1, alpha = 50", lambda: _committee(2, 0.1, 50)),
        (
            "ReLU, K = M = 2, noise 0.1, alpha = 50",
            lambda: _committee(2, 0.1, 50, rb.rules.ReLU()),
        ),
        ("perceptron, alpha = 100", lambda: _perceptron(100)),
        ("perceptron, alpha = 300", lambda: _perceptron(300)),
    )
    for name, find in cases:
        began = time.process_time()
        found = find()
        took = time.process_time() - began
        errors = found.constant_error, found.power_error, found.error
        yield Row(
            f"best schedule, {name}: errors of constant, power, schedule",
            f"{', '.join(f'{error:.4g}' for error in errors)} in {took:.0f} s",
            "falling",
            errors[0] > errors[1] >= errors[2],
        )
