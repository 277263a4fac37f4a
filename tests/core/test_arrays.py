import math

import numpy as np
import pytest

from rosenblatt.core import Percept
from rosenblatt.core.arrays import evaluate, mapped, updates
from rosenblatt.machines import Ball, Differentiated
from rosenblatt.rules import Perceptron
from rosenblatt.teachers import Sign
from tests.machines.test_smooth import inside


def test_updates_and_mapped_go_over_arrays():
    fields, labels = np.array([1.0, -1.0]), np.array([1.0, 1.0])
    gains, decays = updates(
        Perceptron(), Percept(0, 0, 1, 1, 0.5, math.inf), fields, labels
    )
    assert gains.tolist() == [0.0, 0.5]
    assert decays.tolist() == [0.0, 0.0]
    shaped = mapped(Sign(0.25))(np.array([[1.0, -1.0], [2.0, -2.0]]))
    assert shaped.tolist() == [[0.75, 0.25], [0.75, 0.25]]


@pytest.mark.parametrize("machine", [Ball(), Differentiated(inside, 2, 2)])
def test_evaluate_gives_values_and_gradients_of_both_kinds_of_machines(machine):
    inputs, w = np.array([[0.5, 0.0], [2.0, 1.0], [0.0, 0.0]]), np.array([0.5, 1.0])
    values, gradients = evaluate(machine, inputs, w)
    assert values == pytest.approx(1 - ((inputs - w) ** 2).sum(axis=1))
    assert gradients == pytest.approx(2 * (inputs - w))


def test_evaluate_names_what_has_the_wrong_shape():
    with pytest.raises(ValueError, match="inputs must have 2 columns, got shape"):
        evaluate(Ball(), np.zeros((4, 3)), np.zeros(2))
    with pytest.raises(ValueError, match="weights must be 2 numbers, got shape"):
        evaluate(Ball(), np.zeros((4, 2)), np.zeros(3))
