import math

import pytest
from scipy.special import erfcx

from rosenblatt.rules import SphericalBayes
from tests.rules.percepts import percept


@pytest.mark.parametrize("u", [-300.0, -35.1, -34.9, -5.0, 0.0, 3.0, 50.0])
def test_spherical_bayes_without_noise_is_a_ratio_of_phi(u):
    rho = 0.25
    gain = SphericalBayes().bind()(percept(u * 0.5, norm2=1 - rho)).gain
    exact = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))
    assert gain == pytest.approx(0.5 * exact, rel=1e-10, abs=1e-300)


def test_spherical_bayes_first_step_is_that_of_the_paper():
    """N q = (1 - 2k)^2 2/pi after one example with |x| = 1."""
    for noise in (0.0, 0.1, 0.4):
        gain = SphericalBayes(noise).bind()(percept(0.0, norm2=0.0)).gain
        assert gain**2 == pytest.approx((1 - 2 * noise) ** 2 * 2 / math.pi, rel=1e-12)
