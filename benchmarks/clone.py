"""The two commands of the README, each in a new clone with an empty home.

``python -m benchmarks.clone`` times ``make report`` and ``make test`` of the last
commit, with all that they install and compile. ``python -m benchmarks.clone python3.12
python3.13`` does so with other versions of Python. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Row
from benchmarks.page import markdown, write_measured

# The most seconds that each command may take.
COMMANDS = {"report": 180, "test": 360}
VERSION = "import platform; print(platform.python_version())"
_KEPT = ("PATH", "LANG", "TMPDIR")


def run(target: str, python: str) -> tuple[float, bool, str]:
    """Make a target in a clone; return seconds, whether it passed and its last line."""
    with tempfile.TemporaryDirectory() as name:
        folder, home = Path(name, "rosenblatt"), Path(name, "home")
        home.mkdir()
        clone = ["git", "clone", "--quiet", Path.cwd(), folder]
        subprocess.run(clone, check=True)
        own = {key: os.environ[key] for key in _KEPT if key in os.environ}
        own |= {key: text for key, text in os.environ.items() if "PIP_" in key}
        began = perf_counter()
        done = subprocess.run(
            ["make", target, f"PYTHON={python}"],
            cwd=folder,
            env=own | {"HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        taken = perf_counter() - began
    last = (done.stdout.strip().splitlines() or [""])[-1]
    return taken, done.returncode == 0, last


def rows(pythons: list[str]) -> Iterator[Row]:
    """Time both commands with each Python."""
    for python in pythons:
        version = subprocess.run(
            [python, "-c", VERSION], capture_output=True, text=True, check=True
        ).stdout.strip()
        for target, goal in COMMANDS.items():
            taken, passed, last = run(target, python)
            measured = f"{taken / 60:.1f} minutes{'' if passed else ', FAILED'}"
            print(f"Python {version}, make {target}: {measured}: {last}", flush=True)
            met = passed and taken <= goal
            work = f"`make {target}`, new clone, Python {version}"
            yield Row(work, measured, f"<= {goal // 60} minutes", met)


def main() -> None:
    """Time the commands, print a table, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="*", default=["python3"])
    parser.add_argument(
        "--docs", action="store_true", help="write into docs/measured.json"
    )
    chosen = parser.parse_args()
    table = markdown(rows(chosen.python))
    print(table)
    if chosen.docs:
        write_measured("clones", table)


if __name__ == "__main__":
    main()
