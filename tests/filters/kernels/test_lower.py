"""Lower halves of matrices against NumPy."""

import numpy as np
import pytest

from rosenblatt.filters.kernels.lower import invert_lower, mirror, multiply_lower


@pytest.mark.parametrize("size", [1, 5, 37])
def test_symmetric_matrices(size):
    rng = np.random.default_rng(size)
    A = rng.standard_normal((size, size))
    A, x = A + A.T, rng.standard_normal(size)
    found = np.empty(size)
    lower = np.where(np.tri(size, dtype=bool), A, np.nan).ravel()
    multiply_lower(lower, x, size, found)
    np.testing.assert_allclose(found, A @ x, atol=1e-12)
    mirror(lower, size)
    assert np.array_equal(lower.reshape(size, size), A)


def test_an_inverse_of_a_part():
    rng = np.random.default_rng(0)
    size, stride = 3, 4
    L = np.tril(rng.standard_normal((stride, stride)), -1) + np.eye(stride)
    room = np.concatenate([np.full(5, np.nan), L.ravel()])
    inverse = np.zeros(stride * stride)
    invert_lower(room, 5, size, stride, inverse)
    part = slice(None, size)
    product = L[part, part] @ inverse.reshape(stride, stride)[part, part]
    np.testing.assert_allclose(product, np.eye(size), atol=1e-12)
