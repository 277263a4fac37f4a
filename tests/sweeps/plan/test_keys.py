from rosenblatt.sweeps.plan.plan import Plan
from tests.sweeps.plan.test_plan import task


def test_keys_lead_back_to_items():
    plan = Plan(task, {}, {"a": range(30), "b": range(20)})
    for item in (0, 1, 20, 599):
        assert plan.keys.items(plan.keys.key(item)) == [item]
    assert plan.keys.items(b"\xff" * 16) == []
    assert plan.keys.repeated() == []
    twice = Plan(task, {}, {}, [{"a": 1}, {"a": 2}, {"a": 1}])
    assert twice.keys.items(twice.keys.key(2)) == [0, 2]
    assert twice.keys.repeated() == [2]
