"""Rows of the table: the work, the measured figure and its goal."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure beside its goal, if it has one."""

    work: str
    measured: str
    goal: str = ""
    met: bool = True

    @property
    def answer(self) -> str:
        """The answer to whether the goal is met, for a table."""
        return ("yes" if self.met else "NO") if self.goal else ""


def seconds(
    work: Callable[[], object],
    repeats: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the shortest time of a few runs; other processes disturb the rest."""
    found = []
    for _ in range(repeats):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)
