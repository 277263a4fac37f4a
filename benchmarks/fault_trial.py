"""One trial of a sweep with faults: its store, its log, and the injected faults."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import rosenblatt as rb
from benchmarks.fault_task import root
from rosenblatt.sweeps.store.segments import Segments

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0  # seconds for a process to do what it should
ITEMS, PAUSE = 60, 0.02  # of a sweep, and seconds that one takes


@dataclass
class Trial:
    """One store, the log of what was computed for it, and what was injected."""

    folder: Path
    items: int = ITEMS
    pause: float = PAUSE
    injected: int = 0
    survived: int = 0
    messages: list[str] = field(default_factory=list)

    @property
    def store(self) -> Path:
        """Return the folder of results."""
        return self.folder / "store"

    @property
    def log(self) -> Path:
        """Return the file to which experiments write."""
        return self.folder / "log"

    def command(self, *options: str) -> list[str]:
        """Return what runs the sweep in a process of its own."""
        module = ["-W", "always", "-m", "benchmarks.fault_task"]
        numbers = [str(self.items), str(self.pause)]
        return [
            sys.executable,
            *module,
            str(self.store),
            str(self.log),
            *numbers,
            *options,
        ]

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Run the sweep."""
        return subprocess.Popen(
            self.command(*options), cwd=ROOT, env=environment(),
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def here(self) -> None:
        """Run the sweep to its end in this process."""
        given = {"log": str(self.log), "pause": self.pause}
        axes = {"x": range(self.items)}
        rb.sweep(root, given, axes=axes, store=self.store, cores=0)

    def finish(self, *options: str) -> None:
        """Run the sweep to its end."""
        self.end(self.start(*options))

    def end(self, process: subprocess.Popen[str], code: int = 0) -> str:
        """Wait for the end of a process, which must be the one expected."""
        _, said = process.communicate(timeout=PATIENCE)
        self.messages += said.splitlines()
        if process.returncode != code:
            raise AssertionError(f"ended with {process.returncode}: {said}")
        return said

    def records(self) -> Counter[bytes]:
        """Return how often each item is in the store."""
        return Counter(
            kept.key for kept in Segments(self.store / "records").new_records()
        )

    def kept(self) -> set[int]:
        """Return the items that are in the store."""
        if not (self.store / "sweeps" / "last").exists():
            return set()
        found = rb.open_sweep(self.store)
        if "root" not in found:
            return set()
        return set(found.x.values[found.root.notnull().values].tolist())

    def lines(self) -> list[int]:
        """Return the items that were computed, in order."""
        return (
            [int(x) for x in self.log.read_text().split()] if self.log.exists() else []
        )

    def wait_for(self, count: int) -> None:
        """Wait until so many results are kept."""
        wait(lambda: len(self.records()) >= count)

    def check(self, doubled: int = 0) -> None:
        """Check that all is there, once, and right."""
        found = rb.open_sweep(self.store)
        assert found.attrs["done"] == self.items, "results are lost"
        assert np.array_equal(found.root, np.arange(self.items) ** 0.5)
        assert sum(self.records().values()) == self.items + doubled, "doubled results"


def environment() -> dict[str, str]:
    """Return an environment in which this repository is found."""
    folders = [str(ROOT / "src"), str(ROOT)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(folders)}


def wait(done: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something has happened."""
    until = time.monotonic() + seconds
    while not done():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.01)


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    with suppress(FileNotFoundError):
        path = Path(f"/proc/{process}/task/{process}/children")
        return [int(number) for number in path.read_text().split()]
    return []


def alive(process: int) -> bool:
    """Return whether a process is there and no zombie."""
    with suppress(OSError):
        return (
            Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        )
    return False
