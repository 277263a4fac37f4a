import itertools

import numpy as np
import pytest

from rosenblatt.theory.closed import clipped_hebb, influences


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


def test_small_influences_keep_their_digits():
    # the other 100 must be tied, 50 to 50
    found = influences.influences(np.ones(101), chances=0.999)
    tie = np.exp(50 * np.log(0.999 * 0.001)) * 1.0089134454556418e29  # C(100, 50)
    np.testing.assert_allclose(found.influence, 2 * tie, rtol=1e-12)


def test_with_fair_inputs_the_correlation_is_the_vote_of_the_clipped_hebb_rule():
    for n in (50, 101):
        found = influences.influences(np.ones(n))
        np.testing.assert_allclose(found.correlation, clipped_hebb.bias(n), rtol=1e-12)


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


def test_the_search_finds_what_a_fine_grid_finds():
    best = 0.0
    for first, rest in itertools.product(np.linspace(0.1, 0.9, 81), repeat=2):
        found = influences.influences(np.ones(3), 0, [first, rest, rest])
        covariance = 2 * first * (1 - first) * found.influence[0]
        best = max(best, min(-found.correlation[0], covariance))
    chances = influences.malicious(3)
    found = influences.influences(np.ones(3), 0, chances)
    assert -found.correlation[0] > 0.99 * best


def test_the_smallest_malicious_law_by_hand():
    law = [0.1, 0.9, 0.9]
    found = influences.influences([1, 1, 1], 0, law)
    # E[g] = 2 (0.81 + 0.1 * 0.18) - 1, and the others are tied with 0.18
    assert found.correlation[0] == pytest.approx(-0.8 * 0.656 + 0.18 * 0.36)
    assert found.influence[0] == pytest.approx(0.36)
    wrong = influences.disagreement([1, 1, 1], [-1, 1, 1], chances=law)
    assert wrong == pytest.approx(0.18)


@pytest.mark.parametrize(
    ("call", "message"),
    [
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
