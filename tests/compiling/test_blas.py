"""Matrix products in kernels against NumPy."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import dgemm, product
from rosenblatt.compiling.pointers import address_of

_matrix = types.float64[:, ::1]


@kernel(types.void, types.int64, types.int64, types.int64, _matrix, _matrix, _matrix)
def multiply(gemm, turned, inner, a, b, c):
    rows, columns = c.shape
    product(
        gemm, turned, rows, columns, inner, 2.0, address_of(a), a.shape[1],
        address_of(b), b.shape[1], 0.5, address_of(c), columns
    )  # fmt: skip


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_products_of_turned_matrices(turned):
    rng = np.random.default_rng(turned)
    a = rng.standard_normal((4, 3) if turned & 1 else (3, 4))
    b = rng.standard_normal((5, 4) if turned & 2 else (4, 5))
    c = rng.standard_normal((3, 5))
    wanted = 0.5 * c + 2 * (a.T if turned & 1 else a) @ (b.T if turned & 2 else b)
    multiply(dgemm(), turned, 4, a, b, c)
    np.testing.assert_allclose(c, wanted, rtol=1e-12, atol=1e-12)
