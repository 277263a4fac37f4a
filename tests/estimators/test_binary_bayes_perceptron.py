"""The binary Bayesian classifier: scikit-learn's conventions and the naive numbers."""

import numpy as np
import pytest
from scipy.special import ndtr

import rosenblatt as rb
from rosenblatt.estimators import BinaryBayesPerceptron
from tests import references
from tests.conformance.estimators import state


def data(classes=2, rows=120, features=7, seed=0):
    rng = np.random.default_rng(seed)
    X = 3 * rng.standard_normal((rows, features)) + rng.uniform(-5, 5, features)
    return X, (X @ rng.standard_normal((features, classes))).argmax(axis=1)


def assert_naive(model, X, y, noise=None):
    """Assert that each class is told from the rest as if it were alone."""
    for k in range(len(model.means_)):
        signs = np.where(y == (k if len(model.classes_) > 2 else 1), 1.0, -1.0)
        mean, theta, found, mistakes = references.binary_bayes_stream(
            X, signs, noise, model.fit_intercept, model.standardise
        )
        np.testing.assert_allclose(model.means_[k], mean, rtol=1e-9, atol=1e-12)
        assert model._intercepts()[k] == pytest.approx(theta, rel=1e-9, abs=1e-12)
        assert model.noise_[k] == pytest.approx(found, rel=1e-9)
        assert model.mistakes_[k] == mistakes
    assert model.t_ == len(X)


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("noise", [0.0, 0.1, "auto"])
def test_numbers_are_those_of_the_naive_version(noise, intercept, standardise):
    X, y = data()
    X = X if standardise else X / 5
    given = {"fit_intercept": intercept, "standardise": standardise}
    model = BinaryBayesPerceptron(noise, **given).fit(X, y)
    assert_naive(model, X, y, None if noise == "auto" else noise)


def test_several_classes_and_columns_that_do_not_vary_yet_count_for_nothing():
    X, y = data(4)
    assert_naive(BinaryBayesPerceptron().fit(X, y), X, y)
    X, y = data()
    X[:, 2], X[:60, 4], X[:, 5] = 7.0, -1.0, 0.0
    model = BinaryBayesPerceptron().fit(X, y)
    assert_naive(model, X, y)
    assert not model.coef_[0, [2, 5]].any()


def test_a_binary_teacher_is_learned_and_probabilities_are_honest():
    rng = np.random.default_rng(5)
    w = rng.choice([-1, 1], 40)
    X = rng.standard_normal((40_000, 40))
    clean = X @ w / np.sqrt(40) > 0.3
    y = np.where(rng.random(len(X)) < 0.1, ~clean, clean)
    learned, fresh = slice(2000), slice(2000, None)
    model = BinaryBayesPerceptron().fit(X[learned], y[learned])
    np.testing.assert_array_equal(model.signs_[0], w)
    # of 2000 labels sqrt(0.1 * 0.9 / 2000) = 0.0067 more or less are wrong
    assert model.noise_[0] == pytest.approx(0.1, abs=5 * 0.0067)
    known = BinaryBayesPerceptron(0.1, standardise=False).fit(X[learned], y[learned])
    error = np.mean(known.predict(X[fresh]) != y[fresh])
    expected = 1 - known.predict_proba(X[fresh]).max(axis=1).mean()
    # 38 000 rows: 0.0016; the intercept moves the error by at most 0.8 * 0.4 of what
    # is not known of it
    doubt = 0.32 * np.sqrt(known._learner.numbers[0, -1])
    assert doubt < 0.006
    assert error == pytest.approx(expected, abs=5 * np.hypot(0.0016, doubt))
    assert np.mean(known.predict(X[fresh]) == clean[fresh]) > 0.98


# the squares of some are no numbers
@pytest.mark.parametrize("size", [1e-300, 1e300, 2.0**-700, 2.0**500])
def test_units_do_not_matter(size):
    X, y = data(rows=200, seed=5)
    wanted = BinaryBayesPerceptron().fit(X, y)
    model = BinaryBayesPerceptron().fit(X * size, y)
    np.testing.assert_allclose(
        model.predict_proba(X * size), wanted.predict_proba(X), rtol=1e-9
    )
    parts = [BinaryBayesPerceptron().fit(size * X[k::2], y[k::2]) for k in (0, 1)]
    scale = parts[0].merge(parts[1])._learner.scale
    np.testing.assert_allclose(scale, size * X.std(axis=0))


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
    with pytest.raises(TypeError, match="Bits in all calls or in none"):
        model.predict(S)
    with pytest.raises(TypeError, match="Bits in all calls or in none"):
        plain.partial_fit(bits, y)
    with pytest.raises(ValueError, match="expecting 65 features"):
        model.predict(rb.bits.pack(S[:, :64]))


def test_merging_adds_what_both_know():
    X, y = data(rows=400, features=15, seed=4)
    a, b = (BinaryBayesPerceptron().fit(X[k::2], y[k::2]) for k in (0, 1))
    states = [m._learner.state.copy() for m in (a, b)]
    before = state(b)
    a.merge(b)
    assert state(b) == before
    np.testing.assert_allclose(a._learner.state, sum(states))
    np.testing.assert_allclose(a._learner.center, X.mean(axis=0))
    np.testing.assert_allclose(a._learner.scale, X.std(axis=0))
    np.testing.assert_allclose(a._learner.variance, 1 - a.means_**2, atol=1e-12)
    assert a.t_ == 400
    fresh = BinaryBayesPerceptron().fit(X, y)
    assert a.score(X, y) > fresh.score(X, y) - 0.05
