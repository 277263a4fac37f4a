"""Cases in child processes, which may die, hang or take too much memory.

The parent has loaded and compiled everything. Each child is a fork of it, so that a
case costs a few milliseconds and cannot harm the next one.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import os
import resource
import select
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from threadpoolctl import threadpool_limits

from tests.fuzz.cases import ACCEPTED, FAULT, Case, Format, Outcome, judged

__all__ = ["limits", "new_random", "run_child", "shared_memory", "write_files"]

_SECONDS = 10  # of processor time, so that other work on the machine does not count
_PATIENCE = 60.0  # seconds on the clock, after which a child that waits is killed
_MEMORY = 2 << 30  # bytes that a case may take
_NAMES = {
    signal.SIGXCPU: f"hang: more than {_SECONDS} s of processor time",
    signal.SIGKILL: f"hang: more than {_PATIENCE:g} s",
}


def new_random(name: str, seed: int, number: int) -> Random:
    """Return the generator of a case, the same on every machine."""
    return Random(f"{name}/{seed}/{number}")


def write_files(case: Case, folder: Path) -> None:
    """Write the files of a case."""
    for name, content in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@contextlib.contextmanager
def limits() -> Iterator[None]:
    """Prepare the parent: no warnings, and one thread."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def shared_memory() -> Iterator[None]:
    """Prepare the parent: a collection in a child copies none of its memory."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _resident() -> int:
    """Return the bytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _data() -> int:
    """Return the bytes of this process that RLIMIT_DATA counts."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    raise OSError("the kernel does not say how much memory is in use")


def _limited() -> None:
    """Limit this process: allocations fail beyond the memory, signals end a hang."""
    most = _data() + _MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    seconds = int(used) + _SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # die with the parent


def _child(
    form: Format,
    golden: Any,
    random: Random,
    given: Case | None,
    folder: Path,
    out: int,
) -> None:
    """Run one case and write its outcome; never return."""
    try:
        os.chdir(folder)
        for number, name in ((1, "stdout.txt"), (2, "stderr.txt")):
            file = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            os.dup2(file, number)
        sys.stdout, sys.stderr = (os.fdopen(n, "w", closefd=False) for n in (1, 2))
        faulthandler.disable()  # pytest has these three in its own hands
        sys.unraisablehook = sys.__unraisablehook__
        threading.excepthook = threading.__excepthook__
        _limited()

        def stage(text: str) -> None:
            os.write(out, f"{text}\n".encode())

        stage("mutate")
        case = form.mutate(golden, random) if given is None else given
        Path("case.txt").write_text(f"{case.said}\n")
        inputs = folder / "input"
        inputs.mkdir()
        write_files(case, inputs)
        stage("run")
        try:
            form.run(case, inputs, stage)
            outcome = Outcome(ACCEPTED)
        except Exception as failure:
            outcome = judged(failure)
        sys.stdout.flush()
        os.write(out, f"\0{outcome.kind}\n{outcome.detail}".encode(errors="replace"))
    except BaseException as failure:
        os.write(out, f"\0{FAULT}\n{type(failure).__name__}: {failure}".encode())
    finally:
        os._exit(0)


def run_child(
    form: Format,
    golden: Any,
    random: Random,
    folder: Path,
    given: Case | None = None,
) -> Outcome:
    """Run one case in a child and return its outcome.

    The folder is emptied first. Afterwards it has the description of the case in
    ``case.txt``, its files in ``input``, and what it has printed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    before = _resident()
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(form, golden, random, given, folder, writing)
    os.close(writing)
    said = _read(reading, child)
    _, status, usage = os.wait4(child, 0)
    stages, ended, result = said.partition("\0")
    stage = (stages.splitlines() or [""])[-1]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        why = _NAMES.get(number, signal.Signals(number).name)
        return Outcome(FAULT, f"{why} in {stage}")
    if not ended:
        return Outcome(FAULT, f"exit with {os.WEXITSTATUS(status)} in {stage}")
    grown = (usage.ru_maxrss << 10) - before
    if grown > _MEMORY:
        return Outcome(FAULT, f"{grown / 2**30:.1f} GiB of memory in {stage}")
    return Outcome(*result.split("\n", 1))


def _read(pipe: int, child: int) -> str:
    """Return all that the child says, which is killed if it takes too long."""
    end = time.monotonic() + _PATIENCE
    pieces = []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            end = time.monotonic() + _PATIENCE
            continue
        piece = os.read(pipe, 1 << 16)
        if not piece:
            os.close(pipe)
            return b"".join(pieces).decode(errors="replace")
        pieces.append(piece)
