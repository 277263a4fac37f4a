import math

import pytest

from rosenblatt.theory import closed


def test_the_fixed_point_is_at_rest_and_linear_for_small_rates():
    for rate in (1e-4, 0.1, 1.0):
        angle = closed.perceptron.fixed_point(rate)
        assert abs(closed.perceptron.drift(angle, rate)) < 1e-12 * rate
    small = closed.perceptron.fixed_point(1e-5)
    assert small / math.pi == pytest.approx(1e-5 / math.sqrt(2 * math.pi**3), rel=1e-6)


def test_the_asymptote_needs_a_large_enough_scale():
    with pytest.raises(ValueError, match=r"scale must be above sqrt\(2 pi\)"):
        closed.perceptron.asymptote(2.0)


def test_information_is_continuous_in_the_noise():
    a, b = (closed.spherical_bayes.information(0.7, k) for k in (0.0, 1e-9))
    assert a == pytest.approx(b, rel=1e-6)
    assert closed.spherical_bayes.information(0.7, 0.5) == 0


def test_adatrons_segment_joins_its_series():
    below, above = (closed.adatron.drift(a, 1.0)[1] for a in (0.25 - 1e-9, 0.25 + 1e-9))
    assert below == pytest.approx(above, rel=1e-7)
