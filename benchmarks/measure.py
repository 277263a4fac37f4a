"""Rows of the table: what was measured, against what, and the goal."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure beside its goal."""

    work: str
    measured: str
    goal: str
    met: bool


def seconds(
    work: Callable[[], object],
    repeats: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the shortest of a few runs: the rest is other people's noise."""
    found = []
    for _ in range(repeats):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)
