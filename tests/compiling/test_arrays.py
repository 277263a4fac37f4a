import math

import numpy as np
import pytest

from rosenblatt.compiling import compiled
from rosenblatt.compiling.arrays import averages, evaluate, gains
from rosenblatt.core import Percept
from rosenblatt.machines import Ball
from rosenblatt.rules import Decay, Normalised, Perceptron


@pytest.mark.parametrize("along_field", [False, True])
@pytest.mark.parametrize(
    "rule", [Decay(Perceptron(0.5), 0.3), Normalised(Perceptron(0.5))]
)
def test_averages_are_sums_over_nodes_and_labels(rule, along_field):
    v, weight = np.array([-0.7, 0.2, 1.1]), np.array([0.2, 0.5, 0.3])
    positive, first = np.array([0.1, 0.6, 0.9]), np.array([0.3, 0.4, 0.1])
    mean, length, shift = 0.1, 1.2, 0.4
    found = averages(
        compiled(rule),
        Percept(0, 0, length**2, 1, 0.5, math.inf, shift),
        (v, weight),
        (positive, first),
        (mean, length),
        along_field=along_field,
    )
    wanted = np.zeros(8)
    step = rule.bind()
    for i in range(3):
        for y in (1.0, -1.0):
            h = mean + length * v[i]
            t = shift * h if along_field else shift
            u = step(Percept(h, y, length**2, 1, 0.5, math.inf, t))
            chance = weight[i] * (positive[i] if y > 0 else 1 - positive[i])
            g = u.gain
            wanted += chance * np.array(
                [g, g * y, g * h, g * v[i], 0, g * g, u.decay, 0]
            )
            wanted[4] += weight[i] * first[i] * y * g
            wanted[7] += chance * (y * h <= 0)
    np.testing.assert_allclose(found, wanted, atol=1e-15)


def test_gains_are_those_of_single_calls_to_the_bit():
    step = compiled(Normalised(Perceptron(0.5)))
    shared = Percept(0.0, -1.0, 1.3, 1.0, 0.7, math.inf, 0.2)
    fields = np.linspace(-2, 2, 9)
    wanted = [step(shared._replace(field=h)).gain for h in fields.tolist()]
    assert gains(step, shared, fields).tolist() == wanted


def test_evaluate_gives_values_and_gradients():
    inputs, w = np.array([[0.5, 0.0], [2.0, 1.0], [0.0, 0.0]]), np.array([0.5, 1.0])
    values, gradients = evaluate(Ball(), inputs, w)
    assert values == pytest.approx(1 - ((inputs - w) ** 2).sum(axis=1))
    assert gradients == pytest.approx(2 * (inputs - w))


def test_evaluate_names_what_has_the_wrong_shape():
    with pytest.raises(ValueError, match="inputs must have 2 columns, got shape"):
        evaluate(Ball(), np.zeros((4, 3)), np.zeros(2))
    with pytest.raises(ValueError, match="weights must be 2 numbers, got shape"):
        evaluate(Ball(), np.zeros((4, 2)), np.zeros(3))
