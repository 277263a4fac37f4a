import itertools

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.plan import Plan

HEBB, PERCEPTRON = rb.rules.Hebb(), rb.rules.Perceptron()


def task(a, b=0, *, c=0):
    return a + b + c


def test_a_grid_has_all_combinations_the_last_axis_fastest():
    plan = Plan(task, {"c": 5}, {"a": [1, 2], "b": range(3)})
    wanted = [{"c": 5, "a": a, "b": b} for a, b in itertools.product([1, 2], range(3))]
    assert [plan.parameters(item) for item in range(len(plan))] == wanted


def test_experiments_and_axes_multiply():
    plan = Plan(task, {}, {"b": [7, 8]}, [{"a": 1}, {"a": 2, "c": 3}])
    assert [plan.parameters(item) for item in range(4)] == [
        {"a": 1, "b": 7},
        {"a": 1, "b": 8},
        {"a": 2, "c": 3, "b": 7},
        {"a": 2, "c": 3, "b": 8},
    ]
    assert plan.coordinates()["a"][1].tolist() == [1, 2]
    np.testing.assert_array_equal(plan.coordinates()["c"][1], [np.nan, 3])
    plan = Plan(task, {"a": 1}, {}, [{"b": "text"}, {}])
    assert plan.coordinates()["b"][1].tolist() == ["text", ""]


def test_attributes_of_parts_are_axes():
    parts = {"schedule": rb.schedules.Constant(), "alpha": [1.0]}
    rule = rb.rules.Decay(PERCEPTRON, 0.5)
    plan = Plan("solve", {"rule": rule, **parts}, {"rule.rule.margin": [0.0, 2.0]})
    assert plan.parameters(1)["rule"] == rb.rules.Decay(rb.rules.Perceptron(2.0), 0.5)


def test_the_same_experiment_has_the_same_key_however_it_is_asked_for():
    parts = {"schedule": rb.schedules.Constant(), "alpha": [1.0]}
    margins = Plan("solve", {"rule": PERCEPTRON, **parts}, {"rule.margin": [1.0, 2.0]})
    rules = Plan("solve", parts, {"rule": [HEBB, rb.rules.Perceptron(2.0)]})
    listed = Plan("solve", {}, {}, [{"rule": rb.rules.Perceptron(2.0), **parts}])
    assert margins.keys[1] == rules.keys[1] == listed.keys[0]
    assert margins.keys[0] != rules.keys[0]


def test_keys_depend_on_task_parameters_and_code(monkeypatch):
    def other(a, b=0, *, c=0):
        return a

    first = Plan(task, {"a": 1}, {})
    assert first.keys[0] == Plan(task, {"a": 1}, {}).keys[0]
    different = [Plan(task, {"a": 2}, {}), Plan(task, {"a": 1, "b": 0}, {})]
    different.append(Plan(other, {"a": 1}, {}))
    monkeypatch.setattr("rosenblatt.sweeps.plan.code_digest", lambda: "another")
    different.append(Plan(task, {"a": 1}, {}))
    keys = {plan.keys[0] for plan in [first, *different]}
    assert len(keys) == 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"task": "nothing"}, "task must be simulate, solve"),
        ({"task": 3}, "task must be"),
        (
            {"parameters": {"d": 1}},
            "task got an unexpected keyword argument 'd'; possible: a, b, c",
        ),
        ({"parameters": {"b": 1}}, "task missing a required argument: 'a'"),
        ({"axes": {"a": []}}, "axis 'a' must have one value or more"),
        ({"axes": {"a": 3}}, "axis 'a' must be a list of values, got 3"),
        ({"axes": {"a": "abc"}}, "axis 'a' must be a list of values"),
        ({"axes": {"a": [1, 1]}}, "axis 'a' must have different values, got 1 twice"),
        ({"parameters": {"a": 1}, "axes": {"a": [1]}}, "'a' is both in parameters and"),
        ({"axes": {"a.b": [1]}}, "axis 'a.b' needs a parameter 'a'"),
        ({"parameters": {"a": 1}, "axes": {"a.b": [1]}}, "needs a part 'a', got 1"),
        (
            {"parameters": {"a": HEBB}, "axes": {"a.b": [1]}},
            "hebb has no para",
        ),
        ({"parameters": {"a": object()}}, "a must be made of numbers"),
        ({"experiments": []}, "experiments must be one or more"),
        ({"axes": {"experiment": [1]}, "experiments": [{}]}, "must have another name"),
        ({"experiments": [3]}, "experiments must be one or more"),
        ({"axes": {"a": range(10**5), "b": range(10**4)}}, "at most 1000000"),
    ],
)
def test_bad_plans_are_explained(given, message):
    arguments = {"task": task, "parameters": {}, "axes": {}} | given
    with pytest.raises((ValueError, TypeError), match=message):
        Plan(**arguments)


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
    with pytest.raises((ValueError, TypeError), match=message):
        rb.sweep("simulate", given, axes={**axes, "seed": range(2)})


@pytest.mark.parametrize(
    "name", ["sweeps.sweep.tempfile.mkdtemp", "sweeps.sweep._crew", "os.system"]
)
def test_a_named_task_is_a_function_of_this_package(name):
    with pytest.raises(ValueError, match="task must be simulate"):
        Plan(name, {}, {})


def test_labels_are_numbers_names_or_text():
    plan = Plan(
        task, {}, {"a": [HEBB, PERCEPTRON], "b": {"low": 1, "high": 2}, "c": [1, 2.5]}
    )
    found = {name: labels.tolist() for name, (_, labels) in plan.coordinates().items()}
    assert found == {
        "a": ["Hebb()", "Perceptron(margin=0.0)"],
        "b": ["low", "high"],
        "c": [1.0, 2.5],
    }
    assert Plan(task, {}, {"a": np.arange(2)}).parameters(1) == {"a": 1}
