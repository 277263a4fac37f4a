r"""The paper's two-class problems, gains and runs.

How the paper is read where it says little:

* :math:`t` begins at 1, and :math:`q(t)` counts the current update, so that the first
  one has :math:`\eta_3 = \eta_4 = 1`. With :math:`p(t) = q(t)/t`, :math:`h(t) = q(t)`:
  the last two gains are powers of the number of mistakes.
* Features are used as they are, near 50 or 5000, beside a constant input of -1.
* In the nonlinear case the paper gives no start. The line through both means is taken,
  as in the linear case: :math:`x_2 = 0`.
* The four gains see the same examples and the same test set.

In percent are what the paper prints in percent: ``a`` and the tables.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import xarray as xr

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Paper
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import PerMistake, Power
from rosenblatt.simulation import simulate_classes
from rosenblatt.streams import TwoClasses

PAPER = Paper(
    key="bhattacharya1995",
    citation="U. Bhattacharya, S. K. Parui: On the rate of convergence of perceptron "
    "learning. Pattern Recognition Letters 16 (1995), 491-497.",
    outline="abstract, section 1, eq. (1), section 2, eqs. (2) to (3), "
    "conditions (4) to (6), section 3, eqs. (7) to (10), section 4, section 4.1, "
    "figures 1, 1a, 1b, 1c, 2, 2a, 2b, 2c, table 1, section 4.2, "
    "figures 3, 3a, 3b, 3c, table 2, section 5",
)
SEED = 1995  # of everything random in this paper's claims and figures


GAINS: dict[str, Power | PerMistake] = {  # eqs. (7) to (10)
    "eta1": Power(1.0, 1.0),
    "eta2": Power(1.0, 0.51),
    "eta3": PerMistake(1.0, 1.0),
    "eta4": PerMistake(1.0, 0.51),
}


CHECKPOINTS = (
    1, 20, 50, 250, 500, 1000, 5000, 10_000, 50_000, 100_000, 200_000, 300_000,
    400_000, 500_000, 600_000, 700_000, 800_000, 900_000, 1_000_000,
)  # fmt: skip


class Problem(NamedTuple):
    """Two classes, their features, and the paper's numbers about them."""

    name: str
    stream: TwoClasses
    start: tuple[float, ...]
    tests: int  # of each class
    table: tuple[float, ...]  # a(t) at the end for the four gains, in percent
    bayes: float  # the last column


def _linear(sigma: int, bayes: float, *table: float) -> Problem:
    stream = TwoClasses(((20, 40), (80, 60)), (sigma**2, sigma**2), constant=-1.0)
    name = f"sigma = {sigma}"
    return Problem(name, stream, (0.01, -0.03, 1.0), 1000, table, bayes)


def _nonlinear(first: int, second: int, bayes: float, *table: float) -> Problem:
    stream = TwoClasses(
        ((40, 0), (100, 0)), (first**2, second**2), degree=2, constant=-1.0
    )
    name = f"sigma = {first}, {second}"
    return Problem(name, stream, (0, 1, 0, 0, 0, 0), 2000, table, bayes)


LINEAR = {  # section 4.1 and table 1
    5: _linear(5, 0.0, 0.35, 0.35, 0.35, 0.6),
    10: _linear(10, 0.25, 7.2, 0.6, 4.05, 0.4),
    15: _linear(15, 1.75, 15.6, 1.75, 2.1, 1.9),
    20: _linear(20, 6.0, 5.95, 6.15, 6.6, 6.35),
    25: _linear(25, 11.0, 10.95, 11.65, 11.0, 11.35),
}


NONLINEAR = {  # section 4.2 and table 2
    (10, 15): _nonlinear(10, 15, 0.85, 0.875, 0.925, 0.925, 1.025),
    (15, 20): _nonlinear(15, 20, 4.4, 5.15, 6.225, 5.225, 7.05),
    (20, 25): _nonlinear(20, 25, 8.875, 10.85, 9.95, 10.125, 11.375),
}


@functools.lru_cache(maxsize=32)
def _run(problem: Problem, checkpoints: int, replicas: int, seed: int) -> xr.Dataset:
    return simulate_classes(
        Perceptron(),
        GAINS,
        problem.stream,
        examples=CHECKPOINTS[:checkpoints],
        replicas=replicas,
        seed=seed,
        start=problem.start,
        tests=problem.tests,
        progress=False,
    )


def run(problem: Problem, quick: bool) -> xr.Dataset:
    """Return the paper's run, to a million examples: 200 times, or 6 if quick."""
    return _run(problem, len(CHECKPOINTS), 6 if quick else 200, SEED)


def short_run(problem: Problem, quick: bool) -> xr.Dataset:
    """Return 200 runs; if quick, 60 of the first hundred thousand examples only."""
    if not quick:
        return run(problem, quick)
    return _run(problem, CHECKPOINTS.index(100_000) + 1, 60, SEED + 1)


def disparity(problem: Problem, weights: FloatArray) -> FloatArray:
    """Return b(t), the distance from the best classifier with thresholds of 1."""
    best = problem.stream.bayes_weights
    with np.errstate(divide="ignore"):  # infinite without a threshold
        scaled = weights[..., :-1] / weights[..., -1:]
    return np.asarray(np.linalg.norm(scaled - best[:-1] / best[-1], axis=-1))
