"""Long blocks of rows, for many weights."""

import numpy as np

from rosenblatt import filters as filtering
from rosenblatt.filters.kernels.layout import BLOCK_ROWS, block_rows


def test_rows_of_many_weights_are_learned_in_long_blocks_as_one_by_one():
    columns = 257
    rows = block_rows(columns)
    assert rows > BLOCK_ROWS == block_rows(100)
    X = np.random.default_rng(0).standard_normal((rows + 3, columns))
    codes = (X[:, 0] > 0).astype(np.int64)
    start = filtering.start(columns, label_variance=1.0, noise=0.1, half_life=50.0)
    single = start
    whole = filtering.learn(start, X, codes)
    for i in range(len(X)):
        single = filtering.learn(single, X[i : i + 1], codes[i : i + 1])
    np.testing.assert_allclose(whole.mean, single.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(whole.belief, single.belief, rtol=1e-9, atol=1e-12)
