import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.bits import pack
from rosenblatt.linear.binary import (
    BINARY_LEARNER,
    EXAMPLES,
    MISTAKES,
    WRONG,
    BinaryLearner,
    dense_blocks,
    learn_binary,
    noise_of,
)

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


def test_estimated_noise_starts_at_a_quarter():
    prior = BinaryLearner.prior(2, False, models=3)
    assert noise_of(prior, "auto").tolist() == [0.25] * 3
    assert noise_of(prior, 0.1).tolist() == [0.1] * 3


@pytest.mark.parametrize("which", [MISTAKES, WRONG])
def test_more_wrong_labels_than_labels_are_refused(which):
    """The estimated noise would be above 1, and so would probabilities."""
    learner = BinaryLearner.prior(2, False)
    learner.numbers[0, [EXAMPLES, which]] = 3.0, 3.0
    BINARY_LEARNER.check(learner)
    learner.numbers[0, which] = 3.1
    with pytest.raises(ValueError, match="numbers of examples, of mistakes"):
        BINARY_LEARNER.check(learner)


@pytest.mark.parametrize("kind", ["dense", "sparse", "bits"])
def test_blocks_are_the_table_in_double_precision(kind):
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], (300, 500))
    table = {"dense": X.astype(np.float32), "sparse": csr_matrix(X), "bits": pack(X)}
    blocks = list(dense_blocks(table[kind]))
    assert len(blocks) > 1
    assert all(block.dtype == np.float64 for _, block in blocks)
    np.testing.assert_array_equal(np.concatenate([block for _, block in blocks]), X)
    for part, block in blocks:
        np.testing.assert_array_equal(X[part], block)
