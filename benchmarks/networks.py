"""Committees of three units without vectors against NumPy on 100 replicas."""

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
