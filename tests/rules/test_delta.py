import pytest

from rosenblatt.rules import Delta, Logistic
from tests.rules.percepts import percept


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_delta_descends_the_squared_error(label):
    activation = Logistic(2.0)
    output, target = activation.bind(), 0.5 * (1 + label)

    def loss(h):
        return 0.5 * (target - output(h)[0]) ** 2

    slope = (loss(0.4 + 1e-6) - loss(0.4 - 1e-6)) / 2e-6
    gain = Delta(activation).bind()(percept(0.4, label)).gain
    assert gain == pytest.approx(-0.5 * slope, abs=1e-9)
