import os
import signal

import pytest

from rosenblatt.system.processes import forkable, start_context
from rosenblatt.system.worker_pool import Death, Message, WorkerPool


def square(task, send):
    """Send the square of each number; a negative one kills the worker."""
    for number in task:
        if number < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        send(number**2)


@pytest.fixture
def pool():
    found = WorkerPool(square, 2, start_context())
    yield found
    found.close()


def events(pool, count):
    """Return so many events, in the order in which they come."""
    found = []
    while len(found) < count:
        found += pool.events(10.0)
    return found


def test_messages_name_their_task(pool):
    for task in ([1, 2], [3]):
        pool.submit(task)
    found = events(pool, 3)
    assert sorted(found) == [
        Message([1, 2], 1),
        Message([1, 2], 4),
        Message([3], 9),
    ]


def test_tasks_go_to_the_worker_with_the_fewest(pool):
    assert pool.capacity(2) == 4
    pool.submit([1])
    assert pool.capacity(1) == 1
    pool.submit([1])
    assert pool.capacity(1) == 0


def test_a_worker_that_dies_is_replaced_and_its_tasks_are_reported(pool):
    before = set(pool.pids())
    pool.submit([2, -1, 3])
    first, second = events(pool, 2)
    assert first == Message([2, -1, 3], 4)
    assert isinstance(second, Death)
    assert second.tasks == [[2, -1, 3]]
    assert second.started
    assert second.reason == "was killed by signal 9 (SIGKILL)"
    assert pool.size == 2
    assert len(before & set(pool.pids())) == 1
    pool.submit([5])
    assert events(pool, 1) == [Message([5], 25)]


@pytest.mark.skipif(not forkable(), reason="needs processes that begin at once")
def leave(*_):
    os._exit(3)


def test_workers_that_never_begin_are_an_error(monkeypatch):
    monkeypatch.setattr("rosenblatt.system.worker_pool._serve", leave)
    broken = WorkerPool(square, 1, start_context())
    with pytest.raises(ChildProcessError, match="the last one ended with code 3"):
        events(broken, 9)
    broken.close()


def test_a_closed_pool_leaves_no_process(pool):
    pids = pool.pids()
    pool.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
