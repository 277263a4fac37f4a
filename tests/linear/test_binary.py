import numpy as np
import pytest

from rosenblatt.linear.binary import learn_binary
from rosenblatt.linear.binary_learner import BinaryLearner

GIVEN = {"noise": "auto", "floor": 1.0, "standardise": True}


def table(rows=200, columns=9):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns)) + 3.0
    return X, (X.sum(axis=1) > 27.0).astype(np.int64)


def test_two_halves_are_the_whole_and_the_learner_given_stays():
    X, codes = table()
    first = BinaryLearner.prior(9, True)
    whole = learn_binary(first, X, codes, **GIVEN)
    half = learn_binary(first, X[:80], codes[:80], **GIVEN)
    parts = learn_binary(half, X[80:], codes[80:], **GIVEN)
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(a, b)
    assert first.examples == 0
    assert whole.examples == 200


def test_repeated_rows_are_presented_in_succession():
    X, codes = table(rows=20)
    times = np.arange(20) % 3
    prior = BinaryLearner.prior(9, True)
    a = learn_binary(prior, X, codes, **GIVEN, repeats=times)
    b = learn_binary(
        prior, np.repeat(X, times, axis=0), np.repeat(codes, times), **GIVEN
    )
    for x, y in zip(a, b, strict=True):
        np.testing.assert_array_equal(x, y)


def test_differences_that_overflow_are_named():
    X, codes = np.array([[1e308, 0.0], [-1e308, 1.0]]), np.array([0, 1])
    with pytest.raises(ValueError, match="column 0 where they are not"):
        learn_binary(BinaryLearner.prior(2, True), X, codes, **GIVEN)
