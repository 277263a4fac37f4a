import math

import pytest

import rosenblatt as rb
from rosenblatt.motions import Abrupt

PARTS = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant(1.0)


def test_the_overlap_drops_after_the_time_of_the_change_and_not_before():
    """The record at the time itself is the one before; N = 1e6 makes noise 0.001."""
    alpha = [5, 5.000001, 10]
    given = {"alpha": alpha, "motion": Abrupt((5.0,), 2.0)}
    still = rb.solve(*PARTS, alpha=5).overlap.item()
    curve = rb.solve(*PARTS, **given).overlap.values[0]
    assert curve[0] == pytest.approx(still, rel=1e-9)
    assert curve[1] == pytest.approx(still * math.cos(2.0), abs=1e-4)
    run = rb.simulate(*PARTS, dim=10**6, engine="events", **given).overlap.values[0]
    assert run == pytest.approx(curve, abs=0.005)
