"""Predictions of one filter and of several together."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import log_ndtr

from rosenblatt import bayes as filtering
from rosenblatt.bayes.prediction import log_odds_of_all
from tests.bayes.streams import FRAMED, KINDS, data


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_fields_are_moments_of_the_belief(kind, classes):
    X, y = data(classes=classes)
    models = 1 if classes == 2 else classes
    filter = filtering.start(4, covariance=kind, models=models, **FRAMED)
    filter = filtering.learn(filter, X, y)
    mean, variance = filtering.fields(filter, X)
    z = np.clip((X - filter.center) * filter.inverse_scale, -5.0, 5.0)
    z = np.column_stack([z, np.ones(len(z))])
    for k in range(models):
        V = filter.belief[k] if kind == "full" else np.diag(filter.variances[k])
        np.testing.assert_allclose(mean[:, k], z @ filter.mean[k], atol=1e-12)
        np.testing.assert_allclose(variance[:, k], ((z @ V) * z).sum(1), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_columns_are_predicted_as_by_the_formulas(kind):
    """Constant and huge columns, with a large mean, and outliers."""
    X, y = data()
    rng = np.random.default_rng(1)
    X[:, 0] = 7.0
    X[:, 1] *= 1e300
    X[:, 2] += 1e9
    X[::7, 3] = 1e15
    start = filtering.start(4, covariance=kind, **FRAMED)
    filter = filtering.learn(start, X, y)
    rows = X[rng.permutation(len(X))[:70]]
    mean, variance = filtering.fields(filter, rows)
    z = np.clip((rows - filter.center) * filter.inverse_scale, -5.0, 5.0)
    z = np.column_stack([z, np.ones(len(z))])
    V = filter.belief[0] if kind == "full" else np.diag(filter.variances[0])
    np.testing.assert_allclose(mean[:, 0], z @ filter.mean[0], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(variance[:, 0], ((z @ V) * z).sum(1), rtol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_nan_has_no_field_and_an_infinite_entry_is_clipped(kind):
    X, y = data()
    start = filtering.start(4, covariance=kind, **FRAMED)
    filter = filtering.learn(start, X, y)
    rows = X[:6].copy()
    rows[1, 2], rows[4, 3] = np.nan, -np.inf
    mean, variance = filtering.fields(filter, rows)
    assert np.flatnonzero(np.isnan(mean[:, 0])).tolist() == [1]
    assert np.flatnonzero(np.isnan(variance[:, 0])).tolist() == [1]
    rows[4, 3] = -1e300
    far = filtering.fields(filter, rows)
    np.testing.assert_allclose(mean, far[0], rtol=1e-12)
    np.testing.assert_allclose(variance, far[1], rtol=1e-12)


def test_several_filters_predict_as_each_by_itself():
    X, y = data()
    settings = FRAMED | {"label_variance": 1.0}
    filters = [
        filtering.start(
            4, covariance=kind, prior=prior, input_half_life=life, **settings
        )
        for kind, prior, life in (
            ("full", 1.0, None), ("full", 0.1, None), ("diagonal", 1.0, 20.0)
        )
    ]  # fmt: skip
    filters = [filtering.learn(filter, X, y) for filter in filters]
    assert np.array_equal(filters[0].center, filters[1].center)
    assert not np.array_equal(filters[0].center, filters[2].center)
    found = log_odds_of_all(filters, X)
    for filter, odds in zip(filters, found, strict=True):
        # products with matrices of other sizes round differently
        alone = filtering.log_odds(filter, X)
        np.testing.assert_allclose(alone, odds, rtol=1e-12, atol=1e-12)


def test_log_odds_beyond_the_table_of_probabilities():
    filter = filtering.start(1, covariance="diagonal", prior=1e-6, label_variance=1.0)
    mean = filter.mean.copy()
    mean[:] = 20.0
    filter = filter.replaced(mean=mean, noise=np.zeros(1))
    X = np.array([[-1.0], [0.5], [0.7], [0.9], [1.0]])
    u = 20.0 * X[:, 0] / np.sqrt(1.0 + 1e-6 * X[:, 0] ** 2)
    exact = log_ndtr(u) - log_ndtr(-u)
    found = filtering.log_odds(filter, X)[:, 0]
    np.testing.assert_allclose(found, exact, rtol=1e-9)


def test_sparse_rows_are_predicted_as_dense_ones():
    X, y = data()
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.5, X, 0.0)
    start = filtering.start(4, covariance="diagonal", sparse=True, **FRAMED)
    filter = filtering.learn(start, csr_matrix(X), y)
    dense = filter.standardisation._replace(sparse=False)
    dense = filter.replaced(standardisation=dense)
    for one, other in zip(
        filtering.fields(filter, csr_matrix(X)), filtering.fields(dense, X), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_a_field_that_is_not_a_number_is_not_looked_up_in_the_table():
    """Infinite parts of opposite signs; the table would be read outside of it."""
    filter = filtering.start(
        2, covariance="diagonal", label_variance=1.0, standardised=True
    )
    filter = filter.replaced(mean=np.array([[1e100, -1e100]]))
    filter.inverse_scale[:] = 1e100
    X = np.array([[1e300, 1e300], [0.0, 0.0]])
    with np.errstate(all="ignore"):
        found = filtering.log_odds(filter, X)[:, 0]
    assert np.isnan(found[0])
    assert found[1] == 0.0
