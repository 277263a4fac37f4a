import numpy as np
from scipy.stats import norm

from rosenblatt.numerics.scaled_normal import central_interval


def test_intervals_of_known_scale_are_those_of_the_normal_law():
    mean, deviation = np.array([[0.0, 2.0, -1e6]]), np.array([[1.0, 0.0, 1e-3]])
    ends = central_interval(0.9, mean, deviation, np.zeros((1, 3)))
    wanted = np.stack(norm(mean[0], deviation[0] + 1e-300).interval(0.9), axis=-1)
    np.testing.assert_allclose(ends, wanted, rtol=1e-12, atol=1e-12)


def test_a_scale_that_is_unknown_keeps_the_sign():
    mean, scale = np.array([[3.0]]), np.array([[0.3]])
    ends = central_interval(0.95, mean, 0.0 * mean, scale)  # nearly log-normal
    assert 0.0 < ends[0, 0] < 3.0 < ends[0, 1]
    assert np.isfinite(central_interval(0.95, mean, mean, 1e9 * scale)).all()
    wide = central_interval(0.95, mean, np.ones((1, 1)), scale)
    drawn = np.random.default_rng(0).standard_normal((2, 400_000))
    w = (3.0 + drawn[0]) * np.exp(0.3 * drawn[1])
    # 5 standard errors of a quantile, with a density of at least 0.01 there
    assert np.abs(np.quantile(w, [0.025, 0.975]) - wide[0]).max() < 0.12


def test_a_mixture_has_the_quantiles_of_all_its_laws():
    mean, deviation = np.array([[0.0], [10.0]]), np.ones((2, 1))
    ends = central_interval(0.5, mean, deviation, np.zeros((2, 1)), [0.5, 0.5])
    np.testing.assert_allclose(ends, [[0.0, 10.0]], atol=1e-9)
    nothing_left = central_interval(1.0, mean, deviation, np.zeros((2, 1)), [0.5, 0.5])
    assert nothing_left.tolist() == [[-np.inf, np.inf]]
