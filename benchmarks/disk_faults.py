"""Faults of the disk: files are damaged, or nothing can be written any more."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings

from benchmarks.fault_trial import PATIENCE, ROOT, Trial, environment


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


FULL = """
import subprocess, sys
from pathlib import Path
from benchmarks.fault_trial import Trial
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
        assert "experiments are stored" in first, first
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
