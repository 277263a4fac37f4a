"""In processes of their own, since this one may have loaded JAX by now."""

import subprocess
import sys
import threading
from collections import deque

import pytest

from rosenblatt.system.task_groups import Kind, _take, events


def python(body):
    """Run a script and return what it prints."""
    script = (
        "import os, signal, time\n"
        "from rosenblatt.system.task_groups import Kind, events\n"
        "def told(groups, workers):\n"
        "    return [\n"
        "        (e.kind.name, e.group, e.index, e.result)\n"
        "        for e in events(groups, workers) if e.kind is not Kind.TICK\n"
        "    ]\n"
        f"{body}"
    )
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", [1, 2, None])
def test_every_task_begins_and_is_done_once(workers):
    said = python(
        "groups = [[lambda k=k: k**2 for k in range(g)] for g in range(5)]\n"
        f"done = told(groups, {workers})\n"
        "print(sorted(e[1:] for e in done if e[0] == 'DONE') == [\n"
        "    (g, k, k**2) for g in range(5) for k in range(g)\n"
        "], sum(e[0] == 'BEGUN' for e in done))\n"
    )
    assert said == "True 10\n"


def test_results_come_as_they_are_done_from_other_processes():
    said = python(
        "def slow():\n    time.sleep(0.5)\n    return 0\n"
        "done = [e[3] for e in told([[slow], [os.getpid]], 2) if e[0] == 'DONE']\n"
        "print(done[0] not in (0, os.getpid()), done[1])"
    )
    assert said == "True 0\n"


def test_a_group_stays_in_one_process():
    said = python(
        "groups = [[os.getpid] * 3, [os.getpid] * 3]\n"
        "done = {}\n"
        "for e in told(groups, 2):\n"
        "    if e[0] == 'DONE': done.setdefault(e[1], set()).add(e[3])\n"
        "print([len(pids) for pids in done.values()])"
    )
    assert said == "[1, 1]\n"


@pytest.mark.parametrize(
    ("death", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by signal 9 (SIGKILL)"),
        ("os._exit(3)", "ended with code 3"),
    ],
)
def test_a_process_that_dies_takes_one_task_with_it(death, words):
    said = python(
        f"def dies():\n    {death}\n"
        "groups = [[lambda: 'a', dies, lambda: 'b', dies], [lambda: 'c']]\n"
        "for e in sorted(e for e in told(groups, 2) if e[0] != 'BEGUN'): print(*e)\n"
    )
    assert said.splitlines() == [
        f"DIED 0 1 the process that computed it {words}",
        f"DIED 0 3 the process that computed it {words}",
        "DONE 0 0 a",
        "DONE 0 2 b",
        "DONE 1 0 c",
    ]


def test_who_stops_listening_leaves_no_process_behind():
    said = python(
        "import multiprocessing\n"
        "def slow():\n    time.sleep(60)\n"
        "for event in events([[slow], [slow]], 2): break\n"
        "del event\n"
        "import gc; gc.collect()\n"
        "print(multiprocessing.active_children())"
    )
    assert said == "[]\n"


def test_time_that_passes_is_told():
    said = python(
        "def slow():\n    time.sleep(0.7)\n"
        "print(sum(e.kind is Kind.TICK for e in events([[slow], [slow]], 2)) > 1)"
    )
    assert said == "True\n"


def test_next_to_other_threads_nothing_is_forked():
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        names = [
            event.result
            for event in events([[threading.get_ident], [threading.get_ident]], 2)
            if event.kind is Kind.DONE
        ]
        assert names == [threading.get_ident()] * 2
    finally:
        done.set()
        other.join()


def test_nothing_to_do_is_done():
    assert list(events([])) == []
    assert list(events([[], []])) == []


def test_a_process_goes_on_with_its_family_then_begins_one_then_helps():
    waiting, begun = deque((group, 0) for group in range(5)), set()
    taken = []
    for previous in (None, None, (2, 0), (0, 0), (1, 0)):
        taken.append(_take(waiting, "aabbc", begun, previous)[0])
    assert taken == [0, 2, 3, 1, 4]
    waiting = deque([(1, 0), (3, 0)])
    assert _take(waiting, "aabbc", {"a", "b", "c"}, (4, 0)) == (1, 0)
