"""Time of imports and first calls, before anything is computed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import Row

FIRST = """
import time
import rosenblatt as rb
rule, schedule = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant()
began = time.perf_counter()
rb.simulate(rule, schedule, dim=100, alpha=1, engine={engine!r})
print(time.perf_counter() - began)
"""
IMPORT = "import time; t = time.perf_counter(); {what}; print(time.perf_counter() - t)"


def _output(code: str) -> float:
    """Return the smallest number that a few new interpreters print."""
    runs = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        for _ in range(5)
    )
    return min(float(run.stdout) for run in runs)


def imports() -> Iterator[Row]:
    """Compare the import with that of NumPy and SciPy."""
    base = "import numpy, scipy.special, scipy.integrate, scipy.optimize"
    peers = _output(IMPORT.format(what=base))
    ours = _output(IMPORT.format(what=f"{base}; import rosenblatt"))
    everything = _output(
        IMPORT.format(what=f"{base}; import rosenblatt as rb; rb.simulate; rb.solve")
    )
    yield Row(
        "import rosenblatt",
        f"{ours - peers:.3f} s more than NumPy and SciPy ({peers:.2f} s)",
        "< 0.5 s more",
        ours - peers < 0.5,
    )
    yield Row(
        "import with the engines and the theory loaded",
        f"{everything - peers:.3f} s more",
        "< 0.5 s more",
        everything - peers < 0.5,
    )


def first_calls() -> Iterator[Row]:
    """Time the first call of each engine in a new process, with a warm cache."""
    for engine in ("full", "reduced", "events"):
        taken = _output(FIRST.format(engine=engine))
        yield Row(f"first call of {engine}", f"{taken:.2f} s", "< 1 s", taken < 1)
