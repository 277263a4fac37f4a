"""Lower halves of matrices against NumPy."""

import numpy as np
import pytest

from rosenblatt.bayes.kernels.lower import invert_lower, mirror


@pytest.mark.parametrize("size", [1, 5, 37])
def test_the_upper_half_becomes_the_lower_one(size):
    A = np.random.default_rng(size).standard_normal((size, size))
    A = A + A.T
    lower = np.where(np.tri(size, dtype=bool), A, np.nan).ravel()
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
