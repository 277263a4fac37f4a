import numpy as np
import pytest

from rosenblatt.training.evaluation.decisions import (
    check_decisions,
    class_costs,
    decide,
    decision_factors,
)

SHARES = np.array([[0.9, 0.1], [0.6, 0.4]])


def test_costs_are_a_threshold_in_disguise():
    by_costs = decide(SHARES, decision_factors(None, ["yes=4"], ["no", "yes"]))
    by_threshold = decide(SHARES, decision_factors(0.2, (), ["no", "yes"]))
    assert by_costs.tolist() == by_threshold.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("threshold", "costs", "message"),
    [
        (0.5, ["a=1"], "not both"),
        (1.5, [], "between 0 and 1, got 1.5"),
        (None, ["a"], "must be LABEL=NUMBER"),
        (None, ["a=-1"], "must be LABEL=NUMBER"),
    ],
)
def test_wrong_decisions_are_named(threshold, costs, message):
    with pytest.raises(ValueError, match=message):
        check_decisions(threshold, costs)


def test_costs_are_of_known_labels():
    with pytest.raises(
        ValueError, match="costs must be of the labels no, yes, got 'si'"
    ):
        class_costs(["si=2"], ["no", "yes"])
    with pytest.raises(ValueError, match="for two classes, got 3"):
        decision_factors(0.5, (), ["a", "b", "c"])
