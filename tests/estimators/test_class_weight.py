"""Weights of classes: scikit-learn's, exact, and what learners make of them."""

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
)
from rosenblatt.estimators.inputs import class_factors, integer_factors
from tests.estimators.test_counting import data

LABELS = np.array(["a", "b", "c"])
counting = pytest.mark.parametrize("kind", [ClippedHebb, BinaryPerceptron])
believing = pytest.mark.parametrize("kind", [BayesPerceptron, BinaryBayesPerceptron])


@pytest.mark.parametrize(
    "class_weight", [None, "balanced", {"a": 2, "c": 0.25}, {"b": 0}]
)
def test_weights_are_those_of_scikit_learn(class_weight):
    counts = np.array([7, 2, 3])
    y = np.repeat(LABELS, counts)
    wanted = compute_class_weight(class_weight, classes=LABELS, y=y)
    np.testing.assert_array_equal(class_factors(class_weight, LABELS, counts), wanted)
    whole = integer_factors(class_weight, LABELS, counts)
    np.testing.assert_allclose(np.array(whole) / sum(whole), wanted / wanted.sum())


@counting
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_counting_with_class_weights_is_counting_examples_so_often(kind, classes):
    X, y = data(classes)
    for times in ([3, 1, 2], [1, 4, 1], [7, 10, 1]):
        weights = dict(enumerate(times[:classes]))
        wanted = kind().fit(X, y, sample_weight=np.array(times)[y])
        # one thousandth of it is the same, since only proportions matter
        small = {label: weight / 1000 for label, weight in weights.items()}
        for given in (weights, small):
            model = kind(class_weight=given).fit(X, y)
            np.testing.assert_array_equal(model.coef_, wanted.coef_)
            np.testing.assert_array_equal(model.threshold_, wanted.threshold_)
            assert model.t_ == len(X)


@counting
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_counting_may_be_balanced_at_any_size(kind):
    X, y = data(3, rows=60)
    some = kind(class_weight="balanced").fit(X, y)
    many = kind(class_weight="balanced").fit(X, y, np.full(60, 10**12 + 39))
    np.testing.assert_array_equal(some.coef_, many.coef_)
    np.testing.assert_array_equal(some.threshold_, many.threshold_)


@counting
def test_merged_counts_are_balanced_together(kind):
    X, y = data(2)
    y[200:] |= np.arange(100) % 2
    model = kind(class_weight="balanced").fit(X[:200], y[:200])
    model.merge(kind(class_weight="balanced").fit(X[200:], y[200:]))
    if hasattr(model, "fit_threshold"):
        model.fit_threshold([(X, y)])
    whole = kind(class_weight="balanced").fit(X, y)
    np.testing.assert_array_equal(model.coef_, whole.coef_)
    np.testing.assert_array_equal(model.threshold_, whole.threshold_)


def stream(classes, rows=400):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 5))
    fields = X @ rng.standard_normal((5, classes)) + rng.standard_normal(
        (rows, classes)
    )
    return X, (fields + [2.0, 0.0, -1.0][:classes]).argmax(axis=1)


@believing
@pytest.mark.parametrize("classes", [2, 3])
def test_odds_are_multiplied_and_beliefs_stay(kind, classes):
    X, y = stream(classes)
    plain = kind().fit(X, y)
    for given in ({0: 0.2}, "balanced", {1: 1e-3, 0: 5}):
        model = kind(class_weight=given).fit(X, y)
        np.testing.assert_array_equal(model.coef_, plain.coef_)
        np.testing.assert_array_equal(model.mistakes_, plain.mistakes_)
        wanted = plain.predict_proba(X) * class_factors(
            given, plain.classes_, np.bincount(y)
        )
        wanted /= wanted.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=1e-12)
        np.testing.assert_array_equal(model.predict(X), wanted.argmax(axis=1))
        scores = np.log(wanted) - np.log1p(-wanted)
        if classes == 2:
            scores = scores[:, 1]
        np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-6)


@believing
def test_balance_is_that_of_all_labels_so_far_also_of_merged_models(kind):
    X, y = stream(3)
    times = np.arange(len(X)) % 3 / 2
    wanted = np.bincount(y, times)
    whole = kind(class_weight="balanced").fit(X, y, sample_weight=times)
    pieces = kind(class_weight="balanced")
    for rows in (slice(50), slice(50, 51), slice(51, 400)):
        pieces.partial_fit(X[rows], y[rows], range(3), sample_weight=times[rows])
    halves = [
        kind(class_weight="balanced").fit(X[rows], y[rows], times[rows])
        for rows in (slice(200), slice(200, None))
    ]
    for model in (whole, pieces, halves[0].merge(halves[1])):
        np.testing.assert_array_equal(model._counts, wanted)
    np.testing.assert_array_equal(pieces.predict(X), whole.predict(X))


@pytest.mark.parametrize("kind", ["auto", "diagonal"])
@pytest.mark.parametrize("given", ["balanced", {0: 0.2}])
def test_predictions_before_labels_are_weighed_too(kind, given):
    X, y = stream(3, rows=120)
    model = BayesPerceptron(kind, class_weight=given)
    shares = model.predict_then_learn(X, y, classes=range(3))
    plain = BayesPerceptron(kind)
    unweighed = plain.predict_then_learn(X, y, classes=range(3))
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    seen = np.zeros(3, np.int64)
    for row, label in enumerate(y):
        wanted = unweighed[row] * class_factors(given, np.arange(3), seen)
        np.testing.assert_allclose(shares[row], wanted / wanted.sum(), rtol=1e-12)
        seen[label] += 1
    singly = BayesPerceptron(kind, class_weight=given).partial_fit(
        X[:9], y[:9], range(3)
    )
    for row in range(9, 120):
        found = singly.predict_then_learn(X[[row]], y[[row]])
        np.testing.assert_allclose(found, shares[[row]], rtol=1e-7)
