"""Committees of three units: simulation against NumPy, and learning curves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.special import erf

import rosenblatt as rb
from benchmarks.measure import Row, seconds
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.plotting.figures import renderings

UNITS, DIM, REPLICAS = 3, 1000, 100
RATE = 1.0
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "committee_costs.png"


def numpy_committee(examples: int) -> None:
    """Let 100 students of three units learn from vectors, replica beside replica."""
    rng = np.random.default_rng(0)
    teachers = np.eye(UNITS, DIM) * np.sqrt(DIM)
    w = 0.5 * rng.standard_normal((REPLICAS, UNITS, DIM))
    for _ in range(examples):
        x = rng.standard_normal((REPLICAS, DIM)) / np.sqrt(DIM)
        h = (w @ x[..., None])[..., 0]
        error = erf(x @ teachers.T * np.sqrt(0.5)).sum(axis=1)
        error -= erf(h * np.sqrt(0.5)).sum(axis=1)
        slope = np.sqrt(2 / np.pi) * np.exp(-0.5 * h * h)
        w += (RATE * error[:, None] * slope)[..., None] * x[:, None]


def _reduced(units: int, rate: float) -> float:
    """Return the processor seconds of an example of one replica, without vectors."""
    committee, alpha = rb.committees.Committee(rb.rules.Erf(), units, units), 20

    def work() -> None:
        rb.committees.simulate(
            committee, rate, dim=DIM, alpha=alpha, replicas=REPLICAS, workers=1
        )

    work()  # compiles
    return seconds(work, clock=time.process_time) / (alpha * DIM * REPLICAS)


def costs() -> Iterator[Row]:
    """Draw the time of an example against the number of units."""
    units = (1, 2, 3, 4, 6, 8, 12, 16)
    times = [1e9 * _reduced(k, RATE / k) for k in units]
    square = [times[-1] * (k / units[-1]) ** 2 for k in units]
    data = FigureData(
        title="Time of an example without vectors",
        caption="K = M units of the error function, on one core.",
        x_label="number of units K = M",
        y_label="nanoseconds an example",
        series=(
            Series("measured", units, times, "simulation"),
            Series("$K^2$", units, square, "theory"),
        ),
        x_log=True,
        y_log=True,
    )
    PICTURE.write_bytes(renderings(data)[0])
    yield Row(
        "committees of 1, 3 and 16 units, reduced",
        f"{times[0]:.0f}, {times[2]:.0f} and {times[-1]:.0f} ns an example",
        "a picture",
        True,
    )


def ratios() -> Iterator[Row]:
    """Compare the times of an example of one replica, on one core."""
    ours = _reduced(UNITS, RATE)
    few = 50
    theirs = seconds(lambda: numpy_committee(few), clock=time.process_time)
    theirs /= few * REPLICAS
    yield Row(
        "committee of 3 units, N = 1000, reduced against NumPy on 100 replicas",
        f"{ours * 1e9:.0f} ns an example, {theirs / ours:.0f} times as fast",
        ">= 200 times",
        theirs >= 200 * ours,
    )


def curves() -> Iterator[Row]:
    """Measure one learning curve of three units for N to infinity, on one core."""
    rng = np.random.default_rng(0)
    start = 1e-3 * rng.random((UNITS, UNITS)), np.diag(0.5 * rng.random(UNITS))
    for name, activation, rate, limit in (
        ("closed form, erf", rb.rules.Erf(), 0.3, 1.0),
        ("ReLU", rb.rules.ReLU(), 0.1, 30.0),
        ("quadrature, tanh", rb.rules.Tanh(), 0.3, 30.0),
    ):
        committee = rb.committees.Committee(activation, UNITS, UNITS)

        def work(
            committee: rb.committees.Committee = committee, rate: float = rate
        ) -> None:
            rb.committees.solve(committee, rate, alpha=[0, 300], start=start)

        rb.committees.solve(committee, rate, alpha=0.1, start=start)  # compiles
        took = seconds(work, clock=time.process_time, repeats=1)
        yield Row(
            f"learning curve of 3 units to alpha = 300, {name}",
            f"{took:.2f} s",
            f"< {limit:g} s",
            took < limit,
        )
