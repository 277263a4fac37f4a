"""Filters with more columns than before are those of rows that had them, all zero."""

import copy

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import filters as filtering
from rosenblatt.filters import experts
from rosenblatt.filters import growing as filter_grown

SETTINGS = {
    "label_variance": 1.0,
    "noise": "auto",
    "intercept": True,
    "standardised": True,
    "clip": 3.0,
}


def data(rows=60):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 5)) * [1.0, 10.0, 0.1, 1.0, 1.0] + 0.3
    X[: rows // 2, 3:] = 0.0
    return X, (X.sum(axis=1) > 1).astype(np.int64) + (X[:, 0] > 1)


@pytest.mark.parametrize("half_life", [None, 13.0])
@pytest.mark.parametrize("before", [0, 1, 2, 30])
@pytest.mark.parametrize("kind", ["diagonal", "full", "sparse"])
def test_new_columns_have_been_zero(kind, before, half_life):
    X, y = data()
    sparse = kind == "sparse"
    given = {
        **SETTINGS,
        "covariance": "diagonal" if sparse else kind,
        "sparse": sparse,
        "models": 3,
        "half_life": half_life,
    }
    kept = csr_matrix if sparse else np.ascontiguousarray
    few, all_ = (
        experts.start(
            [filtering.start(columns, prior=prior, **given) for prior in (0.1, 2.0)],
            half_life,
        )
        for columns in (3, 5)
    )
    few = experts.learn(few, kept(X[:before, :3]), y[:before])
    as_it_was = copy.deepcopy(few)
    more = experts.grown(few, 5)
    more = experts.learn(more, kept(X[before:]), y[before:])
    wanted = experts.learn(all_, kept(X), y)
    for one, other in zip(more.filters, wanted.filters, strict=True):
        for name in ("mean", "variances", "noise", "statistics"):
            np.testing.assert_allclose(
                getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-12
            )
        for mine, its in zip(one.standardisation, other.standardisation, strict=True):
            np.testing.assert_allclose(mine, its, rtol=1e-9, atol=1e-12)
    shares = [experts.predict(some, kept(X)) for some in (more, wanted)]
    np.testing.assert_allclose(*shares, rtol=1e-9)
    for one, other in zip(few.filters, as_it_was.filters, strict=True):
        assert np.array_equal(one.belief, other.belief)
        assert np.array_equal(one.standardisation.sums, other.standardisation.sums)


def test_a_full_filter_may_keep_its_variances_only():
    X, y = data()
    full = filtering.start(5, covariance="full", models=3, **SETTINGS)
    full = filtering.learn(full, X, y)
    less = filter_grown.diagonal(full)
    np.testing.assert_allclose(less.variances, full.variances)
    np.testing.assert_array_equal(less.mean, full.mean)
    again = filtering.learn(less, X, y)
    assert again.belief.shape == (3, 6)
    assert (again.variances < less.variances).all()


def test_what_cannot_grow_says_so():
    with pytest.raises(ValueError, match="covariance must be 'diagonal' or 'full'"):
        filter_grown.grown(filtering.start(2, covariance="spherical"), 3)
    with pytest.raises(ValueError, match="columns"):
        filter_grown.grown(filtering.start(2, covariance="full"), 1)
