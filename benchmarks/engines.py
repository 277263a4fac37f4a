"""Simulation engines against NumPy, and the numbers that a core draws a second."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import rosenblatt as rb
from benchmarks.formatting import rounded
from benchmarks.measure import Row, seconds
from benchmarks.peers import numpy_simulation
from rosenblatt.compiling import kernel, types
from rosenblatt.numerics.random import generator, normals32

RULE = rb.rules.Normalised(rb.rules.Perceptron())
CONSTANT = rb.schedules.Constant(1.0)
OPTIMAL = rb.schedules.Power(2 * math.sqrt(2 * math.pi))
DIM, REPLICAS = 1000, 100
STEADY = 0.92  # the overlap at which the rate 1 comes to rest: as many mistakes for all


@kernel(types.void, types.float32[::1], types.uint64[::1], types.int64, allocates=True)
def _fill(out, rng, times):
    scratch = np.empty(out.size // 2, dtype=np.uint64)
    for _ in range(times):
        normals32(out, scratch, rng)


def gaussians() -> Iterator[Row]:
    """Return how many Gaussians a second the kernels of ``full`` generate."""
    out = np.empty(512, dtype=np.float32)
    rng = generator(np.random.SeedSequence(0))
    _fill(out, rng, 1)
    speed = 512 * 200_000 / seconds(lambda: _fill(out, rng, 200_000))
    yield Row(
        "Gaussians in the kernel, one core",
        f"{rounded(speed)} a second",
        ">= 1 billion a second",
        speed >= 1e9,
    )


def _per_example(engine: str, alpha: float, workers: int) -> float:
    def work() -> None:
        rb.simulate(
            RULE,
            CONSTANT,
            dim=DIM,
            alpha=alpha,
            replicas=REPLICAS,
            start=rb.starts.Overlap(STEADY),
            engine=engine,
            workers=workers,
        )

    return seconds(work) / (alpha * DIM * REPLICAS)


def ratios() -> Iterator[Row]:
    """Compare with NumPy vectorised over 100 replicas at N = 1000."""
    rb.simulate(RULE, CONSTANT, dim=DIM, alpha=1, engine="full")
    rb.simulate(RULE, CONSTANT, dim=DIM, alpha=1, engine="reduced")
    examples = 200
    peer = min(numpy_simulation(REPLICAS, DIM, examples, STEADY) for _ in range(3))
    peer /= examples * REPLICAS
    for engine, alpha, goal in (("full", 10.0, 15), ("reduced", 1000.0, 500)):
        one = _per_example(engine, alpha, 1)
        two = _per_example(engine, alpha, 2)
        yield Row(
            f"{engine}, N = {DIM}, {REPLICAS} replicas, one core",
            f"{peer / one:.1f} times NumPy ({one * 1e9:.0f} ns an example)",
            f">= {goal} times",
            peer / one >= goal,
        )
        yield Row(
            f"{engine}, 2 workers",
            f"{one / two:.2f} times 1 worker",
            ">= 1.9 times",
            one / two >= 1.9,
        )


def long_run() -> Iterator[Row]:
    """Simulate N = 1e6 up to alpha = 1e9 on one core, mistake by mistake."""
    found = []

    def work() -> None:
        run = rb.simulate(RULE, OPTIMAL, dim=10**6, alpha=1e9, workers=1)
        found.append(run)

    taken = seconds(work, repeats=1)
    run = found[0]
    speed = run.mistakes.item() / taken
    yield Row(
        "events, N = 1e6 to alpha = 1e9, one core",
        f"{taken:.1f} s ({1e9 / speed:.0f} ns a mistake, "
        f"{1e15 / taken:.1e} examples a second)",
        "< 10 s",
        taken < 10,
    )
    # From alpha <eps> = (4/pi) / (1 + c/N) and alpha <eps^2> / <eps> = 4/pi with
    # c = 2 - 3 pi/8, the relative variance of the error between runs is c/N.
    value = 1e9 * run.error.item()
    limit = 4 / math.pi
    error = limit * math.sqrt((2 - 3 * math.pi / 8) / 10**6)
    yield Row(
        "alpha times error of that run",
        f"{value:.4f} +- {error:.4f}",
        f"{limit:.4f} within 5 errors",
        abs(value - limit) < 5 * error,
    )
