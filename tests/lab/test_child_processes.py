import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from rosenblatt.lab.jobs.process import Child


def alive(pid):
    """Return whether a process runs; one that has ended may still be listed."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def end_of(pids, seconds=30):
    """Wait until processes have ended; return those that have not."""
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [pid for pid in pids if alive(pid)]


ORPHANS = """
import multiprocessing, os, time
from rosenblatt.lab.jobs.process import Child

def wait_long(connection):
    connection.send(os.getpid())
    time.sleep(600)

if __name__ == "__main__":
    children = [Child(multiprocessing.get_context("{method}"), wait_long)
                for _ in range(2)]
    for child in children:
        child.start()
    print(*[child.connection.recv() for child in children], flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_children_end_when_their_parent_is_killed(method, tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(ORPHANS.format(method=method))
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE)
    with parent:
        children = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(children) == 2
        assert all(map(alive, children))
        parent.send_signal(signal.SIGKILL)
    assert end_of(children) == []


def echo(connection, factor):
    connection.send(factor * connection.recv())
    os._exit(connection.recv())


def test_a_child_answers_and_its_end_is_described():
    child = Child(multiprocessing.get_context("spawn"), echo, (3,))
    child.start()
    child.send(2)
    assert child.connection.recv() == 6
    child.send(5)
    with pytest.raises(EOFError):
        child.connection.recv()
    assert child.end() == "ended with code 5"


def test_a_child_that_is_stopped_leaves_nothing():
    child = Child(multiprocessing.get_context("spawn"), echo, (3,))
    child.stop()  # before it was started
    child = Child(multiprocessing.get_context("spawn"), echo, (3,))
    child.start()
    child.stop()
    assert child.process.exitcode == -signal.SIGTERM
