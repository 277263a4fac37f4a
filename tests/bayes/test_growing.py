"""Filters with more columns than before are those of rows that had them, all zero."""

import copy

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import bayes as filtering
from rosenblatt.bayes import experts
from rosenblatt.bayes import growing as filter_grown

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
    experts.learn(few, kept(X[:before, :3]), y[:before])
    as_it_was = copy.deepcopy(few)
    more = filter_grown.all_grown(few, 5)
    experts.learn(more, kept(X[before:]), y[before:])
    experts.learn(all_, kept(X), y)
    for one, other in zip(more.filters, all_.filters, strict=True):
        for name in ("mean", "variances", "noise", "statistics"):
            np.testing.assert_allclose(
                getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-12
            )
        for mine, its in zip(one.standardisation, other.standardisation, strict=True):
            np.testing.assert_allclose(mine, its, rtol=1e-9, atol=1e-12)
    shares = [experts.predict(some, kept(X)) for some in (more, all_)]
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


def classes_of(filter, X):
    """Probabilities of the classes without label noise."""
    return experts.predict(
        experts.Experts([filter.replaced(noise=0 * filter.noise)]), X
    )


@pytest.mark.parametrize("kind", filtering.COVARIANCES)
def test_of_several_classes_the_old_ones_keep_their_odds(kind):
    X, y = data()
    start = filtering.start(5, covariance=kind, models=3, **SETTINGS)
    before = filtering.learn(start, X, y)
    after = filter_grown.with_class(before, 1, 3)
    old = classes_of(after, X)[:, [0, 2, 3]]
    old /= old.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(old, classes_of(before, X), rtol=1e-12)
    np.testing.assert_array_equal(after.mean[[0, 2, 3]], before.mean)
    assert not after.mean[1].any()
    np.testing.assert_array_equal(after.variances[1], start.variances[0])


@pytest.mark.parametrize("kind", filtering.COVARIANCES)
def test_of_two_classes_the_odds_become_those_of_the_logistic_law(kind):
    """Without examples both have the prior; with many they predict as before.

    The laws of two and of more classes differ by up to 0.0177 in probability.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4000, 5))
    y = (X @ [1.0, -1.0, 0.5, 0.0, 0.0] + rng.standard_normal(4000) > 0).astype(int)
    start = filtering.start(5, covariance=kind, **SETTINGS)
    first = filter_grown.with_class(start, 2, 2)
    np.testing.assert_allclose(first.variances, np.repeat(start.variances, 3, axis=0))
    before = filtering.learn(start, X, y)
    shares = classes_of(filter_grown.with_class(before, 0, 2), X)[:, 1:]
    shares /= shares.sum(axis=1, keepdims=True)
    apart = np.abs(shares - classes_of(before, X)).max()
    assert 0.01 < apart < 0.018


def test_the_single_class_becomes_one_of_two():
    X, y = data()
    one = filtering.learn(filtering.start(5, **SETTINGS), X, 0 * y)
    np.testing.assert_array_equal(filter_grown.with_class(one, 1, 1).mean, one.mean)
    np.testing.assert_array_equal(filter_grown.with_class(one, 0, 1).mean, -one.mean)
