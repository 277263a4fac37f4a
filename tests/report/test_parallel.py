import os
import time

import pytest

from rosenblatt.report.parallel import results


@pytest.mark.parametrize("workers", [1, 2, None])
def test_every_task_is_done_once(workers):
    found = list(results([lambda k=k: k**2 for k in range(7)], workers))
    assert sorted(found) == [(k, k**2) for k in range(7)]


def test_results_come_as_they_are_done():
    def slow():
        time.sleep(0.5)
        return "slow"

    assert [text for _, text in results([slow, lambda: "fast"], 2)] == ["fast", "slow"]


def test_tasks_run_in_processes_of_their_own():
    assert os.getpid() not in dict(results([os.getpid, os.getpid], 2)).values()


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_in_a_task_is_raised(workers):
    def bad():
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        list(results([bad, lambda: 1], workers))


def test_a_process_that_dies_is_an_error_and_nothing_hangs():
    with pytest.raises(RuntimeError, match="terminated abruptly"):
        list(results([lambda: os._exit(1), lambda: 1], 2))


def test_nothing_to_do_is_done():
    assert list(results([])) == []
