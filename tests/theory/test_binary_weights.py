"""Closed forms for binary weights at finite n, against all samples and inputs."""

import itertools
from collections import defaultdict

import numpy as np
import pytest
from scipy.stats import binom

from rosenblatt.theory.closed import binary_error, clipped_hebb, influences

TARGETS = [  # n, m, +1 weights of the target, noise
    (1, 3, 1, 0.1),
    (2, 1, 1, 0.0),
    (2, 4, 1, 0.2),
    (3, 0, 1, 0.0),
    (3, 2, 2, 0.0),
    (3, 2, 0, 0.0),
    (3, 3, 1, 0.1),
    (4, 1, 4, 0.0),
    (4, 5, 2, 0.0),
    (4, 6, 3, 0.0),
    (5, 4, 3, 0.3),
]


def every_sample(n, m, positive, noise):
    """The law of the votes' sums, one example after the other, and the target."""
    target = np.array([1] * positive + [-1] * (n - positive))
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    labels = np.where(inputs @ target > 0, 1, -1)
    steps = defaultdict(float)
    for x, y in zip(inputs, labels, strict=True):
        steps[tuple(x * y)] += (1 - noise) / 2**n
        steps[tuple(-x * y)] += noise / 2**n
    law = {(0,) * n: 1.0}
    for _ in range(m):
        after = defaultdict(float)
        for (sums, p), (step, r) in itertools.product(law.items(), steps.items()):
            if r:
                after[tuple(np.add(sums, step).tolist())] += p * r
        law = after
    return law, target


@pytest.mark.parametrize("n", range(1, 10))
def test_errors_are_those_of_all_inputs(n):
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    target = np.ones(n)
    for apart in range(n + 1):
        student = np.where(np.arange(n) < apart, -1, 1)
        differ = np.mean((inputs @ target > 0) != (inputs @ student > 0))
        assert binary_error.error(n, apart) == pytest.approx(differ, abs=1e-14)


def test_the_law_of_distances_has_the_moments_it_is_given():
    for mean, variance in [(3.7, 3.0), (50.0, 15.0), (0.02, 0.0197), (90.0, 12.0)]:
        law = binary_error.distances(100, mean, variance)
        d = np.arange(101)
        assert law.sum() == pytest.approx(1)
        assert law @ d == pytest.approx(mean, rel=1e-9)
        assert law @ (d - mean) ** 2 == pytest.approx(variance, rel=1e-8)


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


@pytest.mark.parametrize(("n", "m", "positive", "noise"), TARGETS)
def test_moments_are_those_of_all_samples(n, m, positive, noise):
    law, target = every_sample(n, m, positive, noise)
    chances = np.array(list(law.values()))
    students = np.where(np.array(list(law)) > 0, 1, -1)
    overlaps = students @ target / n
    mean = chances @ overlaps
    variance = chances @ (overlaps - mean) ** 2
    found = clipped_hebb.overlap(n, m, noise, positive=positive)
    assert found == pytest.approx((mean, variance), abs=1e-12)
    wrong = chances @ (students != target)
    for i, chance in enumerate(wrong):
        side = 0 if target[i] > 0 else 1
        assert clipped_hebb.wrong(n, m, noise)[side] == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize("n", range(1, 9))
def test_votes_are_those_of_all_inputs(n):
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    labels = np.where(inputs.sum(axis=1) > 0, 1, -1)
    votes = labels[:, None] * inputs
    assert clipped_hebb.bias(n) == pytest.approx(votes[:, 0].mean(), rel=1e-13)
    if n > 1:
        assert (votes[:, 0] * votes[:, 1]).mean() == 0
    assert clipped_hebb.bias(n, 0.2) == pytest.approx(0.6 * clipped_hebb.bias(n))


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_moments_approach_their_limits(noise):
    for alpha in (0.5, 2.0, 8.0):
        gaps = []
        for n in (1000, 10_000):
            found = clipped_hebb.overlap(n, int(alpha * n) + 1, noise)
            exact = (int(alpha * n) + 1) / n
            gaps.append(
                [
                    found.mean - clipped_hebb.limit_overlap(exact, noise),
                    n * found.variance - clipped_hebb.limit_variance(exact, noise),
                ]
            )
        # corrections are of order 1/n
        assert np.all(np.abs(gaps[0]) < 1e-2)
        np.testing.assert_allclose(gaps[1], np.divide(gaps[0], 10), rtol=0.1, atol=1e-7)


