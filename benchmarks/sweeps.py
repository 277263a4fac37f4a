"""Sweeps of many small items: time for each item, and memory of the coordinator.

``python -m benchmarks.sweeps`` measures only this.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import rosenblatt as rb
from benchmarks.measure import Row

ITEMS = 100_000
GOAL = 2e-3  # seconds for an item
PAGE = os.sysconf("SC_PAGE_SIZE")
EVERY = 0.25  # seconds between two looks at the memory
DAY = 86_400
SLOW = 0.1  # seconds an item takes in a run that lasts a day, on one core
MOST = 500.0  # MiB that a coordinator may hold after a day


def nothing(x: int) -> float:
    """Return a number at once: what it takes is what the sweep takes."""
    return float(x)


def resident() -> float:
    """Return the memory of this process, in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


class Watch:
    """Writes down the memory of this process while something runs."""

    def __init__(self, store: Path) -> None:
        self._records = store / "records"
        self._end = threading.Event()
        self._seen: list[tuple[float, float, float]] = []
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._end.wait(EVERY):
            files = self._records.glob("*") if self._records.exists() else ()
            stored = sum(file.stat().st_size for file in files)
            self._seen.append((time.monotonic(), stored, resident()))

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def slope(self) -> tuple[float, float]:
        """Return MiB more for each part of the results, and the last memory.

        Only while results come in: after a tenth of them, when buffers have their
        size, and before the last ones.
        """
        _, stored, memory = np.array(self._seen).T
        part = stored / stored.max()
        running = (part > 0.1) & (part < 0.99)
        slope = np.polyfit(part[running], memory[running], 1)[0]
        return float(slope), float(memory[running][-1])


def overhead() -> Iterator[Row]:
    """Run 1e5 items that take no time."""
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        axes = {"x": range(ITEMS)}
        # forked before anything else has a thread, as in a script
        began = time.perf_counter()
        found = rb.sweep(nothing, axes=axes, store=folder, cores=cores)
        taken = (time.perf_counter() - began) / ITEMS
        assert found.attrs["done"] == ITEMS
        began = time.perf_counter()
        rb.sweep(nothing, axes=axes, store=folder, cores=cores)
        resumed = (time.perf_counter() - began) / ITEMS
        size = sum(f.stat().st_size for f in (Path(folder) / "records").iterdir())
    yield Row(
        f"sweep of {ITEMS} items, {cores} processes",
        f"{1e3 * taken:.2f} ms an item, store and result included; resumed with all "
        f"there {1e3 * resumed:.3f} ms; {size / ITEMS:.0f} bytes an item",
        "< 2 ms",
        taken < GOAL,
    )


def watched() -> None:
    """Print the memory before, at the end of a sweep, and its slope."""
    rb.sweep(nothing, axes={"x": range(10)}, cores=0)  # all is imported now
    with tempfile.TemporaryDirectory() as folder:
        before = resident()
        with Watch(Path(folder)) as watch:
            rb.sweep(nothing, axes={"x": range(ITEMS)}, store=folder, cores=0)
        slope, last = watch.slope()
    print(before, last, slope)


def memory() -> Iterator[Row]:
    """Watch the coordinator's memory, and say what it would be after a day."""
    command = [sys.executable, "-m", "benchmarks.sweeps", "watched"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, last, slope = map(float, done.stdout.split())
    day = DAY / SLOW  # items, each with its place in the plan
    after = before + (last - before + max(slope, 0.0)) * day / ITEMS
    yield Row(
        f"memory of the coordinator, {ITEMS} items",
        f"{last:.0f} MiB ({before:.0f} before), {1024 * slope:+.0f} KiB while all "
        f"results come in; 24 hours of {day:.0f} items of {SLOW} s: {after:.0f} MiB",
        f"< {MOST:.0f} MiB",
        after < MOST,
    )


def main() -> None:
    """Measure sweeps alone."""
    if sys.argv[1:] == ["watched"]:
        watched()
        return
    for measure in (overhead, memory):
        for row in measure():
            print(row)


if __name__ == "__main__":
    main()
