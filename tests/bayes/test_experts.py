"""Filters side by side: equal to plain twins of filter and mixture together."""

import pickle

import numpy as np
import pytest
from scipy.special import logit

from rosenblatt import bayes as filtering
from rosenblatt.bayes import experts
from rosenblatt.estimators.bayes_perceptron import prior_filters
from tests.bayes import reference as filter_reference
from tests.bayes.mixture_reference import Mixture

PRIORS = 1 / 64, 1 / 4, 4.0


def data(rows=130, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 3)) * [1, 10, 0.1] + 2
    fields = (X - 2) / [1, 10, 0.1] @ rng.standard_normal((3, classes))
    return X, (fields + rng.standard_normal(fields.shape)).argmax(axis=1)


def group(classes):
    settings = {
        "covariance": "full",
        "models": 1 if classes == 2 else classes,
        "label_variance": 1.0,
        "noise": 0.05,
        "intercept": True,
        "standardised": True,
        "clip": 3.0,
    }
    return experts.start(
        [filtering.start(3, prior=prior, **settings) for prior in PRIORS]
    )


def test_equals_the_plain_twins():
    X, codes = data()
    odds = [
        logit(
            filter_reference.stream(
                X, codes, covariance="full", prior=prior, noise=0.05, clip=3.0
            )[1]
        )
        for prior in PRIORS
    ]
    wanted = Mixture(3, 2).progressive(np.stack(odds), codes)
    found = np.empty((len(X), 2))
    experts.learn(group(2), X, codes, None, found)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("entries", [2**22, 3, 60])
def test_weights_are_copies_in_pieces_of_any_size(classes, entries, monkeypatch):
    """Filters learn copies; the mixture judges them before the first of a row."""
    X, codes = data(classes=classes)
    weights = np.random.default_rng(1).choice([0, 1, 2, 3, 0.4, 1.7], len(X))
    times = np.ceil(weights).astype(int)
    copies = np.repeat(np.arange(len(X)), times)
    ends = np.cumsum(times)[copies]
    powers = np.minimum(
        weights[copies] - np.arange(len(copies)) + ends - times[copies], 1
    )
    filters, odds = [], np.empty((3, len(copies), 1 if classes == 2 else classes))
    for filter, own in zip(group(classes).filters, odds, strict=True):
        repeated = X[copies], codes[copies]
        filters.append(filtering.learn(filter, *repeated, powers, own))
    shown = times > 0
    starts = (np.cumsum(times) - times)[shown]
    before = odds[:, np.repeat(starts, times[shown])]
    wanted = Mixture(3, classes).progressive(before, codes[copies], powers)
    monkeypatch.setattr(experts, "_ENTRIES", entries)
    shares = np.full((len(X), classes), np.nan)
    found = group(classes)
    experts.learn(found, X, codes, weights, shares)
    np.testing.assert_allclose(shares[shown], wanted[starts], rtol=1e-6)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for one, two in zip(found.filters, filters, strict=True):
        np.testing.assert_allclose(one.mean, two.mean, rtol=1e-8)


def test_several_are_the_mixture_of_their_beliefs():
    X, codes = data()
    found = group(2)
    experts.learn(found, X, codes)
    mean, variance = experts.fields(found, X[:4])
    rng = np.random.default_rng(0)
    which = rng.choice(3, 200_000, p=found.filter_weights)
    each = np.array([filtering.fields(filter, X[:4]) for filter in found.filters])
    m, v = each[which, 0, :, 0], each[which, 1, :, 0]
    draws = m + np.sqrt(v) * rng.standard_normal(m.shape)
    error = np.sqrt(variance[:, 0] / len(draws))
    assert (np.abs(draws.mean(axis=0) - mean[:, 0]) < 5 * error).all()
    square = (draws - mean[:, 0]) ** 2
    error = square.std(axis=0) / np.sqrt(len(draws))
    assert (np.abs(square.mean(axis=0) - variance[:, 0]) < 5 * error).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_one_call_for_all_filters_is_a_call_for_each(classes):
    """Rows in single and double precision take turns; all are learned."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4)).astype(np.float32).astype(np.float64)
    codes = rng.integers(0, classes, 60)
    wanted = prior_filters("auto", "auto", None, 4, classes, False)
    found = wanted.copy()
    shares = np.empty((60, classes))
    experts.learn(wanted, X, codes, None, shares)
    for i in range(60):
        row = X[i : i + 1].astype(np.float32 if i % 3 else np.float64)
        each = experts.learn_row(found, row, codes[i : i + 1], wanted=True)
        np.testing.assert_allclose(each[0], shares[i], rtol=1e-9)
    for one, other in zip(found.filters, wanted.filters, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-9, atol=1e-12)
    before = pickle.dumps(found)
    with pytest.raises(ValueError, match="got nan in row 0, column 1"):
        experts.learn_row(found, np.array([[0, np.nan, 0, 0]]), codes[:1], wanted=False)
    assert pickle.dumps(found) == before


@pytest.mark.parametrize("boundary", ["linear", "curved"])
def test_a_fault_after_thousands_of_rows_changes_nothing(boundary):
    """Single precision is converted in parts: others were learned before the fault."""
    X, codes = np.random.default_rng(0).standard_normal((6000, 4)), np.arange(6000) % 2
    given = ("auto", "auto", None, 4, 2, False, None, boundary, 10)
    found, wanted = prior_filters(*given), prior_filters(*given)
    for some in (found, wanted):
        experts.learn(some, X[:100], codes[:100])
    bad = X.astype(np.float32)
    bad[5000, 1] = np.inf
    before = pickle.dumps(found)
    with pytest.raises(ValueError, match="got inf in row 5000, column 1"):
        experts.learn(found, bad, codes)
    assert pickle.dumps(found) == before
    for some in (found, wanted):
        experts.learn(some, X[100:400], codes[100:400])
    assert np.array_equal(experts.predict(found, X), experts.predict(wanted, X))
