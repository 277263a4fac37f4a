import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from rosenblatt.theory.closed import clipped_hebb
from tests.theory.closed.samples import every_sample

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


def test_the_smallest_case_by_hand():
    found = clipped_hebb.overlap(3, 2, positive=2)
    assert found == pytest.approx((0.375, 0.1371528), abs=5e-8)


@pytest.mark.parametrize("n", range(1, 9))
def test_votes_are_those_of_all_inputs(n):
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    labels = np.where(inputs.sum(axis=1) > 0, 1, -1)
    votes = labels[:, None] * inputs
    assert clipped_hebb.bias(n) == pytest.approx(votes[:, 0].mean(), rel=1e-13)
    if n > 1:
        assert (votes[:, 0] * votes[:, 1]).mean() == 0
    assert clipped_hebb.bias(n, 0.2) == pytest.approx(0.6 * clipped_hebb.bias(n))


def test_an_even_number_of_inputs_votes_as_the_next_odd_one():
    for n in (2, 50, 10**6):
        assert clipped_hebb.bias(n) == clipped_hebb.bias(n + 1)
    # Stirling's formula, of which the next term is -1/4n
    mu = clipped_hebb.bias(10**6)
    assert mu * math.sqrt(math.pi * 10**6 / 2) == pytest.approx(1 - 0.25e-6, abs=1e-8)


def test_small_chances_keep_their_digits():
    n, m = 101, 4801
    q = (1 + clipped_hebb.bias(n)) / 2
    logs = binom.logpmf(np.arange(m // 2 + 1), m, q)
    chance = math.fsum(np.exp(logs))
    assert chance < 1e-7
    assert clipped_hebb.wrong(n, m)[0] == pytest.approx(chance, rel=1e-9)


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


def test_a_million_inputs_and_examples():
    found = clipped_hebb.overlap(10**6, 10**6)
    assert found.mean == pytest.approx(float(clipped_hebb.limit_overlap(1)), abs=1e-6)
    limit = float(clipped_hebb.limit_variance(1))
    assert 1e6 * found.variance == pytest.approx(limit, abs=1e-5)


def test_moments_are_those_of_simulated_students():
    # 4000 students: 5 standard errors of the mean are 0.008 of its 0.70, those of the
    # variance 0.11 of it, which an independent-binomial variance exceeds by 0.26
    n, m, replicas = 40, 60, 4000
    rng = np.random.default_rng(1993)
    target = np.where(np.arange(n) < 10, 1, -1)
    overlaps = np.empty(replicas)
    for r in range(replicas):
        x = rng.choice([-1, 1], size=(m, n))
        y = np.where(x @ target > 0, 1, -1)
        overlaps[r] = np.where(y @ x > 0, 1, -1) @ target / n
    mean, variance = clipped_hebb.overlap(n, m, positive=10)
    assert abs(overlaps.mean() - mean) < 5 * math.sqrt(variance / replicas)
    squares = (overlaps - mean) ** 2
    assert abs(squares.mean() - variance) < 5 * squares.std() / math.sqrt(replicas)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clipped_hebb.bias(0), "dim must be a whole number not below 1"),
        (lambda: clipped_hebb.bias(3, 0.6), "noise must be a number from 0 to 0.5"),
        (lambda: clipped_hebb.wrong(3, -1), "examples must be a whole number"),
        (lambda: clipped_hebb.overlap(3, 1, positive=4), "positive must be at most"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
