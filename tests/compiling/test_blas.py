"""Matrix products in kernels against NumPy."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import dgemm, one_thread, product
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


def threads():
    """Return the numbers of threads of all libraries for linear algebra."""
    return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}


def test_linear_algebra_has_one_thread_for_a_while():
    """Tests begin with one, users' processes do not."""
    dgemm()
    with threadpool_limits(3):
        with one_thread():
            assert threads() == {1}
        assert threads() == {3}
