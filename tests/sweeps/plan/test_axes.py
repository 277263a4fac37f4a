import numpy as np

from rosenblatt.sweeps.plan.plan import Plan
from tests.sweeps.plan.test_plan import HEBB, PERCEPTRON, task


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
