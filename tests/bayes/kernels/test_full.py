"""Full covariances: blocks of any length, and what moves by itself."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes.kernels.layout import BLOCK_ROWS
from rosenblatt.bayes.kernels.small import MOST_WEIGHTS

COLUMNS = MOST_WEIGHTS + 2  # fewer are learned row by row


@pytest.mark.parametrize("rows", [1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1])
def test_blocks_are_one_row_after_the_other(rows):
    """The Gram matrix of a block knows what each row changes for the next."""
    rng = np.random.default_rng(rows)
    X = rng.standard_normal((rows, COLUMNS))
    X[rows // 2 :] = X[: rows - rows // 2]  # the same rows again change most
    codes = (X[:, 0] > 0).astype(np.int64)
    start = filtering.start(COLUMNS, label_variance=1.0, prior=9.0)
    mean, V = np.zeros(COLUMNS), 9.0 * np.eye(COLUMNS)
    for x, code in zip(X, codes, strict=True):
        one = filtering.start(COLUMNS, label_variance=1.0).replaced(
            mean=mean[None], belief=V[None]
        )
        one = filtering.learn(one, x[None], [code])
        mean, V = one.mean[0], one.belief[0]
    found = filtering.learn(start, X, codes)
    near = 100 * rows * np.finfo(float).eps
    np.testing.assert_allclose(found.mean[0], mean, rtol=0, atol=near)
    np.testing.assert_allclose(found.belief[0], V, rtol=0, atol=near)
    assert np.array_equal(found.belief, found.belief.transpose(0, 2, 1))


def test_weights_drift_within_a_block_as_between():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2 * BLOCK_ROWS + 3, COLUMNS))
    codes = (X[:, 0] > 0).astype(np.int64)
    half_life, prior = 9.0, 2.0
    start = filtering.start(
        COLUMNS, label_variance=1.0, prior=prior, half_life=half_life
    )
    keep = 0.5 ** (1.0 / half_life)
    mean, V = np.zeros(COLUMNS), prior * np.eye(COLUMNS)
    for x, code in zip(X, codes, strict=True):
        one = filtering.start(COLUMNS, label_variance=1.0).replaced(
            mean=mean[None], belief=V[None]
        )
        one = filtering.learn(one, x[None], [code])
        mean = np.sqrt(keep) * one.mean[0]
        V = keep * one.belief[0] + (1.0 - keep) * prior * np.eye(COLUMNS)
    found = filtering.learn(start, X, codes)
    np.testing.assert_allclose(found.mean[0], mean, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.belief[0], V, rtol=1e-12, atol=1e-12)


def test_a_half_life_of_less_than_a_row_leaves_the_prior():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((2 * BLOCK_ROWS, COLUMNS))
    codes = (X[:, 0] > 0).astype(np.int64)
    start = filtering.start(COLUMNS, label_variance=1.0, prior=2.0, half_life=1e-3)
    found = filtering.learn(start, X, codes)
    np.testing.assert_allclose(found.mean, 0.0, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.belief[0], 2.0 * np.eye(COLUMNS), atol=1e-12)
