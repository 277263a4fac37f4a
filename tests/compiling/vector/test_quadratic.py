"""Quadratic and linear forms equal those of NumPy."""

import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.vector.quadratic import (
    SIDE_BY_SIDE,
    linear_forms,
    quadratic_forms,
)

_matrix = types.float64[:, ::1]


@kernel(types.void, _matrix, _matrix, types.float64[::1], types.boolean)
def _forms(matrix, vectors, forms, linear):
    if linear:  # the first row alone
        linear_forms(matrix, vectors, forms, len(matrix), vectors.shape[1])
    else:
        quadratic_forms(matrix, vectors, forms, len(matrix), vectors.shape[1])


@pytest.mark.parametrize("size", [1, 7, 8, 9, 21])
def test_forms_of_all_sizes(size):
    rng = np.random.default_rng(size)
    V = rng.standard_normal((size, size))
    V = V + V.T
    Z = rng.standard_normal((size, 2 * SIDE_BY_SIDE))
    forms = np.full(Z.shape[1] + 1, np.nan)
    for linear, expected in ((False, ((V @ Z) * Z).sum(0)), (True, V[0] @ Z)):
        _forms(V, Z, forms[:-1], linear)
        np.testing.assert_allclose(forms[:-1], expected, rtol=1e-12, atol=1e-12)
        assert np.isnan(forms[-1])
