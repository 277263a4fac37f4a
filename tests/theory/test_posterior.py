import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

import rosenblatt as rb
from rosenblatt.theory import solve_batch


def likelihood(fields, noise, width):
    """Of the label +1; with the label -1 the fields change sign."""
    step = ndtr(fields / width) if width else (fields > 0).astype(float)
    return noise + (1 - 2 * noise) * step


def problem(seed, count, dim, *, noise=0.0, width=0.0, mixing=None):
    rng = np.random.default_rng(seed)
    teacher = rng.standard_normal(dim)
    X = rng.standard_normal((count, dim))
    X = X if mixing is None else X @ mixing
    y = np.sign(X @ teacher + width * rng.standard_normal(count))
    y[rng.random(count) < noise] *= -1
    return X, y, teacher


def moments(center, variance, label, noise, width):
    """Return a label's probability and the moments of a Gaussian field given it."""
    spread = math.sqrt(variance)

    def value(z, power):
        f = center + spread * z
        weight = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
        return f**power * weight * float(likelihood(label * np.array(f), noise, width))

    turn = -center / spread
    ends = sorted({-12.0, 12.0, min(max(turn, -12.0), 12.0)})
    sums = [
        sum(
            quad(value, a, b, args=(power,), epsabs=1e-13, limit=200)[0]
            for a, b in itertools.pairwise(ends)
        )
        for power in (0, 1, 2)
    ]
    mean = sums[1] / sums[0]
    return sums[0], mean, sums[2] / sums[0] - mean**2


def slow_propagation(X, y, noise, width, variance, sweeps):
    """Expectation propagation one example at a time, moments by brute force."""
    count, dim = X.shape
    tau, nu = np.zeros(count), np.zeros(count)

    def posterior(skip=None):
        keep = np.arange(count) != skip
        A = np.eye(dim) / variance + (X[keep].T * tau[keep]) @ X[keep]
        covariance = np.linalg.inv(A)
        return covariance @ (nu[keep] @ X[keep]), covariance

    for _ in range(sweeps):
        logs = 0.0
        for i, x in enumerate(X):
            mean, covariance = posterior(skip=i)
            m, v = x @ mean, x @ covariance @ x
            chance, after, left = moments(m, v, y[i], noise, width)
            tau[i], nu[i] = 1 / left - 1 / v, after / left - m / v
            # the site's mean over the cavity, by completing the square
            site = -0.5 * math.log(v / left) + 0.5 * (after**2 / left - m**2 / v)
            logs += math.log(chance) - site
    mean, covariance = posterior()
    logs += 0.5 * np.linalg.slogdet(covariance / variance)[1]
    logs += 0.5 * mean @ np.linalg.solve(covariance, mean)
    return mean, covariance, logs


@pytest.mark.parametrize(
    ("noise", "width", "variance"),
    [(0.0, 0.0, 1.0), (0.1, 0.0, 1.0), (0.0, 0.4, 2.0), (0.1, 0.3, 0.5)],
)
def test_the_fixed_point_is_that_of_one_example_at_a_time(noise, width, variance):
    mixing = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, -0.7], [0.0, 0.0, 2.0]])
    X, y, _ = problem(1, 5, 3, noise=noise, width=width, mixing=mixing)
    slow = slow_propagation(X, y, noise, width, variance, sweeps=15)
    fast = rb.batch_posterior(
        X,
        y,
        noise=noise,
        deviation=width,
        prior_variance=variance,
        tolerance=1e-10,
    )
    for a, b in zip(fast, slow, strict=False):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("noise", "width"), [(0.0, 0.0), (0.2, 0.0), (0.1, 0.7)])
def test_inputs_at_right_angles_are_exact(noise, width):
    rng = np.random.default_rng(0)
    axes = np.linalg.qr(rng.standard_normal((4, 4)))[0][:3]
    X, y = axes * np.array([[0.5], [1.0], [3.0]]), np.array([1.0, -1.0, 1.0])
    found = rb.batch_posterior(
        X, y, noise=noise, deviation=width, prior_variance=2.0, tolerance=1e-12
    )
    evidence, mean, covariance = 0.0, np.zeros(4), 2.0 * np.eye(4)
    for x, label in zip(X, y, strict=True):
        length2 = x @ x
        chance, m, v = moments(0.0, 2.0 * length2, label, noise, width)
        evidence += math.log(chance)
        mean += m * x / length2
        covariance += (v / length2 - 2.0) * np.outer(x, x) / length2
    np.testing.assert_allclose(found.mean, mean, rtol=1e-8)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-8)
    assert found.log_evidence == pytest.approx(evidence, abs=1e-8)


@pytest.mark.parametrize(("alpha", "noise"), [(3.0, 0.0), (4.0, 0.1)])
def test_many_weights_have_the_error_of_the_replica_theory(alpha, noise):
    dim, replicas, overlaps = 150, 12, []
    for seed in range(replicas):
        X, y, teacher = problem(seed, round(alpha * dim), dim, noise=noise)
        found = rb.batch_posterior(X, y, noise=noise)
        assert found.converged
        length = np.linalg.norm(found.mean) * np.linalg.norm(teacher)
        overlaps.append(found.mean @ teacher / length)
    curve = solve_batch(alpha, noise).sel(learner="bayes")
    # 5 standard errors, and what is of the order 1/N
    allowed = 5 * np.std(overlaps) / math.sqrt(replicas) + 2 / dim
    assert abs(np.mean(overlaps) - float(curve["overlap"][0])) < allowed
    assert allowed < 0.08  # what it would catch


def test_no_examples_leave_the_prior_and_zeros_say_nothing():
    none = rb.batch_posterior(np.zeros((0, 3)), [], prior_variance=2.0)
    np.testing.assert_array_equal(none.mean, 0)
    np.testing.assert_allclose(none.covariance, 2.0 * np.eye(3))
    assert none.log_evidence == pytest.approx(0, abs=1e-15)
    empty = rb.batch_posterior(np.zeros((2, 3)), [1, -1], prior_variance=2.0)
    assert empty.log_evidence == pytest.approx(2 * math.log(0.5))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"labels": [1, 0]}, r"labels must be -1 or \+1, got 0"),
        ({"labels": [1]}, r"labels must be finite numbers of shape \(2,\)"),
        ({"X": [1.0, 2.0]}, "X must be finite numbers of shape"),
        ({"X": [[np.nan], [1.0]]}, "X must be finite"),
        ({"noise": 0.6}, "noise must be"),
        ({"deviation": -1}, "deviation must be"),
        ({"prior_variance": 0}, "prior_variance must be"),
        ({"damping": 1}, "damping must be below 1"),
        ({"tolerance": 0}, "tolerance must be"),
        ({"max_sweeps": 0}, "max_sweeps must be"),
    ],
)
def test_bad_input_is_named(change, words):
    given = {"X": [[1.0], [2.0]], "labels": [1, 1]} | change
    with pytest.raises(ValueError, match=words):
        rb.batch_posterior(given.pop("X"), given.pop("labels"), **given)
