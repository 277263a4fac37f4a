"""Products of a few rows with a matrix equal those of NumPy."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.pointers import pointer_to
from rosenblatt.compiling.vector.products import FEWEST_COLUMNS, multiply_rows

_matrix = types.float64[:, ::1]


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
