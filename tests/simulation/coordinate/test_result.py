import numpy as np
import pytest

from rosenblatt.rules import BinaryBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation.simulate import experiment_of


def test_records_become_overlap_agreement_and_the_learners_own_estimate():
    rule = BinaryBayes(noise=0.1)
    experiment = experiment_of(
        rule, Constant(), None, None, start=None, motion=None, target=None, tests=1,
        dim=4, alpha=[1.0], replicas=1, seed=0, workers=1, progress=False,
    )  # fmt: skip
    record = [1.0, 1.0, 2.0, 2.0, 4.0, 3.0, 0.0]
    found = experiment.label("coordinate", np.array([[record]]))
    assert found.overlap.item() == pytest.approx(np.sqrt(0.5))
    assert found.norm.item() == pytest.approx(np.sqrt(2.0) / 2.0)
    assert found.mistakes.item() == 3.0
    assert found.solved.item()
    assert found.estimate.item() == pytest.approx(0.1 + 0.8 * 0.25)
    assert found.attrs["exact"] == 1
