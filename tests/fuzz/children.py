"""Cases in child processes, which may die, hang or take too much memory.

The parent has loaded and compiled everything. A child is a fork of it that runs cases
one after the other, until one of them ends in a fault. Each case has the processor time
and the memory of its own.
"""

import ctypes
import faulthandler
import json
import os
import resource
import select
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from random import Random

from tests.fuzz.cases import ACCEPTED, FAULT, Outcome, judged

SECONDS = 10  # of processor time, so that other work on the machine does not count
PATIENCE = 120.0  # seconds on the clock, after which a child that waits is killed
_MEMORY = 2 << 30  # bytes that a case may take


def new_random(name, seed, number):
    """Return the generator of a case, the same on every machine."""
    return Random(f"{name}/{seed}/{number}")


def _limit():
    """Limit the next case: allocations fail beyond the memory, a signal ends a hang."""
    status = Path("/proc/self/status").read_text()
    data = int(status.partition("VmData:")[2].split()[0]) << 10
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_DATA, (data + _MEMORY, most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + SECONDS, most))


def _begin_child(parent):
    """Undo what pytest has set, and let the child die with its parent."""
    faulthandler.disable()
    sys.unraisablehook = sys.__unraisablehook__
    threading.excepthook = threading.__excepthook__
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _begin_case(folder):
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


def _child(form, golden, randoms, folder, out):
    """Run cases up to the first fault, and write all outcomes; never return."""

    def say(*message):
        os.write(out, f"{json.dumps(message)}\n".encode())

    try:
        for random in randoms:
            _begin_case(folder)
            _limit()
            say("mutate")
            case = form.mutate(golden, random)
            Path("case.txt").write_text(f"{case.said}\n")
            inputs = Path.cwd() / "input"
            inputs.mkdir()
            for name, content in case.files.items():
                (inputs / name).parent.mkdir(parents=True, exist_ok=True)
                (inputs / name).write_bytes(content)
            say("run")
            outcome = Outcome(ACCEPTED)
            try:
                form.run(case, inputs, say)
            except Exception as failure:
                outcome = judged(failure)
            say(*outcome)
            if outcome.kind == FAULT:
                break
    except BaseException as failure:
        say(FAULT, f"{type(failure).__name__}: {failure}")
    finally:
        os._exit(0)


def run_cases(form, golden, randoms, folder):
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
        _begin_child(parent)
        _child(form, golden, randoms, folder, writing)
    os.close(writing)
    stage = ""
    try:
        for message in _messages(reading, child):
            if len(message) == 1:
                stage = message[0]
                continue
            yield Outcome(*message)
            stage = ""
    finally:
        os.close(reading)
        status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        hang = "hang: " * (name in ("SIGXCPU", "SIGKILL"))
        yield Outcome(FAULT, f"{hang}{name} in {stage}")
    elif stage:
        yield Outcome(FAULT, f"exit with {os.WEXITSTATUS(status)} in {stage}")


def _messages(pipe, child):
    """Yield what the child says, which is killed if it says nothing for long."""
    rest, end = b"", time.monotonic() + PATIENCE
    while True:
        if not select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            os.kill(child, signal.SIGKILL)
            end = time.monotonic() + PATIENCE
            continue
        piece = os.read(pipe, 1 << 16)
        if not piece:
            return
        end = time.monotonic() + PATIENCE
        *whole, rest = (rest + piece).split(b"\n")
        yield from map(json.loads, whole)
