"""Weights are those of a plain loop and of scikit-learn, whatever holds the rows."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_matrix
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.linear_model import SGDClassifier

from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import (
    Decay,
    Hebb,
    Normalised,
    Perceptron,
    Residual,
    Shifted,
)
from rosenblatt.schedules import Constant, PerMistake, Power
from tests import references
from tests.estimators.online_examples import Dead, data


@pytest.mark.filterwarnings("ignore:labels .* balanced")  # too few to tell
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(
    ("rule", "step", "shifted"),
    [
        (Perceptron(0.5), references.perceptron(0.5), False),
        (Normalised(Perceptron()), references.normalised_perceptron, False),
        (Decay(Perceptron(), 0.1), references.decayed_perceptron(0.1), False),
        (Shifted(Perceptron(), opening=2), references.perceptron(0.0), True),
        (Dead(), references.perceptron(0.1), False),
    ],
)
def test_weights_are_those_of_the_reference_class_by_class(
    rule, step, shifted, intercept
):
    X, y = data(classes=3)
    model = OnlinePerceptron(rule, PerMistake(2.0), fit_intercept=intercept).fit(X, y)
    for k in range(3):
        wanted, mistakes = references.stream(
            step,
            lambda time, mistakes, n: 2 / max(mistakes, 1 / n),
            X,
            np.where(y == k, 1.0, -1.0),
            np.zeros(5 + intercept),
            intercept,
            **({"shifted": "uniform", "opening": 2} if shifted else {}),
        )
        got = np.append(model.coef_[k], model.intercept_[k] if intercept else [])
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-12)
        assert model.mistakes_[k] == mistakes


@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [False, True])
def test_weights_are_those_of_scikit_learns_perceptron(intercept, classes, passes):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(3).permutation(np.flatnonzero(y < classes))
    X, y = X[order], y[order]
    peer = SklearnPerceptron(
        fit_intercept=intercept, max_iter=passes, tol=None, shuffle=False
    ).fit(X, y)
    model = OnlinePerceptron(fit_intercept=intercept, max_iter=passes).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(model.intercept_, peer.intercept_)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    assert model.t_ == passes * len(X)


def peers(**given):
    """Return pairs that learn the same, ours and scikit-learn's."""
    one = {"max_iter": 1, "tol": None, "shuffle": False, "penalty": None, **given}
    yield OnlinePerceptron(**given), SklearnPerceptron(**one)
    logistic = {"loss": "log_loss", "learning_rate": "constant", "eta0": 0.05}
    ours = OnlinePerceptron(Residual(), Constant(0.05), **given)
    yield ours, SGDClassifier(**logistic, **one)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [3, 20, 64, 133])
def test_dense_weights_are_those_of_scikit_learn(columns, number, classes):
    rng = np.random.default_rng(columns)
    X = rng.standard_normal((400, columns)).astype(number)
    y = (X @ rng.standard_normal((columns, classes))).argmax(axis=1)
    perceptrons, logistics = peers()
    for ours, theirs in (perceptrons, logistics):
        ours.fit(X, y)
        theirs.fit(X, y)
        rounding = 0.0 if ours.rule is None else np.finfo(number).eps * 400
        if number == np.float64 and ours.rule is None:
            rounding = 1e-12  # of fields that add up in another order
        for name in ("coef_", "intercept_"):
            wanted = getattr(theirs, name)
            near = rounding * np.abs(wanted).max()
            np.testing.assert_allclose(
                getattr(ours, name), wanted, rtol=0, atol=near, err_msg=name
            )


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_sparse_weights_are_those_of_scikit_learn(number, classes):
    """Without an intercept: from sparse rows its intercepts learn at a hundredth."""
    rng = np.random.default_rng(7)
    X = np.where(rng.random((400, 50)) < 0.2, rng.standard_normal((400, 50)), 0.0)
    y = (X @ rng.standard_normal((50, classes))).argmax(axis=1)
    X = csr_matrix(X.astype(number))
    for ours, theirs in peers(fit_intercept=False):
        ours.fit(X, y)
        theirs.fit(X, y)
        near = np.finfo(number).eps * 400 * np.abs(theirs.coef_).max()
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=near)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("rule", [None, Normalised(Hebb()), Shifted(Perceptron())])
@pytest.mark.filterwarnings("ignore:labels .* balanced")
def test_tables_of_all_kinds_learn_the_same(rule):
    X, y = data(3)
    X = np.where(X > 0, X, 0.0).astype(np.float32)
    models = [
        OnlinePerceptron(rule, Power()).fit(table, y)
        for table in (X.astype(float), X, csr_matrix(X), csc_matrix(X))
    ]
    for model in models[1:]:
        np.testing.assert_allclose(model.coef_, models[0].coef_, rtol=0, atol=1e-4)
        np.testing.assert_array_equal(model.mistakes_, models[0].mistakes_)
    scores = [
        models[0].decision_function(table) for table in (X.astype(float), csr_matrix(X))
    ]
    np.testing.assert_allclose(*scores, rtol=1e-5, atol=1e-5)


def test_rows_of_single_precision_are_not_copied(monkeypatch):
    X, y = data()
    X = X.astype(np.float32)
    seen = []
    learn = OnlinePerceptron._learn

    def spy(self, learner, examples, order=None, each=None):
        seen.append(examples.data)
        return learn(self, learner, examples, order, each)

    monkeypatch.setattr(OnlinePerceptron, "_learn", spy)
    OnlinePerceptron().fit(X, y).partial_fit(X, y)
    assert all(np.shares_memory(table, X) for table in seen)
    assert len(seen) == 2
