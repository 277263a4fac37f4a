import pytest

import rosenblatt as rb
from rosenblatt.sweeps.plan.checks import check
from rosenblatt.sweeps.plan.plan import Plan
from tests.sweeps.plan.test_plan import HEBB


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({"dim": [10, -1]}, "dim=-1, seed=0: dim must be a whole number not below 1"),
        ({"dim": ["x"]}, "dim must be a whole number"),
        ({"dim": [10], "alpha": [1, [2, 1]]}, "alpha must increase"),
        ({"dim": [10], "replicas": [1, 0]}, "replicas=0.*replicas must be a whole"),
        ({"dim": [10], "teacher": [None, 3]}, "teacher must be a Teacher, got 3"),
    ],
)
def test_values_are_checked_before_anything_runs(axes, message):
    given = {"rule": HEBB, "schedule": rb.schedules.Constant()}
    if "alpha" not in axes:
        given["alpha"] = 1
    plan = Plan("simulate", given, {**axes, "seed": range(2)})
    with pytest.raises((ValueError, TypeError), match=message):
        check(plan)
