import math

import numpy as np
import pytest
from scipy.special import erfcx, log_ndtr, ndtr

from rosenblatt.numerics.evidence import evidence

FIELDS = [-1e8, -300.0, -36.0, -34.9, -20.0, -3.0, -1e-9, 0.0, 0.5, 5.0, 40.0]


@pytest.mark.parametrize("label", [-1.0, 1.0])
@pytest.mark.parametrize("variance", [1e-6, 1.0, 30.0])
@pytest.mark.parametrize("u", FIELDS)
def test_without_noise_it_is_mills_ratio(u, variance, label):
    found = evidence(label * u * math.sqrt(variance), variance, label, 0.0)
    factor = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))
    assert found.log_probability == pytest.approx(float(log_ndtr(u)), rel=1e-11)
    assert found.slope == pytest.approx(label * factor / math.sqrt(variance), rel=1e-10)
    # u + factor cancels for large negative u: there the series, to 50 / u^6 < 1e-6
    bend = factor * (u + factor) if u > -20 else 1 - 1 / u**2 + 6 / u**4
    assert found.curvature * variance == pytest.approx(bend, rel=1e-5, abs=1e-300)


@pytest.mark.parametrize("noise", [0.001, 0.1, 0.4, 0.5])
@pytest.mark.parametrize("h", [-30.0, -2.0, 0.1, 3.0])
def test_slope_and_curvature_are_derivatives(h, noise):
    variance, step = 1.7, 1e-5
    below, here, above = (
        evidence(h + shift, variance, 1.0, noise) for shift in (-step, 0.0, step)
    )
    chance = noise + (1 - 2 * noise) * ndtr(h / math.sqrt(variance))
    assert here.log_probability == pytest.approx(math.log(chance), rel=1e-12)
    slope = (above.log_probability - below.log_probability) / (2 * step)
    assert here.slope == pytest.approx(slope, rel=1e-6, abs=1e-9)
    curvature = -(above.slope - below.slope) / (2 * step)
    assert here.curvature == pytest.approx(curvature, rel=1e-6, abs=1e-9)


def test_a_very_unlikely_label_pulls_the_field_to_the_boundary():
    found = evidence(-1e6, 1.0, 1.0, 0.0)
    assert found.slope == pytest.approx(1e6, rel=1e-9)
    assert found.curvature == pytest.approx(1.0, rel=1e-9)


def test_with_noise_a_very_unlikely_label_is_taken_for_wrong():
    assert np.allclose(evidence(-50.0, 1.0, 1.0, 0.1), (math.log(0.1), 0.0, 0.0))
