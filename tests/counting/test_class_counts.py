import numpy as np
import pytest

from rosenblatt.bits import count, pack
from rosenblatt.counting.class_counts import tally


@pytest.mark.parametrize("classes", [1, 2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_tally_counts_each_class(classes, weighted):
    rng = np.random.default_rng(1993)
    X, codes = rng.integers(0, 2, (90, 70)), rng.integers(0, classes, 90)
    weights = rng.integers(0, 4, 90) if weighted else None
    found = tally(pack(X), codes, classes, weights)
    repeated = np.ones(90, int) if weights is None else weights
    for k in range(classes):
        chosen = (codes == k) * repeated
        np.testing.assert_array_equal(found.high[k], chosen @ X)
        assert found.rows[k] == chosen.sum()
        assert found.against_rest(k) == count(pack(X), codes == k, weights)
