import pytest

from rosenblatt.rules import Linear, Logistic, Tanh


@pytest.mark.parametrize(
    "part", [Linear(), Tanh(), Tanh(2.5), Logistic(), Logistic(3.0)]
)
@pytest.mark.parametrize("h", [-3.0, -0.2, 0.0, 1.7])
def test_slope_is_the_derivative_of_the_output(part, h):
    output = part.bind()
    step = 1e-6
    difference = (output(h + step)[0] - output(h - step)[0]) / (2 * step)
    assert output(h)[1] == pytest.approx(difference, abs=1e-8)


@pytest.mark.parametrize("part", [Tanh(), Logistic()])
def test_far_fields_reach_the_targets_without_overflow(part):
    output = part.bind()
    low, high = part.targets
    assert output(-1e6) == (low, 0.0)
    assert output(1e6) == (high, 0.0)
