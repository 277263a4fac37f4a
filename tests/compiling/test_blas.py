"""Matrix products in kernels against NumPy."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import invert, product, routines, solve_triangular
from rosenblatt.compiling.pointers import address_of

_matrix = types.float64[:, ::1]


@kernel(types.void, types.int64, types.int64, types.int64, _matrix, _matrix, _matrix)
def multiply(gemm, turned, inner, a, b, c):
    rows, columns = c.shape
    product(
        gemm, turned, rows, columns, inner, 2.0, address_of(a), a.shape[1],
        address_of(b), b.shape[1], 0.5, address_of(c), columns
    )  # fmt: skip


@kernel(types.boolean, types.int64, types.int64, types.int64, _matrix, _matrix)
def solve(trsm, potrf, potri, a, b):
    size = len(a)
    solve_triangular(trsm, size, b.shape[1], address_of(a), size, address_of(b), 2)
    return invert(potrf, potri, size, address_of(a))


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_products_of_turned_matrices(turned):
    rng = np.random.default_rng(turned)
    a = rng.standard_normal((4, 3) if turned & 1 else (3, 4))
    b = rng.standard_normal((5, 4) if turned & 2 else (4, 5))
    c = rng.standard_normal((3, 5))
    wanted = 0.5 * c + 2 * (a.T if turned & 1 else a) @ (b.T if turned & 2 else b)
    multiply(routines()[0], turned, 4, a, b, c)
    np.testing.assert_allclose(c, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_triangles_are_solved_and_positive_matrices_inverted(sign):
    rng = np.random.default_rng(0)
    root = rng.standard_normal((3, 7))
    a, b = sign * (root @ root.T), rng.standard_normal((3, 2))
    given, right = a.copy(), b.copy()
    _, *rest = routines()
    assert solve(*rest, a, b) == (sign > 0)
    unit = np.tril(given, -1) + np.eye(3)
    np.testing.assert_allclose(unit @ b, right, atol=1e-12)
    if sign > 0:
        np.testing.assert_allclose(np.tril(a), np.tril(np.linalg.inv(given)), rtol=1e-9)
