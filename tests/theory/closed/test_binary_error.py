import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from rosenblatt.theory.closed import binary_error, clipped_hebb
from tests.theory.closed.samples import every_sample


@pytest.mark.parametrize("n", range(1, 10))
def test_errors_are_those_of_all_inputs(n):
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    target = np.ones(n)
    for apart in range(n + 1):
        student = np.where(np.arange(n) < apart, -1, 1)
        differ = np.mean((inputs @ target > 0) != (inputs @ student > 0))
        assert binary_error.error(n, apart) == pytest.approx(differ, abs=1e-14)


@pytest.mark.parametrize("n", [10_001, 10_000])
def test_errors_approach_the_angle(n):
    apart = np.array([n // 10, n // 2, n - n // 10])
    angle = np.arccos(1 - 2 * apart / n) / math.pi
    np.testing.assert_allclose(binary_error.error(n, apart), angle, atol=2 / n)


def test_one_wrong_weight_among_a_million():
    # the others must be tied
    tie = math.sqrt(2 / (math.pi * 1e6))
    assert binary_error.error(10**6, 1) == pytest.approx(tie, rel=1e-6)


def test_the_law_of_distances_has_the_moments_it_is_given():
    for mean, variance in [(3.7, 3.0), (50.0, 15.0), (0.02, 0.0197), (90.0, 12.0)]:
        law = binary_error.distances(100, mean, variance)
        d = np.arange(101)
        assert law.sum() == pytest.approx(1)
        assert law @ d == pytest.approx(mean, rel=1e-9)
        assert law @ (d - mean) ** 2 == pytest.approx(variance, rel=1e-8)


def test_a_law_is_found_for_whatever_the_rule_does():
    for n, alpha, noise in itertools.product((2, 5, 50), (0.5, 3, 12), (0.0, 0.4)):
        mean, variance = clipped_hebb.distance(n, int(alpha * n), noise)
        law = binary_error.distances(n, mean, variance)
        assert law @ np.arange(n + 1) == pytest.approx(mean, rel=1e-9)


def test_the_law_of_independent_weights_is_a_binomial():
    law = binary_error.distances(30, 6.0, 30 * 0.2 * 0.8)
    np.testing.assert_allclose(law, binom.pmf(np.arange(31), 30, 0.2), atol=1e-9)


@pytest.mark.parametrize(("n", "m", "positive"), [(4, 5, 2), (5, 4, 2), (5, 7, 1)])
def test_mean_errors_are_close_to_those_of_all_samples(n, m, positive):
    law, target = every_sample(n, m, positive, 0.0)
    wrong = (np.where(np.array(list(law)) > 0, 1, -1) != target).sum(axis=1)
    exact = np.array(list(law.values())) @ binary_error.error(n, wrong)
    found = binary_error.mean_error(n, m, positive=positive)
    # what the law of largest entropy leaves out is of relative order 1/n^2
    assert found == pytest.approx(exact, rel=1 / n**2)
    mean = clipped_hebb.distance(n, m, positive=positive).mean
    d = np.arange(n + 1)
    independent = binom.pmf(d, n, mean / n) @ binary_error.error(n, d)
    assert abs(found - exact) < 0.5 * abs(independent - exact)


def test_mean_errors_are_those_of_simulated_students():
    n, m, replicas = 31, 93, 3000
    rng = np.random.default_rng(1993)
    target = np.where(np.arange(n) < n // 2, 1, -1)
    errors = np.empty(replicas)
    for r in range(replicas):
        x = rng.choice([-1, 1], size=(m, n))
        y = np.where(x @ target > 0, 1, -1)
        wrong = int((np.where(y @ x > 0, 1, -1) != target).sum())
        errors[r] = binary_error.error(n, wrong)
    standard = errors.std() / math.sqrt(replicas)
    assert abs(errors.mean() - binary_error.mean_error(n, m)) < 5 * standard


def test_mean_errors_without_chance_and_with_hardly_any():
    # no examples: all weights -1, so that those at +1 are wrong
    assert binary_error.mean_error(9, 0) == binary_error.error(9, 4)
    assert binary_error.mean_error(1, 5) == 0
    rare = binary_error.mean_error(101, 10_001)
    mean = clipped_hebb.distance(101, 10_001).mean
    assert 0 < rare < 1e-14
    assert rare == pytest.approx(mean * float(binary_error.error(101, 1)), rel=1e-12)
    # and the two ways to compute it meet
    late = clipped_hebb.distance(101, 4801).mean
    assert 1e-6 < late < 2e-6
    found = binary_error.mean_error(101, 4801)
    assert found == pytest.approx(late * float(binary_error.error(101, 1)), rel=1e-5)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_mean_errors_approach_their_limit(noise):
    for alpha in (1.0, 5.0):
        gaps = [
            binary_error.mean_error(n, int(alpha * n) + 1, noise)
            - float(binary_error.limit_error((int(alpha * n) + 1) / n, noise))
            for n in (1000, 10_000)
        ]
        assert abs(gaps[0]) < 2e-3
        assert gaps[1] == pytest.approx(gaps[0] / 10, rel=0.1)


def test_limit_bound_and_asymptote():
    alpha = np.array([0.0, 0.1, 1.0, 10.0, 100.0, 2000.0])
    limit = binary_error.limit_error(alpha)
    ratio = limit / binary_error.bound(alpha)
    assert np.all(np.diff(ratio) < 0)  # it falls from one half
    assert ratio[0] == pytest.approx(0.5, rel=1e-15)
    naive = np.arccos(clipped_hebb.limit_overlap(alpha[:4])) / math.pi
    np.testing.assert_allclose(limit[:4], naive, rtol=1e-12)
    late = limit[-1] / binary_error.asymptote(alpha[-1])
    # erfc(z) = exp(-z^2) / (z sqrt(pi)) (1 - 1/2z^2), and the error is its root
    assert late == pytest.approx(1 - math.pi / 4 / 2000, rel=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: binary_error.error(3, 4), "distance must be whole numbers from 0"),
        (lambda: binary_error.error(3, 0.5), "distance must be whole numbers from 0"),
        (lambda: binary_error.distances(3, 4.0, 1.0), "mean must be"),
        (lambda: binary_error.distances(3, 1.0, 0.0), "variance must be"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_impossible_moments_are_told():
    with pytest.raises(ArithmeticError, match="no law on 0 to 3"):
        binary_error.distances(3, 1.5, 5.0)  # more than 0 and 3 alone would have
