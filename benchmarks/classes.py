"""Labelled classes: four schedules on one stream, against NumPy."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import rosenblatt as rb
from benchmarks.measure import Row, seconds

STREAM = rb.streams.TwoClasses([(20, 40), (80, 60)], 625, constant=-1.0)
GAINS = [
    rb.schedules.Power(1.0, 1.0),
    rb.schedules.Power(1.0, 0.51),
    rb.schedules.PerMistake(1.0, 1.0),
    rb.schedules.PerMistake(1.0, 0.51),
]
EXAMPLES, REPLICAS = 100_000, 20
GOAL = 100  # nanoseconds an example, for all four together


def _numpy(replicas: int, examples: int) -> float:
    """Return the seconds of the same in NumPy, vectorised over replicas and gains."""
    rng = np.random.default_rng(0)
    means = np.array(STREAM.means)
    w, mistakes = np.zeros((replicas, 4, 3)), np.zeros((replicas, 4))
    began = time.perf_counter()
    for t in range(1, examples + 1):
        k = rng.integers(0, 2, replicas)
        x = np.full((replicas, 1, 3), -1.0)
        x[:, 0, :2] = means[k] + 25.0 * rng.standard_normal((replicas, 2))
        y = 2.0 * k - 1.0
        wrong = y[:, None] * (w * x).sum(axis=2) <= 0
        mistakes += wrong
        gain = np.empty((replicas, 4))
        gain[:, 0], gain[:, 1] = 1 / t, t**-0.51
        with np.errstate(divide="ignore"):
            gain[:, 2], gain[:, 3] = 1 / mistakes[:, 2], mistakes[:, 3] ** -0.51
        step = np.where(wrong, gain * y[:, None], 0.0)
        w += step[:, :, None] * x
    return time.perf_counter() - began


def ratios() -> Iterator[Row]:
    """Compare with NumPy vectorised over 1000 replicas and four schedules."""

    def work() -> None:
        rb.simulate_classes(
            rb.rules.Perceptron(),
            GAINS,
            STREAM,
            examples=EXAMPLES,
            replicas=REPLICAS,
            workers=1,
        )

    peer = min(_numpy(1000, 300) for _ in range(3)) / (1000 * 300)
    one = seconds(work) / (EXAMPLES * REPLICAS)
    yield Row(
        "two classes, four schedules, one core",
        f"{peer / one:.0f} times NumPy ({one * 1e9:.0f} ns an example)",
        f"<= {GOAL} ns",
        one * 1e9 <= GOAL,
    )
