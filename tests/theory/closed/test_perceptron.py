import math

import pytest

from rosenblatt.theory.closed import perceptron


def test_the_fixed_point_is_at_rest_and_linear_for_small_rates():
    for rate in (1e-4, 0.1, 1.0):
        angle = perceptron.fixed_point(rate)
        assert abs(perceptron.drift(angle, rate)) < 1e-12 * rate
    small = perceptron.fixed_point(1e-5)
    assert small / math.pi == pytest.approx(1e-5 / math.sqrt(2 * math.pi**3), rel=1e-6)


def test_the_asymptote_needs_a_large_enough_scale():
    with pytest.raises(ValueError, match=r"scale must be above sqrt\(2 pi\)"):
        perceptron.asymptote(2.0)
