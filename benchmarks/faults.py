"""Faults in sweeps: count results that are lost, doubled or computed twice.

``python -m benchmarks.fault_table`` prints how many faults of each kind were
injected and survived. The tests run the same scenarios with fewer faults.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable

from benchmarks.disk_faults import disk_full, read_only_meanwhile, torn_writes
from benchmarks.fault_trial import ITEMS, Trial, alive, children, wait


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


LOCAL: dict[str, Callable[[Trial, int], None]] = {
    "worker killed with -9": workers_killed,
    "coordinator killed with -9": coordinator_killed,
    "one of two sweeps killed with -9": two_at_once,
    "records cut, changed, lengthened": torn_writes,
    "clock jumps": clock_jumps,
    "store read-only meanwhile": read_only_meanwhile,
    "disk full, then read-only": disk_full,
}
