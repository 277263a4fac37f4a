"""Committees of three units: simulation against NumPy, and learning curves."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from scipy.special import erf

import rosenblatt as rb
from benchmarks.measure import Row, seconds

UNITS, DIM, REPLICAS = 3, 1000, 100
RATE = 1.0


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


def ratios() -> Iterator[Row]:
    """Compare the times of an example of one replica, on one core."""
    committee = rb.networks.Committee(rb.rules.Erf(), UNITS, UNITS)

    def work() -> None:
        rb.networks.simulate(
            committee,
            rb.schedules.Constant(RATE),
            dim=DIM,
            alpha=20,
            replicas=REPLICAS,
            workers=1,
        )

    work()  # compiles
    ours = seconds(work, clock=time.process_time) / (20 * DIM * REPLICAS)
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
        committee = rb.networks.Committee(activation, UNITS, UNITS)

        def work(
            committee: rb.networks.Committee = committee, rate: float = rate
        ) -> None:
            rb.networks.solve(committee, rate, alpha=[0, 300], start=start)

        rb.networks.solve(committee, rate, alpha=0.1, start=start)  # compiles
        took = seconds(work, clock=time.process_time, repeats=1)
        yield Row(
            f"learning curve of 3 units to alpha = 300, {name}",
            f"{took:.2f} s",
            f"< {limit:g} s",
            took < limit,
        )
