"""Groups of tasks in other processes; these are shared, since they start slowly."""

import os
import signal
import time

import pytest

from rosenblatt.report.running.groups import Event, Kind, events


def dies():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def told():
    """Return the events of three groups in two processes; the second has two deaths."""
    groups = [
        [os.getpid] * 3,
        [lambda: "a", dies, lambda: "b", lambda: os._exit(3)],
        [lambda: time.sleep(1), os.getpid],
        [],
    ]
    return list(events(groups, 2, ["one", "two", "one", "none"]))


def of(told, kind):
    return {(e.group, e.index): e.result for e in told if e.kind is kind}


def test_every_task_begins_once_and_is_done_or_dies(told):
    everything = {(g, i) for g, size in enumerate((3, 4, 2)) for i in range(size)}
    assert {*of(told, Kind.BEGUN)} == everything
    assert sum(e.kind is Kind.BEGUN for e in told) == len(everything)
    assert {*of(told, Kind.DONE)} | {*of(told, Kind.DIED)} == everything
    assert any(e.kind is Kind.TICK for e in told)


def test_a_group_stays_in_one_process_which_is_not_this_one(told):
    pids = {of(told, Kind.DONE)[0, index] for index in range(3)}
    assert len(pids) == 1
    assert os.getpid() not in pids


def test_a_process_that_dies_takes_one_task_with_it(told):
    said = of(told, Kind.DIED)
    assert {*said} == {(1, 1), (1, 3)}
    assert said[1, 1] == "the process that computed it ended (SIGKILL(-9))"
    assert "(EXIT(3))" in said[1, 3]
    assert of(told, Kind.DONE)[1, 2] == "b"


def test_a_process_goes_on_with_its_family(told):
    begun = [e.group for e in told if e.kind is Kind.BEGUN]
    assert begun[:2] == [0, 1]  # one of each family
    done = of(told, Kind.DONE)
    assert done[2, 1] == done[0, 0]


def test_one_worker_is_this_process():
    found = list(events([[os.getpid], [os.getpid]], 1))
    assert found[1] == Event(Kind.DONE, 0, 0, os.getpid())
    assert len(found) == 4


def test_nothing_to_do_is_done():
    assert list(events([])) == []
    assert list(events([[], []])) == []
