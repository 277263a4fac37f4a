"""Faults are injected into sweeps; what is lost, doubled or computed twice is counted.

``python -m benchmarks.fault_table`` prints how many faults of each kind were
injected and survived. The tests run the same scenarios with fewer faults.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import rosenblatt as rb
from benchmarks.fault_task import root
from rosenblatt.sweeps.segments import Segments

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
        return Counter(kept.key for kept in Segments(self.store / "records").news())

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
    places = [str(ROOT / "src"), str(ROOT)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(places)}


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


def workers_killed(trial: Trial, rounds: int) -> None:
    """Kill processes that compute, with -9, again and again."""
    dice, process = random.Random(0), trial.start()
    trial.wait_for(1)
    for _ in range(rounds):
        before = len(trial.records())
        pids = children(process.pid)
        if not pids or before >= trial.items - 4:
            break
        os.kill(dice.choice(pids), signal.SIGKILL)
        trial.injected += 1
        wait(lambda before=before: len(trial.records()) > before)
    said = trial.end(process)
    assert said.count("signal 9 (SIGKILL)") >= 1, said
    trial.check()
    trial.survived = trial.injected


def coordinator_killed(trial: Trial, rounds: int, *options: str) -> None:
    """Kill the process that hands out work, with -9, and start it again."""
    before: list[tuple[set[int], int]] = []
    for number in range(1, rounds + 1):
        process = trial.start(*options)
        trial.wait_for(number * trial.items // (rounds + 1))
        helpers = children(process.pid)
        process.kill()
        process.communicate()
        trial.injected += 1
        wait(lambda helpers=helpers: not any(map(alive, helpers)), 10)
        before.append((trial.kept(), len(trial.lines())))
    trial.finish(*options)
    trial.check()
    for kept, computed in before:
        assert not kept & set(trial.lines()[computed:]), "computed twice"
    trial.survived = trial.injected


def alive(process: int) -> bool:
    """Return whether a process is there and no zombie."""
    with suppress(OSError):
        return (
            Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        )
    return False


def damaged(data: bytes, how: int, dice: random.Random) -> bytes:
    """Return the bytes of a file after an accident."""
    at = dice.randrange(len(data))
    if how == 0:
        return data[:at]
    if how == 1:
        return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
    return data + dice.randbytes(1 + at % 200)


def torn_writes(trial: Trial, rounds: int) -> None:
    """Cut off, change and lengthen files of results, as a dying machine may."""
    dice, trial.pause = random.Random(1), 0.0
    trial.here()
    for number in range(rounds):
        files = sorted((trial.store / "records").iterdir())
        file = dice.choice([f for f in files if f.stat().st_size])
        file.write_bytes(damaged(file.read_bytes(), number % 3, dice))
        trial.injected += 1
        kept, computed = trial.kept(), len(trial.lines())
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            trial.here()
        told = ["the store has a" in str(w.message) for w in said]
        again = trial.lines()[computed:]
        # A cut between two records leaves no trace but what is missing; bytes that
        # were damaged already are not told again.
        assert told or number % 3 == 0 or not again, "not told"
        assert all(told)
        assert sorted(again) == sorted(set(range(trial.items)) - kept)
        trial.check()
        trial.survived += 1


def clock_jumps(trial: Trial, rounds: int) -> None:
    """Let the clock and the dates of files jump while a sweep runs."""
    dice = random.Random(2)
    process = trial.start("clock")
    for _ in range(rounds):
        before = len(trial.records())
        for file in trial.store.rglob("*"):
            date = dice.uniform(0, 4e9)
            os.utime(file, (date, date))
        trial.injected += 1
        if process.poll() is None and before < trial.items:
            wait(lambda before=before: len(trial.records()) > before)
    trial.end(process)
    trial.finish("clock")  # finds everything
    trial.check()
    assert len(trial.lines()) == trial.items
    trial.survived = trial.injected


def two_at_once(trial: Trial, rounds: int) -> None:
    """Let two sweeps share a store, and kill one of them with -9."""
    trial.items = ITEMS * (1 + rounds // 3)
    both = [trial.start(), trial.start()]
    for number in range(rounds):
        before = len(trial.records())
        wait(lambda before=before: len(trial.records()) >= before + 8)
        dying = number % 2
        both[dying].kill()
        both[dying].communicate()
        trial.injected += 1
        both[dying] = trial.start()
    for process in both:
        trial.end(process)
    trial.check()
    # only what a killed one had in hand, at most what it was given at a time
    twice = len(trial.lines()) - trial.items
    assert twice <= 40 * rounds, f"{twice} computed twice"
    trial.survived = trial.injected


FULL = """
import subprocess, sys
from pathlib import Path
from benchmarks.faults import Trial
folder = Path(sys.argv[1])
trial = Trial(folder, 200, 0.0)
trial.store.mkdir()
def mount(*options):
    subprocess.run(["mount", *options, str(trial.store)], check=True)
def attempt():
    try:
        trial.here()
        print("complete")
    except OSError as failure:
        print(failure)
mount("-t", "tmpfs", "-o", "size=48k", "tmpfs")
attempt()
mount("-o", "remount,size=4m,ro")
attempt()
mount("-o", "remount,rw")
attempt()
trial.check()
assert len(trial.lines()) - trial.items < 10, "computed twice"
"""


def mounts_work() -> bool:
    """Return whether file systems can be mounted here, in a view of our own."""
    done = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True,
    )
    return done.returncode == 0


def disk_full(trial: Trial, rounds: int) -> None:
    """Fill a small disk (a tmpfs), then make it read-only, then give it room."""
    for number in range(rounds):
        folder = trial.folder / str(number)
        folder.mkdir()
        done = subprocess.run(
            ["unshare", "--mount", sys.executable, "-c", FULL, str(folder)],
            cwd=ROOT, env=environment(), capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        first, second, third = done.stdout.splitlines()
        trial.injected += 2
        assert "the disk is full" in first, first
        assert "experiments are kept" in first, first
        assert "read-only" in second, second
        assert third == "complete", third
        trial.messages += [first, second]
        trial.survived += 2


def read_only_meanwhile(trial: Trial, rounds: int) -> None:
    """Let writing fail in the middle of a sweep, as on a disk that was remounted."""
    for _ in range(rounds):
        process = trial.start("read-only")
        said = trial.end(process, code=1)
        trial.injected += 1
        assert "read-only" in said
        assert "run the same again to go on" in said
    trial.finish()
    trial.check()
    trial.survived = trial.injected


LOCAL: dict[str, Callable[[Trial, int], None]] = {
    "worker killed with -9": workers_killed,
    "coordinator killed with -9": coordinator_killed,
    "one of two sweeps killed with -9": two_at_once,
    "records cut, changed, lengthened": torn_writes,
    "clock jumps": clock_jumps,
    "store read-only meanwhile": read_only_meanwhile,
    "disk full, then read-only": disk_full,
}
