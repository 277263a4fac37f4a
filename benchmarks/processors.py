"""Speed with the vector instructions that ``NUMBA_CPU_NAME`` names.

``NUMBA_CPU_NAME=generic python -m benchmarks.processors`` prints a line of a table.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np

import rosenblatt as rb
from benchmarks.measure import seconds

ROWS, EXAMPLES = 5_000, 1_000_000


def fit(columns: int) -> Callable[[], object]:
    """Return the fit of the default classifier to random rows."""
    X = np.random.default_rng(0).standard_normal((ROWS, columns))
    y = X[:, 0] > 0
    return lambda: rb.BayesPerceptron().fit(X, y)


def simulate(engine: str, dim: int) -> Callable[[], object]:
    """Return a simulation of the perceptron rule in one thread."""
    rule, schedule = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant()
    given = {"dim": dim, "alpha": EXAMPLES / dim, "engine": engine, "workers": 1}
    return lambda: rb.simulate(rule, schedule, **given, progress=False)


def main() -> None:
    """Print a line of the table: times of a row and of an example, of one core."""
    work = [(fit(20), ROWS), (fit(100), ROWS)]
    work += [(simulate("reduced", 10_000), EXAMPLES), (simulate("full", 100), EXAMPLES)]
    found = []
    for one, count in work:
        one()  # compiles
        found.append(1e9 * seconds(one, clock=time.process_time) / count)
    name = numba.config.CPU_NAME or "of this machine"
    print("|", " | ".join([name, *(f"{taken:.0f}" for taken in found)]), "|")


if __name__ == "__main__":
    main()
