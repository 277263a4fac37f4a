"""Products in vector registers and by BLAS equal NumPy's, and write nowhere else."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.blas import dgemm, product
from rosenblatt.compiling.matrices import (
    FEWEST_COLUMNS,
    LANES,
    SIDE_BY_SIDE,
    forms,
    multiply_rows,
    multiply_symmetric,
    update_symmetric,
)
from rosenblatt.compiling.pointers import address_of, pointer_to

_matrix, _vector = types.float64[:, ::1], types.float64[::1]


@kernel(types.void, _vector, _matrix, _matrix, _vector)
def _forms(weights, matrix, vectors, result):
    forms(weights, matrix, vectors, result, weights.size)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 21])
def test_forms_of_all_sizes(size):
    rng = np.random.default_rng(size)
    V = rng.standard_normal((size, size))
    V, m = V + V.T, rng.standard_normal(size)
    Z = rng.standard_normal((size, SIDE_BY_SIDE))
    found = np.full(2 * SIDE_BY_SIDE + 1, np.nan)
    _forms(m, V, Z, found)
    expected = np.concatenate([m @ Z, ((V @ Z) * Z).sum(0)])
    np.testing.assert_allclose(found[:-1], expected, rtol=1e-12, atol=1e-12)
    assert np.isnan(found[-1])


@kernel(types.void, types.int64, types.int64, types.int64, _matrix, _matrix, _matrix)
def _multiply(rows, columns, inner, a, b, c):
    multiply_rows(
        rows, columns, inner, pointer_to(a), a.shape[1], pointer_to(b), b.shape[1],
        pointer_to(c), c.shape[1]
    )  # fmt: skip


@pytest.mark.parametrize("rows", [1, 8, 11])
@pytest.mark.parametrize("columns", [FEWEST_COLUMNS, 2 * FEWEST_COLUMNS + 3])
def test_parts_of_matrices_are_multiplied(rows, columns):
    rng = np.random.default_rng(rows)
    inner = 5
    a = rng.standard_normal((rows, inner + 1))
    b = rng.standard_normal((inner, columns + 2))
    c = np.full((rows + 1, columns + 3), np.nan)
    _multiply(rows, columns, inner, a, b, c)
    wanted = a[:, :inner] @ b[:, :columns]
    np.testing.assert_allclose(c[:rows, :columns], wanted, rtol=1e-12, atol=1e-12)
    assert np.isnan(c[rows]).all()
    assert np.isnan(c[:, columns:]).all()


@kernel(types.void, _vector, _vector, _vector, types.int64)
def _both(matrix, vector, result, size):
    m, v, r = pointer_to(matrix), pointer_to(vector), pointer_to(result)
    multiply_symmetric(m, v, r, size)
    update_symmetric(m, v, -1.0, 0.5, size)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 21])
def test_symmetric_matrices_with_padded_rows(size):
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