def everything(chances):
    inputs = np.array(list(itertools.product([-1, 1], repeat=len(chances))))
    return inputs, np.prod(np.where(inputs > 0, chances, 1 - chances), axis=1)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6])
def test_all_is_as_in_a_table_of_all_inputs(n):
    rng = np.random.default_rng(n)
    thresholds = [-n - 1, -1, 0, 1, 2, 0.5, -1.5, n]
    for _ in range(60):
        w, v = rng.choice([-1, 0, 1], (2, n))
        chances = rng.random(n)
        first = rng.choice(thresholds)
        second = rng.choice([*thresholds, np.inf, -np.inf])
        x, p = everything(chances)
        g, h = np.where(x @ w > first, 1, -1), np.where(x @ v > second, 1, -1)
        found = influences.influences(w, first, chances)
        assert found.positive == pytest.approx(p[g > 0].sum(), abs=1e-13)
        np.testing.assert_allclose(found.correlation, (p * g) @ x, atol=1e-13)
        up, down = ((p * g) @ (x == s) / (p @ (x == s)) for s in (1, -1))
        np.testing.assert_allclose(found.influence, up - down, atol=1e-11)
        differ = influences.disagreement(w, v, first, second, chances)
        assert differ == pytest.approx(p[g != h].sum(), abs=1e-13)


@pytest.mark.parametrize(
    ("n", "threshold"), [(2, 0), (3, 0), (3, 1), (10, -4), (101, 0), (501, 0)]
)
def test_malicious_laws_fool_the_correlation_and_not_the_influence(n, threshold):
    chances = influences.malicious(n, threshold)
    assert np.all((chances >= 0.1) & (chances <= 0.9))
    found = influences.influences(np.ones(n), threshold, chances)
    assert found.correlation[0] < 0 < found.influence[0]
    # the other weights are right, and the two sides are balanced
    assert np.all(found.correlation[1:] > 0)
    covariance = 2 * chances[0] * (1 - chances[0]) * found.influence[0]
    assert covariance == pytest.approx(-found.correlation[0], rel=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: binary_error.error(3, 4), "distance must be whole numbers from 0"),
        (lambda: binary_error.error(3, 0.5), "distance must be whole numbers from 0"),
        (lambda: binary_error.distances(3, 4.0, 1.0), "mean must be"),
        (lambda: binary_error.distances(3, 1.0, 0.0), "variance must be"),
        (lambda: clipped_hebb.bias(0), "dim must be a whole number not below 1"),
        (lambda: clipped_hebb.bias(3, 0.6), "noise must be a number from 0 to 0.5"),
        (lambda: clipped_hebb.wrong(3, -1), "examples must be a whole number"),
        (lambda: clipped_hebb.overlap(3, 1, positive=4), "positive must be at most"),
        (lambda: influences.influences([2.0]), "weights must be one or more of"),
        (lambda: influences.influences([1], chances=[0.1, 0.2]), "chances must be"),
        (lambda: influences.influences([1], chances=1.5), "chances must be"),
        (lambda: influences.disagreement([1], [1, 1]), "student must have 1 weights"),
        (lambda: influences.disagreement([1], [1], np.nan), "^threshold must be"),
        (lambda: influences.disagreement([1], [1], 0, np.nan), "student_threshold"),
        (lambda: influences.malicious(1), "dim must be a whole number not below 2"),
        (lambda: influences.malicious(3, 3), "threshold must be"),
        (lambda: influences.malicious(3, least=0.6), "least must be"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
