"""Sparse rows against dense ones, and columns side by side against separate ones."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import bayes as filtering
from rosenblatt.bayes.kernels import sparse
from rosenblatt.bayes.standardisation import Standardisation
from rosenblatt.compiling.jit import PLAIN
from tests.bayes.formulas import CLIP, tally_for, twin
from tests.bayes.problems import DOUBLE, problem

ROWS, COLUMNS = (30, 12) if PLAIN else (300, 40)


@pytest.mark.parametrize("noise", [0.0, 0.07])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_rows_are_learned_as_dense_ones(dtype, models, noise):
    rows, features = (20, 30) if PLAIN else (300, 30)
    X, codes, repeats, _, inverse = problem(rows, features, models, dtype=dtype)
    rng = np.random.default_rng(1)
    X[rng.random(X.shape) < 0.8] = 0.0
    inverse[2] = 1 / 7.0
    noise, size = np.full(models, noise), features + 1
    mean, belief = np.zeros((models, size)), np.ones((models, size))
    given = (X, codes, repeats, np.zeros(features), inverse, 1.0, noise)
    wanted, V, counts, _, chances = twin("diagonal", *given, mean, belief)
    scales = inverse.copy()
    scales[2] = 0.0  # not seen so far: its first entry is 7
    own = Standardisation(
        np.zeros(features), scales, np.zeros((2, features)), 0.0, True
    )
    start = filtering.start(
        features,
        covariance="diagonal",
        models=models,
        label_variance=1.0,
        intercept=True,
        clip=CLIP,
        sparse=True,
    )
    start = start.replaced(
        standardisation=own, noise=noise, statistics=tally_for(noise)
    )
    odds = np.empty((rows, models))
    found = filtering.learn(start, csr_matrix(X), codes, repeats, odds)
    assert np.allclose(found.inverse_scale, inverse, rtol=1e-12)
    assert np.allclose(found.mean, wanted, rtol=0, atol=DOUBLE)
    assert np.allclose(found.belief, [np.diag(v) for v in V], rtol=0, atol=DOUBLE)
    assert np.allclose(found.statistics, counts, rtol=DOUBLE, atol=DOUBLE)
    assert np.allclose(odds, chances, rtol=0, atol=CLIP * features * DOUBLE)
    assert np.allclose(found.sums[0], repeats @ (X != 0))
    squares = repeats @ (X.astype(float) * inverse) ** 2
    assert np.allclose(found.sums[1], squares, rtol=1e-9)


def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS)) * np.geomspace(1e-3, 1e3, COLUMNS)
    X[rng.random(X.shape) < 0.6] = 0.0
    codes = (X @ rng.standard_normal(COLUMNS) > 0).astype(np.int64)
    S = csr_matrix(X)
    S.data[::17] = 0.0  # entries that are kept and zero
    S.data[5] = 1e4  # far outside
    return S, codes


@pytest.mark.parametrize("standardised", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_columns_side_by_side_learn_the_same(intercept, standardised, monkeypatch):
    S, codes = table()
    start = filtering.start(
        COLUMNS,
        covariance="diagonal",
        sparse=True,
        label_variance=1.0,
        noise="auto",
        clip=3.0,
        intercept=intercept,
        standardised=standardised,
    )
    both, odds = [], np.zeros((2, ROWS, 1))
    for worth, where in zip((0, 1e9), odds, strict=True):
        monkeypatch.setattr(sparse, "_WORTH", worth)
        both.append(filtering.learn(start, S, codes, odds=where))
    near = ROWS * np.finfo(float).eps  # a rounding for each row
    for name in ("mean", "belief", "statistics", "inverse_scale", "sums"):
        one, other = (getattr(filter, name) for filter in both)
        np.testing.assert_allclose(one, other, rtol=near, atol=near)
    np.testing.assert_allclose(*odds, rtol=10 * near, atol=10 * near)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_entries_that_are_not_finite_are_named(bad):
    S, codes = table()
    row = ROWS - 3
    S.data[S.indptr[row]] = bad
    start = filtering.start(
        COLUMNS, covariance="diagonal", sparse=True, standardised=True
    )
    with pytest.raises(ValueError, match=f"got {bad} in row {row}, column"):
        filtering.learn(start, S, codes)
