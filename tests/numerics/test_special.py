"""Special functions, against SciPy, longer numbers and fine sums."""

import math

import numpy as np
import pytest
from scipy.special import erf
from scipy.stats import norm

from rosenblatt.numerics.special import (
    central_interval,
    erf_and_slope,
    tanh_and_slope,
)

LONG = np.finfo(np.longdouble).nmant >= 63


def test_erf_and_its_slope_are_right_to_a_few_units_in_the_last_place():
    """The polynomial's last three operations round by 3 units, SciPy's by as many."""
    rng = np.random.default_rng(0)
    h = rng.standard_normal(5000) * 10 ** rng.uniform(-9, 1, 5000)
    value, slope = np.array([erf_and_slope(x) for x in h]).T
    wanted, unit = erf(h * math.sqrt(0.5)), 2.0**-53
    assert np.max(abs(value - wanted) / abs(wanted)) < 8 * unit
    slopes = math.sqrt(2 / math.pi) * np.exp(-0.5 * h * h)
    near = abs(h) < 30  # rounding of h^2 is in both
    assert np.max((abs(slope - slopes) / slopes)[near]) < 5 * unit


@pytest.mark.skipif(not LONG, reason="no longer numbers to compare with")
def test_tanh_and_its_slope_are_right_to_a_few_units_in_the_last_place():
    """Just above log(2)/4 the difference in the numerator is a quarter of its terms.

    Their roundings, 1.75 units of 1 together, are then 7 of the result's, the two
    polynomials' add 3, the denominator's and the division's 3. Measured: 6.1 and 5.2.
    """
    rng = np.random.default_rng(0)
    t = rng.standard_normal(5000) * 10 ** rng.uniform(-9, 2, 5000)
    t = t[abs(t) < 349]
    mean, slope = np.array([tanh_and_slope(x) for x in t]).T
    long = t.astype(np.longdouble)
    e = np.exp(-2 * abs(long))
    wanted = 4 * e / (1 + e) ** 2
    unit = 2.0**-53
    assert np.max(abs(mean - np.tanh(long)) / abs(np.tanh(long))) < 13 * unit
    assert np.max(abs(slope - wanted) / wanted) < 8 * unit


def test_a_scale_that_is_unknown_keeps_the_sign():
    mean, scale = np.array([[3.0]]), np.array([[0.3]])
    for sign in (1.0, -1.0):
        ends = central_interval(0.95, sign * mean, 0.0 * mean, scale)  # log-normal
        exact = sign * 3.0 * np.exp(0.3 * norm.ppf([0.025, 0.975]))
        np.testing.assert_allclose(ends[0], np.sort(exact), rtol=1e-9)
    assert np.isfinite(central_interval(0.95, mean, mean, 1e9 * scale)).all()
    wide = central_interval(0.95, mean, np.ones((1, 1)), scale)
    drawn = np.random.default_rng(0).standard_normal((2, 400_000))
    w = (3.0 + drawn[0]) * np.exp(0.3 * drawn[1])
    # 5 standard errors of a quantile, with a density of at least 0.01 there
    assert np.abs(np.quantile(w, [0.025, 0.975]) - wide[0]).max() < 0.12


@pytest.mark.parametrize("deviation", [0.03, 0.149, 0.151, 1.0])
def test_quantiles_on_both_sides_of_the_choice_of_an_integral(deviation):
    """The inner integral changes at s |m| = 2 sigma; a fine sum is the law."""
    s, one = 0.3, np.ones((1, 1))
    ends = central_interval(0.95, one, deviation * one, s * one)[0]
    eta = np.linspace(-9.0, 9.0, 20_001)
    mass = norm.pdf(eta) / norm.pdf(eta).sum()
    for end, wanted in zip(ends, (0.025, 0.975), strict=True):
        found = mass @ norm.cdf((end * np.exp(-s * eta) - 1.0) / deviation)
        assert abs(found - wanted) < 1e-5


def test_a_mixture_has_the_quantiles_of_all_its_laws():
    mean, deviation = np.array([[0.0], [10.0]]), np.ones((2, 1))
    ends = central_interval(0.5, mean, deviation, np.zeros((2, 1)), [0.5, 0.5])
    np.testing.assert_allclose(ends, [[0.0, 10.0]], atol=1e-9)
    nothing_left = central_interval(1.0, mean, deviation, np.zeros((2, 1)), [0.5, 0.5])
    assert nothing_left.tolist() == [[-np.inf, np.inf]]
