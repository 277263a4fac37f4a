"""Tasks in other processes, in order of completion."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rosenblatt.system.parallel import Died, Here, Processes, completed


@pytest.fixture(scope="module")
def pool():
    started = Processes(2)
    yield started
    started.close()


def fail(what):
    raise ValueError(what)


def test_results_come_as_soon_as_they_are_there(pool):
    here = os.getpid()
    tasks = [
        ("slow", lambda: time.sleep(1)),
        ("quick", lambda x: os.getpid() - x, here),
    ]
    found = list(completed(tasks, pool))
    assert [name for name, _ in found] == ["quick", "slow"]
    assert found[0][1] != 0


def test_alone_a_process_that_dies_loses_only_its_task(pool):
    tasks = [("kill", lambda: os.kill(os.getpid(), signal.SIGKILL)), ("b", int, "3")]
    found = dict(completed(tasks, pool, alone=True))
    assert found["b"] == 3
    assert found["kill"] == Died("the process that computed it ended (SIGKILL(-9))")


@pytest.mark.parametrize("where", ["here", "there"])
def test_an_error_of_a_task_is_raised(where, pool):
    with pytest.raises(ValueError, match="too bad"):
        list(completed([("a", fail, "too bad")], Here() if where == "here" else pool))


def test_tasks_must_be_picklable(pool):
    lock = threading.Lock()
    with pytest.raises(TypeError, match="must be picklable"):
        list(completed([("a", lambda: lock)], pool))


ORPHANS = """
import os, time
from rosenblatt.system.parallel import Processes
print(Processes(1).submit(os.getpid).result(), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_end_when_their_parent_is_killed():
    command = [sys.executable, "-c", ORPHANS]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        place = Path(f"/proc/{int(parent.stdout.readline())}")
        assert place.exists()
        parent.kill()
    until = time.monotonic() + 30
    while place.exists() and "Z" not in place.joinpath("stat").read_text().split():
        assert time.monotonic() < until
        time.sleep(0.05)
