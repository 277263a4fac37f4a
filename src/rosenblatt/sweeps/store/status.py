"""Progress of a sweep, without its results."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from rosenblatt.sweeps.store.manifest import Manifest
from rosenblatt.sweeps.store.segments import Segments

__all__ = ["Status", "status"]


class Status(NamedTuple):
    """Numbers of stored and of all experiments."""

    done: int
    total: int
    damaged: int  # pieces of files that are no results, or none yet

    def __str__(self) -> str:
        text = f"{self.done} of {self.total} experiments are there"
        if self.damaged:
            text += f", {self.damaged} damaged or unfinished pieces"
        return text


def status(folder: Path, manifest: Manifest) -> Status:
    """Count the results of a sweep in a store, without writing anything."""
    there = np.zeros(manifest.keys.count, dtype=bool)
    segments = Segments(folder / "records")
    for one in segments.new_records():
        there[manifest.keys.items(one.key)] = True
    damaged = len(segments.damaged) + len(segments.incomplete)
    return Status(int(np.count_nonzero(there)), there.size, damaged)
