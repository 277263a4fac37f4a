"""Growth of time and memory with N, alpha and the number of replicas."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import rosenblatt as rb
from benchmarks.engines import CONSTANT, OPTIMAL, RULE
from benchmarks.measure import Row, seconds

ENGINES = {"full": CONSTANT, "reduced": CONSTANT, "events": OPTIMAL}
BASE = {"dim": 100, "alpha": 100.0, "replicas": 4}
GROWING = {
    "dim": [10, 100, 1000, 10_000],
    "alpha": [1.0, 10.0, 100.0, 1000.0],
    "replicas": [1, 4, 16, 64],
}
MEMORY = """
import resource
import rosenblatt as rb
rule, schedule = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant()
rb.simulate(rule, schedule, dim=100, alpha=1, engine="reduced")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rb.simulate(rule, schedule, dim=100, alpha={alpha}, replicas=8, engine="reduced")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def curves() -> dict[str, dict[str, list[float]]]:
    """Return the seconds of each engine along each of the three directions."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, values in GROWING.items():
        for engine, schedule in ENGINES.items():
            times = []
            for value in values:
                given = {**BASE, name: value}
                if engine == "full" and given["dim"] ** 2 * given["alpha"] > 2e9:
                    times.append(np.nan)  # more than some seconds
                    continue
                times.append(
                    seconds(
                        lambda given=given, engine=engine, schedule=schedule: (
                            rb.simulate(
                                RULE, schedule, **given, engine=engine, workers=1
                            )
                        ),
                        repeats=2,
                    )
                )
            found.setdefault(name, {})[engine] = times
    return found


def plot(path: Path) -> None:
    """Draw how time grows."""
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    for ax, (name, lines) in zip(axes, curves().items(), strict=True):
        for engine, times in lines.items():
            ax.loglog(GROWING[name], times, marker="o", label=engine)
        ax.set_xlabel({"dim": "N", "alpha": r"$\alpha$", "replicas": "replicas"}[name])
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("seconds, one core")
    axes[0].legend(title="engine", frameon=False)
    fixed = ", ".join(f"{k} = {v:g}" for k, v in BASE.items())
    figure.suptitle(f"Time of one call; where not varied, {fixed}", fontsize=10)
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=150)
    os.replace(part, path)


def memory() -> Iterator[Row]:
    """Compare the memory of a short and of a long ensemble."""
    grown = []
    for alpha in (100, 100_000):
        done = subprocess.run(
            [sys.executable, "-c", MEMORY.format(alpha=alpha)],
            capture_output=True,
            check=True,
        )
        grown.append(float(done.stdout))
    yield Row(
        "memory for 1000 times the examples",
        f"{grown[1] - grown[0]:+.1f} MiB (peak of this process so far: "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f})",
        "< 5 MiB more",
        grown[1] - grown[0] < 5,
    )
