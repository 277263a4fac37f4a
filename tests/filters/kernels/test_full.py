"""Full covariances: blocks of any length, and precision in the long run."""

import numpy as np
import pytest

from rosenblatt import filters as filtering
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.filters.kernels.layout import BLOCK_ROWS
from tests.filters.problems import ONCE, run, seen


@pytest.mark.parametrize("rows", [1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1])
def test_blocks_are_one_row_after_the_other(rows):
    """The Gram matrix of a block knows what each row changes for the next."""
    rng = np.random.default_rng(rows)
    X = rng.standard_normal((rows, 5))
    X[rows // 2 :] = X[: rows - rows // 2]  # the same rows again change most
    codes = (X[:, 0] > 0).astype(np.int64)
    start = filtering.start(5, label_variance=1.0, prior=9.0)
    mean, V = np.zeros(5), 9.0 * np.eye(5)
    for x, code in zip(X, codes, strict=True):
        one = filtering.start(5, label_variance=1.0).replaced(
            mean=mean[None], belief=V[None]
        )
        one = filtering.learn(one, x[None], [code])
        mean, V = one.mean[0], one.belief[0]
    found = filtering.learn(start, X, codes)
    near = 100 * rows * np.finfo(float).eps
    np.testing.assert_allclose(found.mean[0], mean, rtol=0, atol=near)
    np.testing.assert_allclose(found.belief[0], V, rtol=0, atol=near)
    assert np.array_equal(found.belief, found.belief.transpose(0, 2, 1))


def belief_of_doubled_columns(examples):
    """Return the covariance after examples whose columns come twice."""
    rng = np.random.default_rng(0)
    features = 6
    mean, known = np.zeros((1, features + 1)), np.eye(features + 1)[None]
    frame, none = (np.zeros(features), np.ones(features)), np.zeros((2, 0))
    filter = seen(
        "full", *frame, np.zeros(1), mean, known, sums=none, label_variance=1.0
    )
    block = min(examples, 10_000)
    for _ in range(examples // block):
        half = rng.standard_normal((block, features // 2))
        X = np.concatenate([half, half], axis=1)
        codes = (half.sum(axis=1) + rng.standard_normal(block) > 0).astype(np.int64)
        assert run(filter, X, codes, ONCE) == -1
    return filter.belief[0]


def test_the_covariance_stays_positive_definite():
    examples = 100 if PLAIN else 10**6
    V = belief_of_doubled_columns(examples)
    assert np.array_equal(V, V.T)
    values = np.linalg.eigvalsh(V)
    assert values[0] > 0
    # The difference of two equal columns is not seen by any label: its variance stays
    # that of the prior, while each label narrows their sum.
    apart = np.array([1.0, 0, 0, -1, 0, 0, 0]) / np.sqrt(2)
    assert apart @ V @ apart == pytest.approx(1.0, abs=1e-9)
    assert values[0] < 10 / examples
