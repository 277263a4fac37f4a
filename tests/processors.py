"""The tests with kernels of other processors, one run after another.

``python -m tests.processors`` runs the whole suite with the BLAS kernels of four
processors, with one thread of BLAS and two, without what NumPy compiles for newer
processors, and with four levels of numba. ``--numerical`` runs the numerical part
once, with other BLAS kernels than those of this processor. Further arguments go to
pytest. Outcomes are printed and written to ``build/processors.md``.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

BUILD = Path(__file__).parents[1] / "build"
BLAS = ("Haswell", "Zen", "SkylakeX", "Prescott")
NUMBA = ("generic", "x86-64-v2", "x86-64-v3", "x86-64-v4")
# The tests with most linear algebra and integrals.
NUMERICAL = ("theory", "committees", "linear", "bayes")
ASK = """import scipy.linalg, threadpoolctl
print(*{one.get("architecture", one["internal_api"])
        for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"})"""


def kernels(variables):
    """Return the names of the kernels that BLAS takes."""
    given = [sys.executable, "-c", ASK]
    return subprocess.run(
        given, env=os.environ | variables, capture_output=True, text=True, check=True
    ).stdout.strip()


def variants():
    """Return the variables of each run."""
    # A library without these kernels, or on another kind of processor, takes its own:
    # the table says which it took.
    found = [{"OPENBLAS_CORETYPE": name} for name in BLAS]
    found += [{"OPENBLAS_NUM_THREADS": number} for number in "12"]
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    found += [{"NPY_DISABLE_CPU_FEATURES": " ".join(features)}]
    if platform.machine() in ("x86_64", "AMD64"):
        found += [{"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""} for name in NUMBA]
    return found


def run(variables, arguments):
    """Run pytest once; return whether it passed, and a line of the table."""
    shown = " ".join(f"{name}={text!r}" for name, text in variables.items() if text)
    print(shown, flush=True)
    start, lines = time.monotonic(), []
    command = [sys.executable, "-m", "pytest", "-n", "auto", *arguments]
    with subprocess.Popen(
        command, env=os.environ | variables, stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    outcome = [line for line in lines if re.search(r"\d (passed|failed|error)", line)]
    said = re.sub(r" in [\d.]+s.*", "", outcome[-1].strip("= \n")) if outcome else ""
    passed = process.returncode == 0
    verdict = "passed" if passed else "FAILED"
    taken = f"{time.monotonic() - start:.0f}"
    return (
        passed,
        f"| `{shown}` | {kernels(variables)} | {verdict} | {said} | {taken} |",
    )


def main():
    """Run all that is asked for; the exit code is 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numerical", action="store_true")
    args, arguments = parser.parse_known_args()
    if args.numerical:
        others = [{"OPENBLAS_CORETYPE": name} for name in BLAS]
        runs = [one for one in others if kernels(one) != kernels({})][:1]
        arguments = [*(f"tests/{name}" for name in NUMERICAL), *arguments]
    else:
        runs = variants()
    table = ["| run | BLAS | | tests | seconds |", "|---|---|---|---|---|"]
    good = True
    for variables in runs:
        passed, line = run(variables, arguments)
        good &= passed
        table.append(line)
        BUILD.mkdir(exist_ok=True)
        (BUILD / "processors.md").write_text("\n".join([*table, ""]))
    print("\n".join(table))
    sys.exit(not good)


if __name__ == "__main__":
    main()
