import numpy as np
import pytest

from rosenblatt.rules import BinaryBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation.beliefs import belief_task, labelled
from rosenblatt.simulation.run import Run


def test_records_become_overlap_agreement_and_the_learners_own_estimate():
    run = Run.at_alpha([1.0], 4, 1, 0, 1, False)
    rule = BinaryBayes(noise=0.1)
    task = belief_task(rule, Constant(), None, None, target=None, tests=1, run=run)
    record = [1.0, 1.0, 2.0, 2.0, 4.0, 3.0, 0.0]
    found = labelled(task, np.array([[record]]))
    assert found.overlap.item() == pytest.approx(np.sqrt(0.5))
    assert found.norm.item() == pytest.approx(np.sqrt(2.0) / 2.0)
    assert found.mistakes.item() == 3.0
    assert found.solved.item()
    assert found.estimate.item() == pytest.approx(0.1 + 0.8 * 0.25)
    assert found.attrs["exact"] == 1
