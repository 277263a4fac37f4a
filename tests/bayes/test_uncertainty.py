import numpy as np
import pytest
from scipy.stats import norm

from rosenblatt.bayes import COVARIANCES, learn, start
from rosenblatt.bayes.label_law import SLOPE, slope_variance
from rosenblatt.bayes.uncertainty import (
    direction,
    length_variance,
    log_length_variance,
)

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3000, 3))
Y = (X[:, 0] + RNG.standard_normal(3000) > 0).astype(np.int64)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_an_unknown_length_adds_less_than_the_variance_of_the_slope(covariance):
    filter = start(
        3, covariance=covariance, label_variance=1.0, noise="auto", standardised=True
    )
    filter = learn(filter, X, Y)
    (found,) = length_variance(filter)
    # At the last change, after 2048 rows, more than half of the information was there.
    slope = filter.statistics[0, SLOPE]
    assert 0.0 < found < max(slope_variance(filter.statistics, 0.5), (slope - 1) ** 2)


def test_nothing_is_added_before_the_first_change():
    filter = start(3, label_variance=1.0, noise="auto")
    np.testing.assert_array_equal(length_variance(filter), [0.0])
    np.testing.assert_array_equal(length_variance(learn(filter, X, Y)), [0.0])


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_direction_has_the_projected_covariance_of_the_belief(covariance):
    filter = start(
        3, covariance=covariance, label_variance=1.0, noise=0.1, standardised=True
    )
    filter = learn(filter, X, Y)
    m = filter.mean[0, :3]
    V = filter.belief[0] if covariance == "full" else np.diag(filter.variances[0])
    length, V = np.linalg.norm(m), V[:3, :3]
    across = np.eye(3) - np.outer(m, m) / length**2
    # eq. (3) by Monte Carlo, with an error of 1%
    u = length * RNG.standard_normal(10**5)
    z = 0.1 + 0.8 * norm.cdf(u)
    told = len(X) * np.mean((0.8 * norm.pdf(u)) ** 2 / (z * (1 - z)))
    factor = max(1.0, np.trace(across @ np.linalg.inv(V) @ across) / 2 / told)
    mean, variance = direction(filter)
    np.testing.assert_allclose(mean[0], m / length)
    wanted = factor * np.diag(across @ V @ across) / length**2
    np.testing.assert_allclose(variance[0], wanted, rtol=0.03)


def test_a_direction_that_is_unknown_may_be_any():
    mean, variance = direction(start(3, label_variance=1.0, standardised=True))
    np.testing.assert_array_equal(mean, [[0.0, 0.0, 0.0]])
    np.testing.assert_array_equal(variance, [[1.0, 1.0, 1.0]])


def test_intervals_allow_for_a_start_with_too_small_a_noise():
    """The length is too short after 3000 labels, a quarter of them wrong."""
    rng = np.random.default_rng(1)
    w = np.array([3.0, 1.0, 0.0])
    field = X @ w + rng.standard_normal(len(X))
    y = ((field > 0) ^ (rng.random(len(X)) < 0.25)).astype(np.int64)
    filter = start(
        3, covariance="full", label_variance=1.0, noise="auto", standardised=True
    )
    filter = learn(filter, X, y)
    (plain,), (allowed,) = length_variance(filter), log_length_variance(filter)
    error = np.log(np.linalg.norm(filter.mean[0]) / np.linalg.norm(w))
    assert plain < error**2 / 4  # more than two standard deviations away
    assert allowed > error**2 / 4
    given = learn(start(3, label_variance=1.0, noise=0.25, standardised=True), X, y)
    assert log_length_variance(given) == length_variance(given)
