"""Scheduling of tests on several workers."""

from collections import OrderedDict

from tests.scheduling import FileScheduling


def test_a_test_that_crashes_its_worker_is_not_run_again():
    scheduling = FileScheduling.__new__(FileScheduling)
    own = {"tests/test_a.py": {"first": True, "second": False, "third": False}}
    scheduling.assigned_work = OrderedDict(worker=own)
    scheduling.workqueue = OrderedDict()
    assert scheduling.remove_node("worker") == "second"
    (left,) = scheduling.workqueue.values()
    assert left == {"first": True, "second": True, "third": False}
