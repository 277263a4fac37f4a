"""Predictions of classifiers with beliefs about binary weights."""

import numpy as np
import pytest
from pandas import DataFrame
from scipy.special import ndtr

import rosenblatt as rb
from rosenblatt.estimators import BinaryBayesPerceptron
from tests.estimators.binary_bayes_data import data, snapshot


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_decisions_are_linear_in_the_features(classes, hard):
    X, y = data(classes)
    model = BinaryBayesPerceptron(hard=hard).fit(X, y)
    linear = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(
        model.decision_function(X).reshape(linear.shape), linear, atol=1e-9
    )
    if hard:
        sizes = abs(model.coef_) * X.std(axis=0)
        np.testing.assert_allclose(sizes, 1 / np.sqrt(X.shape[1]), rtol=1e-9)


def test_probabilities_are_those_of_the_belief():
    X, y = data()
    model = BinaryBayesPerceptron(0.05).fit(X, y)
    learner = model._learner
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    spread = z**2 @ learner.variance[0] / X.shape[1] + learner.numbers[0, -1]
    wanted = 0.05 + 0.9 * ndtr(model.decision_function(X) / np.sqrt(spread))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], wanted, rtol=1e-9)


def test_probabilities_of_huge_features_are_those_of_large_ones():
    X, y = data(3)
    model = BinaryBayesPerceptron().fit(X, y)
    far = np.sign(X[:5])
    np.testing.assert_allclose(
        model.predict_proba(1e300 * far), model.predict_proba(1e100 * far), rtol=1e-9
    )
    model._learner.center[0] = -1.7e308  # as a file may have it
    far[:, 0] = 1.7e308
    np.testing.assert_allclose(model.predict_proba(far).sum(axis=1), 1.0)


def test_packed_bits_are_minus_one_and_one_and_signs_predict_by_xnor():
    rng = np.random.default_rng(2)
    S = rng.choice([-1, 1], (3000, 65))
    w = rng.choice([-1, 1], 65)
    y = S @ w > 6
    bits = rb.bits.pack(S)
    model = BinaryBayesPerceptron(hard=True).fit(bits, y)
    plain = BinaryBayesPerceptron(hard=True, standardise=False).fit(S, y)
    np.testing.assert_array_equal(model.means_, plain.means_)
    np.testing.assert_allclose(
        model.decision_function(bits), plain.decision_function(S), atol=1e-12
    )
    np.testing.assert_array_equal(model.signs_[0], w)
    assert model.bits_ == rb.bits.pack(w[None])
    np.testing.assert_array_equal(
        rb.bits.fields(bits, model.bits_)[:, 0], S @ model.signs_[0]
    )
    assert model.score(bits, y) > 0.98
    np.testing.assert_allclose(model.predict_proba(bits), plain.predict_proba(S))
    with pytest.raises(TypeError, match="Bits always or never"):
        model.predict(S)
    with pytest.raises(TypeError, match="Bits always or never"):
        plain.partial_fit(bits, y)
    with pytest.raises(ValueError, match="expecting 65 features"):
        model.predict(rb.bits.pack(S[:, :64]))


def test_merging_adds_what_both_know():
    X, y = data(rows=400, features=15, seed=4)
    a, b = (BinaryBayesPerceptron().fit(X[k::2], y[k::2]) for k in (0, 1))
    states = [m._learner.state.copy() for m in (a, b)]
    before = snapshot(b)
    a.merge(b)
    assert snapshot(b) == before
    np.testing.assert_allclose(a._learner.state, sum(states))
    np.testing.assert_allclose(a._learner.center, X.mean(axis=0))
    np.testing.assert_allclose(a._learner.scale, X.std(axis=0))
    np.testing.assert_allclose(a._learner.variance, 1 - a.means_**2, atol=1e-12)
    assert a.t_ == 400
    fresh = BinaryBayesPerceptron().fit(X, y)
    assert a.score(X, y) > fresh.score(X, y) - 0.05
    with pytest.raises(ValueError, match="a model like"):
        a.merge(BinaryBayesPerceptron(0.1).fit(X, y))
    with pytest.raises(ValueError, match="the same n_features_in_"):
        a.merge(BinaryBayesPerceptron().fit(X[:, :3], y))
    names = [f"column {i}" for i in range(15)]
    named, other = (DataFrame(X, columns=given) for given in (names, names[::-1]))
    model = BinaryBayesPerceptron().fit(named, y)
    with pytest.raises(ValueError, match="the same feature_names_in_"):
        model.merge(BinaryBayesPerceptron().fit(other, y))


@pytest.mark.parametrize("wrong", [{"noise": "\0"}, {"noise": []}, {"hard": None}])
def test_parameters_are_checked_before_predictions(wrong):
    X, y = data()
    model = BinaryBayesPerceptron().fit(X, y).set_params(**wrong)
    with pytest.raises((TypeError, ValueError), match="must be"):
        model.predict_proba(X)
