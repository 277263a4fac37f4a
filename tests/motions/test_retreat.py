import math

import pytest

import rosenblatt as rb
from rosenblatt.motions import Retreat

FROZEN = rb.rules.Hebb(), rb.schedules.Constant(0.0)  # a student that never moves


@pytest.mark.parametrize("engine", ["full", "reduced"])
def test_the_angle_to_a_fixed_student_grows_by_the_same_amount(engine):
    run = rb.simulate(
        *FROZEN, dim=9, alpha=[0, 1, 3], motion=Retreat(0.6), engine=engine,
        start=rb.starts.Overlap(math.cos(0.5)),
    )  # fmt: skip
    assert run.angle.values[0] == pytest.approx([0.5, 1.1, 2.3], abs=1e-6)


def test_theory_leaves_a_student_that_is_the_teacher():
    curve = rb.solve(
        *FROZEN, alpha=[1, 3], motion=Retreat(0.6), start=rb.starts.Overlap(1.0)
    )
    assert curve.angle.values[0] == pytest.approx([0.6, 1.8], rel=1e-7)
