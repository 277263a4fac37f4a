"""Separability: answers, certificates that hold exactly, and degenerate data."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import rosenblatt as rb
from rosenblatt.linear.separation import perceptron_cycle, separability, signed
from tests import references


def check(X, y, found, fit_intercept=True):
    """Check the certificate, in fractions where there is one to check exactly."""
    Z, _ = signed(X, y, fit_intercept=fit_intercept)
    assert found.proven
    if found.separable:
        w = np.append(found.weights, found.intercept if fit_intercept else [])
        assert references.exactly_separates(Z, found.separator)
        assert not w.any() or found.separator == tuple(map(Fraction, w.tolist()))
        assert 0 < found.margin <= found.margin_bound
        assert found.rows.size == found.shares.size == 0
    else:
        assert (found.shares > 0).all()
        assert found.shares.sum() == pytest.approx(1)
        scale = np.abs(Z).max(initial=1e-300)
        assert np.abs(found.shares @ (Z[found.rows] / scale)).max() <= 1e-14
        assert found.margin == found.margin_bound == 0
        assert found.mistake_bound == math.inf
        assert not found.converged


def by_linear_program(Z):
    """Shares exist that add up to zero, or not; whole numbers only."""
    equations = np.vstack([Z.T, np.ones(len(Z))])
    right = np.append(np.zeros(Z.shape[1]), 1.0)
    return linprog(np.zeros(len(Z)), A_eq=equations, b_eq=right).status == 2


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_answers_are_those_of_linear_programs(fit_intercept):
    rng = np.random.default_rng(int(fit_intercept))
    answers = []
    for _ in range(150):
        rows, columns = rng.integers(2, 25), rng.integers(1, 6)
        X = rng.integers(-3, 4, (rows, columns)).astype(float)
        y = X @ rng.integers(-3, 4, columns) > rng.integers(-3, 4)
        y[rng.integers(rows)] ^= rng.random() < 0.6
        found = separability(X, y, fit_intercept=fit_intercept, passes=5)
        check(X, y, found, fit_intercept)
        Z, _ = signed(X, y, fit_intercept=fit_intercept)
        answers.append(found.separable)
        assert found.separable == by_linear_program(Z)
    assert 20 < sum(answers) < 130


def test_margins_are_those_of_a_support_vector_machine():
    rng = np.random.default_rng(0)
    for _ in range(10):
        X = rng.standard_normal((40, 3))
        y = X @ rng.standard_normal(3) > 0
        found = separability(X, y, fit_intercept=False)
        Z, _ = signed(X, y, fit_intercept=False)
        both = SVC(kernel="linear", C=1e8, tol=1e-9).fit(
            np.concatenate([Z, -Z]), np.repeat([1, -1], 40)
        )
        peer = 1 / np.linalg.norm(both.coef_)
        # the peer stops at a tolerance; that of the largest margin cannot be exceeded
        assert peer * (1 - 1e-4) < found.margin < peer * (1 + 1e-2)
        assert found.margin_bound == pytest.approx(found.margin, rel=1e-8)
        assert np.linalg.norm(found.weights) == pytest.approx(1)
        assert (Z @ found.weights).min() == pytest.approx(found.margin, rel=1e-9)


def test_the_rule_is_run_as_the_naive_twin_runs_it():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = separability(X, y == 0)
    Z, _ = signed(X, y == 0, fit_intercept=True)
    mistakes, _ = references.perceptron_mistakes(Z, len(found.mistakes))
    assert list(found.mistakes) == mistakes
    assert mistakes[-1] == mistakes[-2] == 5
    assert found.converged
    assert found.mistake_bound == pytest.approx(47.892, abs=1e-3)
    assert found.mistake_bound == (found.radius / found.margin) ** 2
    assert "5 errors in 3 passes, converged; never more than 47.89" in str(found)
    other = separability(X, y == 1, passes=7)
    mistakes, _ = references.perceptron_mistakes(
        signed(X, y == 1, fit_intercept=True)[0], 7
    )
    assert list(other.mistakes) == mistakes
    assert "and no end" in str(other)


ULP = 2.0**-52
CASES = {
    "duplicates with opposite labels": ([[1, 2], [1, 2], [3, 4]], [0, 1, 1], False),
    "one class": ([[1, 2], [-1, -2], [3, 4]], [1, 1, 1], True),
    "one example": ([[0.0]], ["a"], True),
    "equal columns": ([[1, 1], [2, 2], [3, 3]], [0, 0, 1], True),
    "constant column": ([[1, 7], [2, 7], [3, 7]], [0, 1, 0], False),
    "all the same": ([[1.0], [1.0]], [0, 1], False),
    "all zero": ([[0, 0], [0, 0]], [0, 1], False),
    "huge": ([[1e300, 1], [-1e300, 2]], [0, 1], True),
    "huge, not": ([[1e300], [-1e300], [0]], [0, 0, 1], False),
    "largest": ([[1.7e308], [-1.7e308], [1.6e308]], [0, 1, 0], True),
    "small": ([[1e-300], [-1e-300]], [0, 1], True),
    "mixed": ([[1e-200, 1e200], [-1e-200, 1e200], [3e-200, -1e200]], [0, 1, 0], True),
    "mixed, next to a line": (
        [[1e-200, 1e200], [3e-200, 3e200], [2e-200, 2e200]],
        [0, 0, 1],
        None,
    ),
    "next numbers": ([[1.0, 0.3], [1 + ULP, 0.3], [1.0, 0.7]], [0, 1, 0], True),
    "far away": ([[1e8], [1e8 + 1], [1e8 + 2], [1e8 + 3]], [0, 0, 1, 1], True),
    "far away, not": ([[1e8], [1e8 + 1], [1e8 + 2], [1e8 + 3]], [0, 1, 0, 1], False),
    "touching in a point": ([[0, 0], [1, 1], [0.5, 0.5]], [0, 0, 1], False),
    "touching along an edge": (
        [[0, 0], [0, 4], [0, 1], [0, 7], [5, 1]],
        [0, 0, 1, 1, 1],
        False,
    ),
    "touching, inexact": ([[0, 0], [0.3, 0.3], [0.1, 0.1]], [0, 0, 1], False),
    "exclusive or": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], False),
}


@pytest.mark.parametrize("name", CASES)
def test_degenerate_data_get_a_proved_answer(name):
    X, y, separable = CASES[name]
    found = separability(X, y)
    if separable is None:  # decided by the roundings of the numbers given
        exact = [[Fraction(x) for x in row] for row in X]
        (a, b), (c, d), (e, f) = exact
        separable = (c - a) * (f - b) != (d - b) * (e - a)
    assert found.separable == separable
    check(X, y, found)


THIRDS = [[-2 / 3, 1], [-37 / 3, 8], [16, -9], [11, -6]]  # on a line, to rounding


def test_a_separator_that_no_float_vector_represents_is_returned_in_fractions():
    y = [-1, 1, 1, -1]
    found = separability(THIRDS, y)
    assert not references.hulls_meet(THIRDS, y)
    assert found.separable
    check(THIRDS, y, found)
    assert not found.weights.any()
    assert found.intercept == 0.0
    assert "separable, by a vector of fractions only" in str(found)


def test_a_margin_below_the_smallest_number_is_proved_in_fractions():
    found = separability([[5e-324], [0.0]], [0, 1])
    assert (found.separable, found.proven, found.margin) == (True, True, 0.0)
    Z, _ = signed([[5e-324], [0.0]], [0, 1], fit_intercept=True)
    assert references.exactly_separates(Z, found.separator)


def nearly_collinear(rng):
    """Return four or five points that are on a line but for rounding, and classes."""
    size = rng.integers(4, 6)
    start, way = (rng.integers(-40, 41, 2) / rng.integers(1, 8) for _ in range(2))
    steps = rng.choice(np.arange(-12, 13), size, replace=False)
    y = rng.permutation(np.arange(size) % 2)
    return start + steps[:, None] * way, y


def test_nearly_collinear_points_are_always_decided():
    """Each answer is that of exact geometry; many are open to floating-point numbers.

    Without fractions for the separator 6% of such answers were not proven.
    """
    rng = np.random.default_rng(0)
    answers, in_fractions = [], 0
    for _ in range(400):
        X, y = nearly_collinear(rng)
        found = separability(X, y, passes=1)
        check(X, y, found)
        assert found.separable != references.hulls_meet(X, y)
        answers.append(found.separable)
        in_fractions += found.separable and not found.weights.any()
    assert 40 < sum(answers) < 360
    assert in_fractions > 10


def test_what_is_too_large_for_fractions_is_not_proven():
    wide = np.column_stack([THIRDS, np.zeros((4, 20))])
    found = separability(wide, [-1, 1, 1, -1])
    assert not found.proven
    assert found.separator == ()
    assert "not proven" in str(found)


def test_without_an_intercept_the_hyperplane_contains_the_origin():
    X, y = [[1.0], [3.0]], [0, 1]
    assert separability(X, y).separable
    found = separability(X, y, fit_intercept=False)
    check(X, y, found, fit_intercept=False)
    assert not found.separable
    zero = separability([[0.0, 0.0], [1.0, 2.0]], [0, 1], fit_intercept=False)
    assert not zero.separable
    assert zero.rows.tolist() == [0]
    assert zero.shares.tolist() == [1.0]


@pytest.mark.parametrize("kind", ["separable", "one wrong", "noise", "doubled"])
def test_many_examples(kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20_000, 60))
    fields = X @ rng.standard_normal(60)
    y = fields > 0
    if kind == "one wrong":
        y[fields.argmax()] ^= True
    elif kind == "noise":
        y ^= rng.random(len(y)) < 0.1
    elif kind == "doubled":
        X, y = np.concatenate([X, X[:1]]), np.append(y, ~y[0])
    found = separability(X, y, passes=5)
    assert found.separable == (kind == "separable")
    assert found.proven
    if found.separable:
        stability = np.where(y, 1, -1) * (X @ found.weights + found.intercept)
        assert stability.min() == pytest.approx(found.margin, rel=1e-6)
        assert found.margin_bound == pytest.approx(found.margin, rel=1e-7)


def test_orthonormal_examples_reach_the_bound():
    found = rb.separability(np.eye(7), np.ones(7), fit_intercept=False)
    assert found.mistakes == (7, 7)
    assert found.mistake_bound == pytest.approx(7)
    assert rb.separability(np.eye(7), np.ones(7), passes=0).mistakes == ()


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        ([1.0, 2.0], [0, 1], ValueError, r"X must have rows and columns.*\(2,\)"),
        (np.zeros((0, 2)), [], ValueError, r"at least one each, got shape \(0, 2\)"),
        ([["a"], ["b"]], [0, 1], TypeError, "X must be an array of numbers"),
        ([[10**400], [1]], [0, 1], TypeError, "X must be an array of numbers"),
        ([[1.0], [math.nan]], [0, 1], ValueError, "got nan in row 1, column 0"),
        ([[1.0j], [2.0]], [0, 1], TypeError, "X must be an array of numbers"),
        ([[1.0], [2.0]], [0], ValueError, "y must have 2 entries"),
        ([[1.0], [2.0]], [[0], [1, 2]], ValueError, "y must be one label for each row"),
        ([[1.0], [2.0]], [0, math.nan], ValueError, "y must not contain NaN"),
        ([[1.0], [2.0]], [None, "a"], TypeError, r"of one kind, got \[None, 'a'\]"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], ValueError, "two classes at most.*got 3"),
    ],
)
def test_bad_data_are_named(X, y, error, message):
    with pytest.raises(error, match=message):
        separability(X, y)


def test_bad_options_are_named():
    with pytest.raises(
        TypeError, match="fit_intercept must be True or False, got 'no'"
    ):
        separability([[1.0]], [1], fit_intercept="no")
    with pytest.raises(ValueError, match="passes must be a whole number not below 0"):
        separability([[1.0]], [1], passes=-1)


def test_a_number_of_passes_without_end_is_refused():
    with pytest.raises(ValueError, match="passes must be at most 1,000,000, got 1000"):
        rb.separability([[1.0], [-1.0]], [1, 1], passes=1e308)


XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_a_cycle_is_one():
    """After the cycle begins, a whole number of rounds changes nothing."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(30):
        X, y = rng.integers(-2, 3, (6, 2)), rng.integers(0, 2, 6)
        if separability(X, y, passes=0).separable:
            continue
        found += 1
        cycle = perceptron_cycle(X, y, passes=5000)
        Z, _ = signed(X, y, fit_intercept=True)
        for rounds in (0, 1, 3):
            passes = cycle.first + rounds * cycle.passes
            mistakes, w = references.perceptron_mistakes(Z, passes)
            assert w.tolist() == list(cycle.start)
            if rounds:
                before = mistakes[cycle.first - 1] if cycle.first else 0
                assert mistakes[-1] - before == rounds * cycle.errors
        assert len(cycle.presentations) == 6 * cycle.passes
        assert cycle.presentations[-1].weights == cycle.start
        assert cycle.errors > 0
    assert found > 5


def test_exclusive_or():
    cycle = rb.perceptron_cycle(XOR, [-1, 1, 1, -1])
    assert (cycle.passes, cycle.errors) == (1, 4)
    lines = str(cycle).splitlines()
    assert len(lines) == 5
    assert all("error" in line for line in lines[1:])


def test_what_is_learned_stays():
    cycle = perceptron_cycle(XOR, [-1, 1, 1, 1])
    assert (cycle.passes, cycle.errors) == (1, 0)


def test_numbers_that_do_not_come_again_give_nothing():
    assert perceptron_cycle(XOR, [-1, 1, 1, 1], passes=1) is None
    with pytest.raises(ValueError, match="passes must be a whole number not below 1"):
        perceptron_cycle(XOR, [-1, 1, 1, 1], passes=0)
