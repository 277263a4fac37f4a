import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.bits import pack
from rosenblatt.linear.batches import dense_blocks


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
