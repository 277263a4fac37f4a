"""Sparse rows with columns in lines against the loop that takes any rows."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.compiling.jit import PLAIN
from rosenblatt.filters import sparse as filter_sparse
from rosenblatt.filters.label_law import blank
from rosenblatt.filters.sparse_columns import WORTH

ROWS, COLUMNS = (30, 12) if PLAIN else (300, 40)
ONCE = np.zeros(0, np.int64)


def rows(dtype):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS)) * np.geomspace(1e-3, 1e3, COLUMNS)
    X[rng.random(X.shape) < 0.6] = 0.0
    codes = (X @ rng.standard_normal(COLUMNS) > 0).astype(np.int64)
    S = csr_matrix(X.astype(dtype))
    S.data[::17] = 0.0  # entries that are kept and zero
    S.data[5] = 1e4  # far outside
    assert S.nnz > WORTH * COLUMNS
    return S, codes


def run(S, codes, repeats, intercept, framed, odds):
    """Return all that the kernel changes, and the row of a fault."""
    size = COLUMNS + intercept
    mean, belief = np.zeros((1, size)), np.linspace(0.5, 2.0, size)[None].copy()
    scale, tally = np.ones(COLUMNS), blank(1, None)
    scale[::3] = 0.0 if framed else 1.0  # columns that are new
    sums = np.zeros((2, COLUMNS if framed else 0))
    advance = (
        filter_sparse.advance_single
        if S.dtype == np.float32
        else filter_sparse.advance_double
    )
    fault = advance(
        S.data, S.indices, S.indptr.astype(np.int64), codes, repeats, scale, 3.0, 1.0,
        np.full(1, 0.07), mean, belief, sums, tally, odds
    )  # fmt: skip
    return fault, mean, belief, scale, sums, tally


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("framed", [True, False])
@pytest.mark.parametrize("intercept", [0, 1])
def test_columns_in_lines_learn_the_same(intercept, framed, dtype):
    S, codes = rows(dtype)
    odds = np.zeros((2, ROWS, 1))
    fault, *found = run(S, codes, ONCE, intercept, framed, odds[0])
    each = np.ones(ROWS, np.int64)  # takes the other loop
    _, *wanted = run(S, codes, each, intercept, framed, odds[1])
    assert fault == -1
    near = ROWS * np.finfo(float).eps  # a rounding for each row
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=near, atol=near)
    np.testing.assert_allclose(*odds, rtol=10 * near, atol=10 * near)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_found_in_lines(bad):
    S, codes = rows(np.float64)
    row = ROWS - 3
    S.data[S.indptr[row]] = bad
    fault, mean, belief, scale, sums, tally = run(
        S, codes, ONCE, 1, True, np.zeros((0, 0))
    )
    assert fault == row
    assert not np.concatenate([mean.ravel(), sums.ravel()]).any()
    assert (tally == blank(1, None)).all()
    assert belief[0, 0] == 0.5
    assert scale[0] == 0.0
