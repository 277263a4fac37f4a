import os
import signal

import pytest

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.compute import Lost
from rosenblatt.sweeps.workers.processes import ProcessWorkers


def test_functions_that_other_processes_cannot_have_are_refused(monkeypatch):
    plan = Plan(lambda x: x, {"x": 1}, {})
    monkeypatch.setattr("threading.active_count", lambda: 2)
    with pytest.raises(TypeError, match="must be importable by other processes"):
        ProcessWorkers(plan, 1)


def root(x):
    return x**0.5


def test_batches_are_shared_and_all_items_come_back():
    workers = ProcessWorkers(Plan(root, {}, {"x": range(20)}), 2)
    try:
        assert workers.size == 2
        assert workers.capacity() == 4
        workers.submit(list(range(10)))
        workers.submit(list(range(10, 20)))
        assert workers.capacity() == 2
        items = []
        while len(items) < 20:
            items += [done.item for done in workers.events(10.0)]
        assert sorted(items) == list(range(20))
    finally:
        workers.close()


def test_items_of_a_killed_process_are_lost_and_the_first_is_suspect():
    workers = ProcessWorkers(Plan(killing, {}, {"x": range(3)}), 1)
    try:
        workers.submit([0, 1, 2])
        events = []
        while not any(isinstance(event, Lost) for event in events):
            events += workers.events(10.0)
        lost = events[-1]
        done = [event.item for event in events[:-1]]
        assert done + lost.items == [0, 1, 2]
        assert lost.suspects == lost.items[:1]
        assert "killed by signal 9" in lost.reason
    finally:
        workers.close()


def killing(x):
    if x == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x)
