"""Results of benchmarks over time: one file for each run, and what changed since.

``python -m benchmarks.history`` compares the last run in ``bench/`` with earlier ones
of the same machine and version of Python. A figure has changed if it is outside of the
range of up to ten earlier runs, widened by a fifth. One run alone does not show how
much a figure varies.
"""

from __future__ import annotations

import json
import platform
import statistics
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.formatting import first_number
from benchmarks.measure import Row

__all__ = ["compare", "figure", "keep"]

_RUNS = 10  # earlier runs that are looked at
_MARGIN = 1.2  # two runs of one program on a quiet machine differ by up to a fifth


def machine() -> str:
    """Return the kind of machine and Python, within which runs are compared."""
    return f"{platform.machine()} {platform.processor()} {platform.python_version()}"


def figure(row: Row) -> float | None:
    """Return the first number of a row, if its goal says that more or less is better.

    Examples
    --------
    >>> figure(Row("full", "18.3 times NumPy (613 ns)", ">= 15 times", True))
    18.3
    """
    return first_number(row.measured) if row.goal.startswith(("<", ">")) else None


def keep(rows: Iterable[Row], folder: Path) -> Path:
    """Write the rows of a run to a file of its own, and return its path."""
    folder.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    found = [vars(row) | {"figure": figure(row)} for row in rows]
    path = folder / f"{now:%Y%m%dT%H%M%S}.json"
    run = {"when": now.isoformat(), "machine": machine(), "rows": found}
    path.write_text(json.dumps(run, indent=1))
    return path


def _figures(run: Any) -> dict[str, tuple[float, bool]]:
    """Return figures by work, each with whether more is better."""
    return {
        row["work"]: (row["figure"], row["goal"].startswith(">"))
        for row in run["rows"]
        if row["figure"]
    }


def compare(folder: Path) -> list[str]:
    """Return a line for each figure of the last run that got better or worse."""
    # Names of runs begin with their year; other benchmarks store results there too.
    files = sorted(folder.glob("[0-9]*.json"))
    runs = [json.loads(path.read_text()) for path in files]
    if not runs:
        raise SystemExit(f"there is no run in {folder}/: make bench writes one")
    *earlier, last = runs
    same = [_figures(run) for run in earlier if run["machine"] == last["machine"]]
    lines = []
    for work, (now, more) in _figures(last).items():
        before = [run[work][0] for run in same[-_RUNS:] if work in run]
        if not before:
            continue
        low, high = min(before) / _MARGIN, max(before) * _MARGIN
        if low <= now <= high:
            continue
        better = (now > high) == more
        usual = statistics.median(before)
        word = "better" if better else "WORSE"
        lines.append(f"{word}: {work}: {now:g}, before {usual:g} ({len(before)} runs)")
    return lines


if __name__ == "__main__":
    changed = compare(Path("bench"))
    print("\n".join(changed) or "nothing changed by more than its noise")
