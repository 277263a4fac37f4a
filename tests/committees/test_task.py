import numpy as np

import rosenblatt as rb
from rosenblatt.committees import Committee
from rosenblatt.committees.task import NetworkTask
from rosenblatt.rules import Erf
from rosenblatt.simulation.ensemble import Run


def test_a_task_has_the_numbers_of_its_committee():
    committee = Committee(Erf(), 2, [[4.0, 0.0], [0.0, 9.0]], (1.0, -1.0), noise=0.5)
    rate = rb.schedules.Constant()
    run = Run.at_alpha([1], 10, 3, 0, 1, None)
    task = NetworkTask(committee, rate, rate, None, 0.5, run)
    frame = task.frame(7)
    assert frame.teacher.tolist() == [[2, 0], [0, 3]]
    assert (frame.outputs.tolist(), frame.noise, frame.piece) == ([1, -1], 0.5, 7)
    assert task.record_size == task.first(range(1)).size + 2 == 10
    failure = task.failure(1, 3, np.array([2.0, 0.0, np.inf]))
    assert "overflows at example 3 of replica 1" in str(failure)
    assert task.describe()["teachers"] == [[4, 0], [0, 9]]
