import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.motions import Rotation

FROZEN = rb.rules.Hebb(), rb.schedules.Constant(0.0)  # a student that never moves


@pytest.mark.parametrize("engine", ["full", "reduced"])
def test_a_fixed_student_is_left_along_a_circle(engine):
    """A student at the teacher's first place has its angle, until a whole turn."""
    run = rb.simulate(
        *FROZEN, dim=7, alpha=[0, 1, 3, 7], motion=Rotation(0.9), engine=engine,
        start=rb.starts.Overlap(1.0),
    )  # fmt: skip
    wanted = np.cos(0.9 * np.array([0, 1, 3, 7]))
    assert run.overlap.values[0] == pytest.approx(wanted, abs=1e-6)


def test_theory_of_a_fixed_student_is_a_circle():
    curve = rb.solve(
        *FROZEN, alpha=[1, 3], motion=Rotation(0.9), start=rb.starts.Overlap(1.0)
    )
    wanted = np.cos(0.9 * np.array([1, 3]))
    assert curve.overlap.values[0] == pytest.approx(wanted, abs=1e-8)


def test_events_skip_examples_between_mistakes():
    """1e9 examples of a slow rotation: possible only if the cost is per mistake."""
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    run = rb.simulate(
        rule, rb.schedules.Constant(1e-3), dim=10**6, alpha=1000, engine="events",
        start=rb.starts.Overlap(math.cos(1e-4)), motion=Rotation(1e-6),
    )  # fmt: skip
    curve = rb.solve(
        rule, rb.schedules.Constant(1e-3), alpha=1000, motion=Rotation(1e-6),
        start=rb.starts.Overlap(math.cos(1e-4)),
    )  # fmt: skip
    assert run.angle.item() == pytest.approx(curve.angle.item(), rel=0.02)
