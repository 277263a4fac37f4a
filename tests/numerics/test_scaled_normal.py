import numpy as np
import pytest
from scipy.stats import norm

from rosenblatt.numerics.scaled_normal import central_interval


def test_intervals_of_known_scale_are_those_of_the_normal_law():
    mean, deviation = np.array([[0.0, 2.0, -1e6]]), np.array([[1.0, 0.0, 1e-3]])
    ends = central_interval(0.9, mean, deviation, np.zeros((1, 3)))
    wanted = np.stack(norm(mean[0], deviation[0] + 1e-300).interval(0.9), axis=-1)
    np.testing.assert_allclose(ends, wanted, rtol=1e-12, atol=1e-12)


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
