"""Products and updates of small symmetric matrices equal those of NumPy."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.pointers import pointer_to
from rosenblatt.compiling.vector.symmetric import (
    LANES,
    multiply_symmetric,
    update_symmetric,
)

_vector = types.float64[::1]


@kernel(types.void, _vector, _vector, _vector, types.int64)
def _both(matrix, vector, result, size):
    m, v, r = pointer_to(matrix), pointer_to(vector), pointer_to(result)
    multiply_symmetric(m, v, r, size)
    update_symmetric(m, v, -1.0, 0.5, size)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 21])
def test_padded_rows(size):
    rng = np.random.default_rng(size)
    wide = -(-size // LANES) * LANES
    V = rng.standard_normal((size, size))
    V = V + V.T
    matrix, vector, result = np.zeros((size, wide)), np.zeros(wide), np.ones(wide)
    matrix[:, :size], vector[:size] = V, rng.standard_normal(size)
    x = vector[:size].copy()
    _both(matrix.ravel(), vector, result, size)
    np.testing.assert_allclose(result[:size], V @ x, rtol=1e-13, atol=1e-13)
    assert not result[size:].any()
    found = matrix[:, :size]
    np.testing.assert_allclose(found, 0.5 * V + np.outer(x, x), rtol=1e-13, atol=1e-13)
    assert np.array_equal(found, found.T)
    assert not matrix[:, size:].any()
