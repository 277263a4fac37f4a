import math

import pytest

from rosenblatt.core import Percept
from rosenblatt.rules import Linear, Logistic, Residual, Tanh


def percept(field, label, rate=0.5):
    return Percept(field, label, 1.0, 1.0, rate, 10.0)


def test_it_descends_the_cross_entropy():
    """-log P(y | x) = log(1 + exp(-y h)); its slope by finite differences."""
    step = Residual().bind()
    for h in (-2.0, 0.3, 4.0):
        for y in (-1, 1):
            slope = (
                math.log1p(math.exp(-y * (h + 1e-6)))
                - math.log1p(math.exp(-y * (h - 1e-6)))
            ) / 2e-6
            assert step(percept(h, y)).gain == pytest.approx(-0.5 * slope, rel=1e-8)


def test_a_steep_output_makes_it_the_perceptron_rule():
    step = Residual(Logistic(gain=1e6)).bind()
    assert step(percept(-0.1, 1)).gain == pytest.approx(0.5)
    assert step(percept(0.1, 1)).gain == pytest.approx(0.0)


def test_other_outputs_have_their_own_targets():
    assert Residual(Tanh()).bind()(percept(0.0, -1)).gain == -0.5
    assert Residual(Linear()).bind()(percept(0.25, 1)).gain == 0.375
    with pytest.raises(TypeError, match="activation must be an Activation, got 'tanh'"):
        Residual("tanh")
