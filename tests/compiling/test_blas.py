import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.blas import (
    invert,
    one_thread,
    product,
    routines,
    solve_triangular,
)

GEMM, TRSM, POTRF, POTRI = routines()
RNG = np.random.default_rng(0)


@inlined
def multiply(gemm, turned, a, b, c, inner, factor, keep):
    product(
        gemm, turned, c.shape[0], c.shape[1], inner, factor, a.ctypes.data, a.shape[1],
        b.ctypes.data, b.shape[1], keep, c.ctypes.data, c.shape[1]
    )  # fmt: skip


@inlined
def solve(trsm, lower, right):
    solve_triangular(
        trsm, lower.shape[0], right.shape[1], lower.ctypes.data, lower.shape[1],
        right.ctypes.data, right.shape[1]
    )  # fmt: skip


@inlined
def inverse(potrf, potri, matrix):
    return invert(potrf, potri, matrix.shape[0], matrix.ctypes.data)


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
@pytest.mark.parametrize("keep", [0.0, 1.0, 0.5])
def test_products_are_those_of_numpy(turned, keep):
    a, b, c = (RNG.standard_normal(shape) for shape in ((4, 7), (7, 5), (4, 5)))
    expected = -1.5 * a @ b + keep * c
    left = np.ascontiguousarray(a.T) if turned & 1 else a
    right = np.ascontiguousarray(b.T) if turned & 2 else b
    multiply(GEMM, turned, left, right, c, 7, -1.5, keep)
    np.testing.assert_allclose(c, expected, rtol=1e-13, atol=1e-13)


def test_triangular_systems_are_solved_with_ones_on_the_diagonal():
    lower, right = RNG.standard_normal((6, 6)), RNG.standard_normal((6, 3))
    expected = np.linalg.solve(np.tril(lower, -1) + np.eye(6), right)
    solve(TRSM, lower, right)
    np.testing.assert_allclose(right, expected, rtol=1e-11, atol=1e-12)


def test_inverses_are_written_below_the_diagonal():
    root = RNG.standard_normal((5, 5))
    matrix = root @ root.T + np.eye(5)
    expected = np.linalg.inv(matrix)
    assert inverse(POTRF, POTRI, matrix)
    np.testing.assert_allclose(np.tril(matrix), np.tril(expected), rtol=1e-10)
    assert not inverse(POTRF, POTRI, -np.eye(3))


def test_one_thread_is_a_context():
    with one_thread(), one_thread(False):
        np.testing.assert_allclose(np.eye(2) @ np.eye(2), np.eye(2))
