"""Sweeps of many small items: time for each item.

``python -m benchmarks.sweeps`` measures only this.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import rosenblatt as rb
from benchmarks.measure import Row

ITEMS = 100_000
GOAL = 2e-3  # seconds for an item


def nothing(x: int) -> float:
    """Return a number at once: what it takes is what the sweep takes."""
    return float(x)


def overhead() -> Iterator[Row]:
    """Run 1e5 items that take no time."""
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        axes, store = {"x": range(ITEMS)}, Path(folder, "store")
        began = time.perf_counter()
        found = rb.sweep(nothing, axes=axes, store=store, cores=cores)
        taken = (time.perf_counter() - began) / ITEMS
        assert found.attrs["done"] == ITEMS
        began = time.perf_counter()
        rb.sweep(nothing, axes=axes, store=store, cores=cores)
        resumed = (time.perf_counter() - began) / ITEMS
        size = store.stat().st_size
    yield Row(
        f"sweep of {ITEMS} items, {cores} processes",
        f"{1e3 * taken:.2f} ms an item, store and result included; resumed with all "
        f"there {1e3 * resumed:.3f} ms; {size / ITEMS:.0f} bytes an item",
        "< 2 ms",
        taken < GOAL,
    )


def main() -> None:
    """Measure sweeps alone."""
    for row in overhead():
        print(row)


if __name__ == "__main__":
    main()
