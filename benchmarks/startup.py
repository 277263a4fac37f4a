"""Time of imports and first calls, before anything is computed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row

FIRST = """
import time
import rosenblatt as rb
rule, schedule = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant()
began = time.perf_counter()
rb.simulate(rule, schedule, dim=100, alpha=1, engine={engine!r})
print(time.perf_counter() - began)
"""
FIT = """
import time
import sklearn.linear_model
began = time.perf_counter()
import rosenblatt as rb
X = [[i % 7 - 3.0, i % 5 - 2.0] for i in range(100)]
rb.{model}.fit(X, [i % 2 for i in range(100)])
print(time.perf_counter() - began)
"""
SIMULATE = """
import time
import sklearn.linear_model
began = time.perf_counter()
import rosenblatt as rb
rule, schedule = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant()
rb.simulate(rule, schedule, dim=100, alpha=1, engine="reduced")
print(time.perf_counter() - began)
"""
ENVIRONMENT = """
import importlib.metadata, os, sysconfig, time
began = time.perf_counter()
from rosenblatt import BayesPerceptron
taken = time.perf_counter() - began
BayesPerceptron().fit([[i % 7 - 3.0, i % 5 - 2.0] for i in range(100)], [0, 1] * 50)
status = open("/proc/self/status").read()  # ru_maxrss would be that of the parent
memory = int(status.split("VmHWM:")[1].split()[0]) / 1024
installed = os.walk(sysconfig.get_path("purelib"))
files = (os.path.join(folder, name) for folder, _, names in installed for name in names)
size = sum(map(os.path.getsize, files)) / 2**20
others = {found.name for found in importlib.metadata.distributions()}
print(taken, memory, size, len(others - {"pip", "setuptools", "rosenblatt"}))
"""
_UNSTORED = "PYTHONDONTWRITEBYTECODE"  # each process would compile all sources
IMPORT = "import time; t = time.perf_counter(); {what}; print(time.perf_counter() - t)"
# numba imports coverage where it is installed: a tool of developers, not of users.
_ALONE = "import sys; sys.modules['coverage'] = None\n"


def _output(code: str, runs: int = 3, **environment: str) -> float:
    """Return the smallest number that a few new interpreters print."""
    own = {name: os.environ[name] for name in os.environ if name != _UNSTORED}
    given = {"capture_output": True, "check": True, "env": own | environment}
    command = [sys.executable, "-c", _ALONE + code]
    return min(float(subprocess.run(command, **given).stdout) for _ in range(runs))


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


def environment() -> Iterator[Row]:
    """Install the package alone, and measure its size, import and memory.

    ``make dist`` makes the environment ``build/fresh`` from the wheel.
    """
    python = Path("build/fresh/bin/python")
    if not python.exists():
        return
    subprocess.run([python, "-c", ENVIRONMENT], capture_output=True, check=True)
    runs = [
        subprocess.run([python, "-c", ENVIRONMENT], capture_output=True, check=True)
        for _ in range(3)
    ]
    taken, memory, size, packages = min(
        tuple(map(float, run.stdout.split())) for run in runs
    )
    figures = {
        "packages, besides this one and pip": f"{packages:.0f}",
        "size of the environment": f"{size:.0f} MiB",
        "memory after `from rosenblatt import BayesPerceptron` and a first fit": (
            f"{memory:.0f} MiB"
        ),
        "that import": f"{taken:.2f} s",
    }
    for work, measured in figures.items():
        yield Row(work, measured)


def first_calls() -> Iterator[Row]:
    """Time the first call of each engine in a new process, with a warm cache."""
    for engine in ("full", "reduced", "events"):
        taken = _output(FIRST.format(engine=engine))
        yield Row(f"first call of {engine}", f"{taken:.2f} s", "< 1 s", taken < 1)


def _first() -> dict[str, tuple[str, float]]:
    """Return the code of first calls, and how long it may take to compile and run."""
    return {
        "fit of `BayesPerceptron()`": (FIT.format(model="BayesPerceptron()"), 5.0),
        'fit of `BayesPerceptron("diagonal")`': (
            FIT.format(model="BayesPerceptron('diagonal')"),
            2.0,
        ),
        'fit of `BayesPerceptron("full")`': (
            FIT.format(model="BayesPerceptron('full')"),
            2.0,
        ),
        "fit of `OnlinePerceptron()`": (FIT.format(model="OnlinePerceptron()"), 2.0),
        "`simulate`": (SIMULATE, 2.0),
    }


def first_fits() -> Iterator[Row]:
    """Time the first fit in a new process: nothing compiled before, and all of it.

    The import of this package counts, that of scikit-learn does not.
    """
    for name, (code, goal) in _first().items():
        with tempfile.TemporaryDirectory() as cache:
            cold = _output(code, runs=1, XDG_CACHE_HOME=cache)
            warm = _output(code, XDG_CACHE_HOME=cache)
        yield Row(
            f"first {name}, nothing compiled",
            f"{cold:.1f} s",
            f"<= {goal:g} s",
            cold <= goal,
        )
        yield Row(f"first {name}, compiled", f"{warm:.2f} s", "<= 0.4 s", warm <= 0.4)


def wheel() -> Iterator[Row]:
    """Time first calls with the code of a wheel, and with nothing compiled here.

    ``make wheel`` writes the wheel to ``dist``.
    """
    for file in sorted(Path("dist").glob("rosenblatt-*-cp*.whl"))[-1:]:
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(file).extractall(folder)
            for name, (code, _) in _first().items():
                taken = _from_wheel(code, folder)
                yield Row(
                    f"first {name}, from a wheel with compiled code",
                    f"{taken:.2f} s",
                    "<= 1 s",
                    taken <= 1,
                )


def _from_wheel(code: str, folder: str) -> float:
    """Return the smallest time of a few runs, each with an empty cache."""
    times = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            own = {"PYTHONPATH": folder, "XDG_CACHE_HOME": cache}
            times.append(_output(code, runs=1, **own))
    return min(times)
