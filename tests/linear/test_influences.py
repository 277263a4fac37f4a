"""Weights from counts are those of the printed steps, ties included."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from rosenblatt.bits import Counts, count, pack
from rosenblatt.linear.influences import (
    Searched,
    clipped_hebb_weights,
    guarantee,
    influence_intervals,
    influence_weights,
    required_examples,
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


@pytest.mark.parametrize("factor", [1, 10**3, 10**9, 10**13])
def test_any_number_of_examples_is_decided_exactly(factor):
    # the tie of step 6, and one example in 200 * factor beside it
    high = np.array([51]) * factor, np.array([49]) * factor
    tie = Counts(*high, 100 * factor, 100 * factor)
    more = Counts(tie.high_positive + 1, tie.high_negative - 1, *[100 * factor] * 2)
    assert influence_weights(tie, 0.32).values.tolist() == [0]
    assert influence_weights(more, 0.32).values.tolist() == [1]


@pytest.mark.parametrize(
    ("n", "eps", "delta"),
    [(3, 0.5, 0.5), (8, 0.5, 0.5), (50, 0.1, 0.05), (1, 0.9, 0.9)],
)
def test_required_examples_are_those_of_the_theorem(n, eps, delta):
    printed = (160 * n * (n + 1)) ** 2 / eps**4 * math.log(32 * n / delta)
    found = required_examples(n, eps, delta)
    assert found == pytest.approx(math.ceil(printed), rel=1e-12)


def counts(total, positive, high):
    """Return counts in which labels and columns are as independent as can be."""
    high = np.array(high, dtype=np.int64)
    high_positive = np.array([int(h) * positive // total for h in high])
    return Counts(high_positive, high - high_positive, positive, total - positive)


@pytest.mark.parametrize(("n", "eps", "delta"), [(3, 0.5, 0.5), (20, 0.1, 0.01)])
def test_the_theorems_number_is_enough_for_all_four_statements(n, eps, delta):
    # as unfavourable as steps 3 and 5 let through: labels and columns rarely positive
    m = required_examples(n, eps, delta)
    rare = int(m * eps / (4 * n)) + 1
    found = guarantee(counts(m, int(m * eps / 4) + 1, [rare] * n), eps, delta)
    assert found.met
    assert found.eps == pytest.approx(eps, rel=1e-9)
    assert [s.about for s in found.statements] == [
        "labels",
        "columns",
        "influences",
        "threshold",
    ]
    for statement in found.statements:
        assert statement.reached <= statement.wanted
        assert statement.eps <= eps
    assert found.binding.about == "influences"
    assert not guarantee(counts(m - 1, m // 2, [m // 2] * n), eps, delta).met


def test_precisions_are_those_of_hoeffding():
    n, m, delta = 2, 1000, 0.05
    found = guarantee(counts(m, 300, [100, 600]), 0.1, delta)
    failures = {  # the probability of being further off, for frequencies of k trials
        "labels": [(m, delta / 2, 1)],
        "columns": [(m, delta / (4 * n), 1)],
        "threshold": [(300, delta / (16 * n), 1)],
    }
    for about, [(trials, fails, factor)] in failures.items():
        [statement] = [s for s in found.statements if s.about == about]
        off = statement.reached / factor
        assert 2 * math.exp(-2 * trials * off**2) == pytest.approx(fails)
    [influences] = [s for s in found.statements if s.about == "influences"]

    def off(trials):
        return math.sqrt(math.log(2 * 16 * n / delta) / 2 / trials)

    assert influences.reached == pytest.approx(2 * (off(100) + off(900)))
    assert influences.wanted == pytest.approx(0.1 / (4 * (n + 1)))
    assert influences.eps == pytest.approx(influences.reached * 4 * (n + 1))


def test_statements_that_are_not_needed_are_left_out():
    constant = guarantee(counts(1000, 999, [500]), 0.1, 0.05)
    assert [s.about for s in constant.statements] == ["labels"]
    unchanging = guarantee(counts(1000, 500, [1000]), 0.1, 0.05)
    assert "influences" not in [s.about for s in unchanging.statements]


def test_a_threshold_from_fewer_examples_is_worth_as_much_as_these():
    n, eps, delta = 3, 0.5, 0.5
    m = required_examples(n, eps, delta)
    all_of_them = counts(m, m // 2, [m // 2] * n)
    assert guarantee(all_of_them, eps, delta, Searched(m, m // 2)).met
    found = guarantee(all_of_them, eps, delta, Searched(m // 16, 20))
    assert not found.met
    assert found.eps == pytest.approx(2 * eps, rel=1e-6)
    assert found.binding.about == "threshold"
    # Hoeffding's inequality for 20 trials
    off = found.binding.reached
    assert 2 * math.exp(-2 * 20 * off**2) == pytest.approx(delta / (16 * n))
    assert f"The threshold is from {m // 16} examples." in str(found)
    assert guarantee(all_of_them, eps, delta, Searched(0, 0)).eps == math.inf
    more = guarantee(all_of_them, eps, delta, Searched(2 * m, m))
    assert more.met
    assert more.eps == pytest.approx(eps, rel=1e-6)
    # a constant needs no threshold
    constant = guarantee(counts(m, m - 1, [m // 2] * n), eps, delta, Searched(0, 0))
    assert constant.met
    assert "threshold" not in str(constant)


def test_another_search_is_said_not_to_be_the_theorems():
    given = counts(1000, 500, [500])
    printed, other = (
        str(guarantee(given, 0.1, 0.05, Searched(1000, 500, how)))
        for how in (True, False)
    )
    assert "printed" not in printed
    assert other.endswith("about the printed search for the threshold, not this.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.1, 0.1), "n must be a whole number not below 1, got 0"),
        ((2, 0.0, 0.1), "eps must be a number above 0 and below 1, got 0.0"),
        ((2, 0.1, 1.0), "delta must be a number above 0 and below 1, got 1.0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        required_examples(*arguments)


@pytest.mark.parametrize(("eps", "delta"), [(1e-320, 0.1), (0.1, 5e-324), (1e-90, 0.1)])
def test_more_examples_than_the_largest_float_are_refused(eps, delta):
    with pytest.raises(ValueError, match="fewer examples than the largest float"):
        required_examples(10, eps, delta)
