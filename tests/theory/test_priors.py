import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad

from rosenblatt.theory.priors import binary, binary_entropy, pace, spherical

STRENGTHS = [1e-6, 0.03, 0.99, 1.0, 5.0, 40.0, 80.0]


def average(function, strength):
    """Average over the field as it is written, by brute force."""
    spread = math.sqrt(strength)

    def integrand(x):
        z = (x - strength) / spread
        return function(x) * math.exp(-0.5 * z * z) / spread / math.sqrt(2 * math.pi)

    # what counts lies between the field 0 and the mean
    ends = sorted({-12 * spread, -30.0, -3.0, 0.0, 3.0, 30.0, strength})
    ends.append(strength + 12 * spread)
    return sum(
        quad(integrand, *pair, epsabs=0, epsrel=1e-12, limit=500)[0]
        for pair in itertools.pairwise(ends)
        if pair[1] > pair[0]
    )


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_binary_overlap_is_the_average_as_written(strength):
    q, rest = binary(np.array(strength))
    assert rest == pytest.approx(
        average(lambda x: 1 / math.cosh(min(abs(x), 700)) ** 2, strength), rel=1e-10
    )
    assert q == pytest.approx(average(lambda x: math.tanh(x) ** 2, strength), rel=1e-10)
    # the teacher is one more draw from the posterior
    assert q == pytest.approx(average(math.tanh, strength), rel=1e-9)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_entropy_is_the_average_as_written(strength):
    q, rest = binary(np.array(strength))

    def beyond(x):  # log 2 cosh x - x
        return math.log1p(math.exp(-2 * x)) if x > -350 else -2 * x

    expected = average(beyond, strength) + 0.5 * strength * float(rest)
    assert binary_entropy(np.array(strength)) == pytest.approx(expected, rel=1e-10)
    assert q + rest == pytest.approx(1, abs=1e-15)


def test_strong_fields_leave_what_the_asymptote_says():
    strength = np.array([100.0, 1000.0])
    expected = np.sqrt(math.pi / 2 / strength) * np.exp(-strength / 2)
    # E x^2 under 1/cosh x is (pi/2)^2, and exp(-x^2 / 2s) takes 1/2s of it
    correction = 1 - (math.pi / 2) ** 2 / 2 / strength
    np.testing.assert_allclose(binary(strength).rest, expected * correction, rtol=2e-3)


def test_no_field_and_an_infinite_one():
    for prior in (spherical, binary):
        q, rest = prior(np.array([0.0, np.inf]))
        np.testing.assert_array_equal(q, [0, 1])
        np.testing.assert_allclose(rest, [1, 0], rtol=1e-15)


@pytest.mark.parametrize("prior", ["spherical", "binary"])
@pytest.mark.parametrize("noise", [0.0, 0.1, 0.4])
def test_each_unit_of_strength_takes_less_than_the_one_before(prior, noise):
    strength = np.geomspace(1e-4, 300, 400)
    assert np.all(np.diff(pace(strength, noise, prior)) < 0)
