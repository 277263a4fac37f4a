"""Weights from counts are those of the printed steps, ties included."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from rosenblatt.bits import Counts, count, pack
from rosenblatt.counting.binary_weights import (
    clipped_hebb_weights,
    influence_intervals,
    influence_weights,
)
from tests import references

SEED = 1993


def examples(rng, rows, columns):
    """Return inputs and labels -1 and +1 with frequencies of all kinds."""
    X = np.where(rng.random((rows, columns)) < rng.random(columns) ** 3, 1, -1)
    return X, np.where(rng.random(rows) < rng.random(), 1, -1)


@pytest.mark.parametrize("eps", ["0.1", "0.3", "0.8"])
def test_weights_are_those_of_the_printed_steps(eps):
    rng = np.random.default_rng(SEED)
    kinds = set()
    for _ in range(300):
        X, y = examples(rng, int(rng.integers(1, 40)), int(rng.integers(1, 6)))
        found = influence_weights(count(pack(X), y), float(eps))
        wanted, threshold = references.learn_binary_perceptron(X, y, Fraction(eps))
        np.testing.assert_array_equal(found.values, wanted)
        constant = {-(X.shape[1] + 1): 1, X.shape[1]: -1}.get(threshold, 0)
        if found.constant:
            assert found.constant == constant
        kinds.add((found.constant, bool(found.neglected), bool(found.values.any())))
    # all ways through the figure: constant, with columns neglected, with weights
    assert {k[0] for k in kinds} == {-1, 0, 1}
    assert {(0, True, True), (0, False, True), (0, True, False)} <= kinds


@pytest.mark.parametrize(
    ("positive", "negative", "constant"),
    [(37, 3, 1), (36, 4, 0), (3, 37, -1), (4, 36, 0)],
)
def test_ties_of_steps_2_and_3_make_a_constant(positive, negative, constant):
    # eps/4 = 3/40, which 0.3/4 in binary is not
    counts = Counts(np.array([positive]), np.array([0]), positive, negative)
    assert influence_weights(counts, 0.3).constant == constant


def test_ties_of_step_5_are_neglected_and_say_why():
    # eps/4n = 0.4/8 = 1/20 of 40 examples
    counts = Counts(np.array([2, 3]), np.array([0, 0]), 20, 20)
    found = influence_weights(counts, 0.4)
    assert found.values.tolist() == [0, 1]
    assert found.neglected == {
        0: "high in 2 of 40 examples, not above eps/4n = 0.05 of them"
    }
    counts = Counts(np.array([20, 0]), np.array([18, 0]), 20, 20)
    assert influence_weights(counts, 0.4).neglected == {
        0: "low in 2 of 40 examples, not above eps/4n = 0.05 of them",
        1: "always low",
    }


def test_ties_of_step_6_are_not_influential():
    # Inf = 2 (51/100 - 49/100) = 1/25, and rho/2(n+1) = eps/8 for one column
    counts = Counts(np.array([51]), np.array([49]), 100, 100)
    assert influence_weights(counts, 0.32).values.tolist() == [0]
    assert influence_weights(counts, 0.3199).values.tolist() == [1]


def test_clipped_hebb_weights_are_those_of_the_reference():
    rng = np.random.default_rng(SEED)
    ties = 0
    for _ in range(100):
        X, y = examples(rng, 12, 7)
        found = clipped_hebb_weights(count(pack(X), y))
        np.testing.assert_array_equal(found, references.clipped_hebb(X, y))
        ties += np.count_nonzero(y @ X == 0)
    assert ties > 10


def test_intervals_are_made_of_exact_ones():
    rng = np.random.default_rng(SEED)
    X, y = examples(rng, 60, 5)
    X[:, 4] = 1
    found = influence_intervals(count(pack(X), y), 0.1)
    for i in range(5):
        ends = []
        for level in (1, -1):
            given = X[:, i] == level
            hits, trials = int((y[given] == 1).sum()), int(given.sum())
            level = 1 - 0.1 / (2 * 5)
            ends.append(
                binomtest(hits, trials).proportion_ci(level) if trials else (0.0, 1.0)
            )
        (low1, high1), (low0, high0) = ends
        np.testing.assert_allclose(
            found[i], [2 * (low1 - high0), 2 * (high1 - low0)], rtol=1e-9
        )


def test_intervals_hold_all_influences_as_often_as_they_say():
    rng = np.random.default_rng(SEED)
    runs, delta, columns = 400, 0.2, 3
    truth = 2 * np.array([0.3, 0.0, -0.1])  # P(y = + | x) = 0.5 +- half the difference
    missed = 0
    for _ in range(runs):
        X = rng.choice([-1, 1], (80, columns))
        y = np.where(rng.random(80) < 0.5 + X @ truth / 4, 1, -1)
        low, high = influence_intervals(count(pack(X), y), delta).T
        missed += not np.all((low <= truth) & (truth <= high))
    assert missed <= runs * delta + 5 * np.sqrt(runs * delta * (1 - delta))
    assert missed > 0


@pytest.mark.parametrize("eps", [0, 1, -0.1, np.nan, np.inf])
def test_accuracy_must_be_a_proper_fraction(eps):
    counts = Counts(np.array([1]), np.array([0]), 1, 1)
    with pytest.raises((ValueError, TypeError), match="eps must be a number above 0"):
        influence_weights(counts, eps)
    with pytest.raises(TypeError, match="eps must be a number above 0"):
        influence_weights(counts, "little")


def test_no_examples_are_too_few():
    counts = Counts(np.array([0]), np.array([0]), 0, 0)
    with pytest.raises(ValueError, match="one example or more"):
        influence_weights(counts, 0.1)


@pytest.mark.parametrize("factor", [1, 10**3, 10**9, 10**13])
def test_any_number_of_examples_is_decided_exactly(factor):
    # the tie of step 6, and one example in 200 * factor beside it
    high = np.array([51]) * factor, np.array([49]) * factor
    tie = Counts(*high, 100 * factor, 100 * factor)
    more = Counts(tie.high_positive + 1, tie.high_negative - 1, *[100 * factor] * 2)
    assert influence_weights(tie, 0.32).values.tolist() == [0]
    assert influence_weights(more, 0.32).values.tolist() == [1]
