"""Faults of Dask: its workers and its scheduler die, or have another version.

All processes are here and talk over the loopback device only.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from benchmarks.fault_trial import ROOT, Trial, environment, wait
from benchmarks.faults import coordinator_killed

HOST = "127.0.0.1"


class Here:
    """A scheduler and workers, each a process."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    @property
    def address(self) -> str:
        """Return where the scheduler is."""
        return f"tcp://{HOST}:{self.port}"

    def _start(
        self, *arguments: str, package: Path | None = None
    ) -> subprocess.Popen[bytes]:
        places = environment()
        if package is not None:
            places["PYTHONPATH"] = os.pathsep.join([str(package), str(ROOT)])
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            env=places, cwd=ROOT, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def start_scheduler(self) -> None:
        """Start a scheduler, at the address of the last one."""
        here = ["--host", HOST, "--port", str(self.port)]
        self.scheduler = self._start("scheduler", *here)
        wait(self._listening)

    def _listening(self) -> bool:
        with suppress(OSError), socket.create_connection((HOST, self.port), 1):
            return True
        return False

    def start_worker(self, package: Path | None = None) -> None:
        """Start a worker."""
        one = ["--nthreads", "1", "--no-nanny", "--host", HOST, "--death-timeout", "20"]
        self.workers.append(self._start("worker", self.address, *one, package=package))

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def dask_workers_killed(trial: Trial, rounds: int) -> None:
    """Kill workers of Dask with -9, and start others."""
    dice = random.Random(0)
    with Here() as here:
        here.start_worker()
        here.start_worker()
        process = trial.start(here.address)
        for _ in range(rounds):
            before = len(trial.records())
            wait(lambda before=before: len(trial.records()) > before)
            dying = here.workers.pop(dice.randrange(len(here.workers)))
            dying.send_signal(signal.SIGKILL)
            dying.wait()
            trial.injected += 1
            here.start_worker()
        trial.end(process)
    trial.check()
    trial.survived = trial.injected


def dask_scheduler_restarted(trial: Trial, rounds: int) -> None:
    """Kill the scheduler with -9, with all it knows, and start another one."""
    with Here() as here:
        here.start_worker()
        process = trial.start(here.address)
        for number in range(rounds):
            trial.wait_for((number + 1) * trial.items // (rounds + 2))
            here.scheduler.kill()
            here.scheduler.wait()
            trial.injected += 1
            here.start_scheduler()
            here.start_worker()
        said = trial.end(process)
    assert "lost" in said, said
    trial.check()
    trial.survived = trial.injected


def other_version(folder: Path) -> Path:
    """Return a place with this package, changed."""
    shutil.copytree(
        ROOT / "src" / "rosenblatt", folder / "other" / "rosenblatt",
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    with open(folder / "other" / "rosenblatt" / "core" / "vocabulary.py", "a") as file:
        file.write("# another version\n")
    return folder / "other"


def dask_other_version(trial: Trial, rounds: int) -> None:
    """Let workers with another version of the package take part."""
    other = other_version(trial.folder)
    with Here() as here:
        for _ in range(rounds):
            here.start_worker(other)
        process = trial.start(here.address)
        wait(lambda: process.poll() is not None)  # nobody else is there: it gives up
        _, said = process.communicate()
        assert process.returncode != 0
        assert f"all {rounds} workers" in said or "another version" in said, said
        assert not trial.records()
        here.start_worker()
        said = trial.end(trial.start(here.address))
    trial.messages += said.splitlines()
    trial.injected = rounds
    trial.check()
    assert len(trial.lines()) == trial.items  # nothing was computed by the others
    trial.survived = rounds


def dask_coordinator_killed(trial: Trial, rounds: int) -> None:
    """Kill the process that hands out work to Dask, with -9."""
    with Here() as here:
        here.start_worker()
        coordinator_killed(trial, rounds, here.address)


DASK = {
    "Dask: worker killed with -9": dask_workers_killed,
    "Dask: scheduler killed with -9": dask_scheduler_restarted,
    "Dask: worker of another version": dask_other_version,
    "Dask: coordinator killed with -9": dask_coordinator_killed,
}
