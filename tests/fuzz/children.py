"""Cases in child processes, which may die, hang or take too much memory.

The parent has loaded and compiled everything. A child is a fork of it that runs cases
one after the other, until one of them ends in a fault. Each case has the processor time
and the memory of its own.
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
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from threadpoolctl import threadpool_limits

from tests.fuzz.cases import ACCEPTED, FAULT, Case, Format, Outcome, Stage, judged

__all__ = ["limits", "new_random", "run_cases", "share_memory", "write_files"]

_SECONDS = 10  # of processor time, so that other work on the machine does not count
_PATIENCE = 60.0  # seconds on the clock, after which a child that waits is killed
_SHARE = 0.1  # of this time that a child may have to wait for a processor
_MEMORY = 2 << 30  # bytes that a case may take
_STACKS = "stacks.txt"  # of the threads of a child that waits
_WRITING = 0.5  # seconds that a child has to write them
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


def share_memory() -> None:
    """Prepare the parent: a collection in a child copies none of its memory.

    It stays so. To look at all modules and tests once more takes a second each time.
    """
    gc.collect()
    gc.freeze()


def _bytes(name: str) -> int:
    """Return an entry of the status of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) << 10
    raise OSError(f"the kernel does not say {name}")


def _limited() -> int:
    """Limit the next case: allocations fail beyond the memory, a signal ends a hang.

    Returns the bytes in memory, from which the peak is counted.
    """
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_DATA, (_bytes("VmData") + _MEMORY, most))
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + _SECONDS, most))
    Path("/proc/self/clear_refs").write_text("5")  # the peak is that of now
    return _bytes("VmHWM")


def _begin_child(parent: int, folder: Path) -> None:
    """Undo what pytest has set, and let the child die with its parent.

    A signal makes the child write the stacks of its threads, before it is killed.
    """
    faulthandler.disable()
    stacks = open(folder.with_name(_STACKS), "w")  # noqa: SIM115
    faulthandler.register(signal.SIGUSR1, stacks)
    sys.unraisablehook = sys.__unraisablehook__
    threading.excepthook = threading.__excepthook__
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _begin_case(folder: Path) -> None:
    """Enter an empty folder, and print to files in it."""
    os.chdir(folder.parent)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.chdir(folder)
    sys.stdout.flush()
    sys.stderr.flush()
    for number, name in ((1, "stdout.txt"), (2, "stderr.txt")):
        file = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", closefd=False) for n in (1, 2))


def _run_case(
    form: Format, golden: Any, random: Random, given: Case | None, stage: Stage
) -> Outcome:
    """Run one case in the current folder."""
    stage("mutate")
    case = form.mutate(golden, random) if given is None else given
    Path("case.txt").write_text(f"{case.said}\n")
    inputs = Path.cwd() / "input"
    inputs.mkdir()
    write_files(case, inputs)
    stage("run")
    try:
        form.run(case, inputs, stage)
        return Outcome(ACCEPTED)
    except Exception as failure:
        return judged(failure)


def _child(
    form: Format,
    golden: Any,
    randoms: Iterable[Random],
    given: Case | None,
    folder: Path,
    out: int,
) -> None:
    """Run cases up to the first fault, and write all outcomes; never return."""

    def stage(text: str) -> None:
        clean = text.replace("\0", " ").replace("\n", " ")
        os.write(out, f"{clean}\0".encode(errors="replace"))

    try:
        for random in randoms:
            _begin_case(folder)
            before = _limited()
            outcome = _run_case(form, golden, random, given, stage)
            grown = _bytes("VmHWM") - before
            if grown > _MEMORY:
                outcome = Outcome(FAULT, f"{grown / 2**30:.1f} GiB of memory")
            detail = outcome.detail.replace("\0", " ")
            text = f"{outcome.kind}\n{detail}\0"
            os.write(out, text.encode(errors="replace"))
            if outcome.kind == FAULT:
                break
    except BaseException as failure:
        text = f"{FAULT}\n{type(failure).__name__}: {failure}\0"
        os.write(out, text.encode(errors="replace"))
    finally:
        os._exit(0)


def run_cases(
    form: Format,
    golden: Any,
    randoms: Iterable[Random],
    folder: Path,
    given: Case | None = None,
) -> Iterator[Outcome]:
    """Run cases in one child, one after the other, up to the first fault.

    The folder is emptied before each case. Afterwards it has the description of the
    last case in ``case.txt``, its files in ``input``, and what it has printed.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _begin_child(parent, folder)
        _child(form, golden, randoms, given, folder, writing)
    os.close(writing)
    stage, status = "", None
    try:
        for message in _messages(reading, child):
            kind, ended, detail = message.partition("\n")
            if not ended:
                stage = message
                continue
            yield Outcome(kind, detail)
            stage = ""
            if kind == FAULT:
                return
        status = os.waitpid(child, 0)[1]
    finally:
        os.close(reading)
        if status is None:  # not waited for yet
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        why = _NAMES.get(number, signal.Signals(number).name)
        if number == signal.SIGKILL:
            shutil.copy(folder.with_name(_STACKS), folder)
        yield Outcome(FAULT, f"{why} in {stage}")
    elif stage:
        yield Outcome(FAULT, f"exit with {os.WEXITSTATUS(status)} in {stage}")


def _starved(child: int) -> float:
    """Return the seconds for which a child was ready to run, and others ran instead.

    It is that of the thread that waited longest: one may compile for all.
    """
    found = [0]
    for path in Path(f"/proc/{child}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # of a thread that has just ended
            found.append(int(path.read_text().split()[1]))
    return max(found) / 1e9


def _messages(pipe: int, child: int) -> Iterator[str]:
    """Yield what the child says, which is killed if a case takes too long.

    Time does not count for which a busy machine lets the child wait.
    """
    end = time.monotonic() + _PATIENCE
    starved = 0.0
    rest = b""
    while True:
        left = max(0.0, end - time.monotonic())
        if not select.select([pipe], [], [], left)[0]:
            before, starved = starved, _starved(child)
            if starved - before > _SHARE * _PATIENCE:
                end = time.monotonic() + starved - before
                continue
            os.kill(child, signal.SIGUSR1)
            time.sleep(_WRITING)
            os.kill(child, signal.SIGKILL)
            end = time.monotonic() + _PATIENCE
            continue
        piece = os.read(pipe, 1 << 16)
        if not piece:
            return
        *whole, rest = (rest + piece).split(b"\0")
        for message in whole:
            if b"\n" in message:
                end, starved = time.monotonic() + _PATIENCE, _starved(child)
            yield message.decode(errors="replace")
