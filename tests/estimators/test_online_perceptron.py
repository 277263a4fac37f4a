"""Classifiers that learn linear weights by a rule."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.linear_model import SGDClassifier

from rosenblatt.core import Rule, Update
from rosenblatt.estimators import OnlinePerceptron, ShiftedPerceptron
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Decay,
    Hebb,
    Normalised,
    Perceptron,
    Residual,
    Shifted,
)
from rosenblatt.schedules import Constant, PerMistake, Power
from tests import references


@dataclass(frozen=True)
class Dead(Rule):
    """A user's own: no update inside a dead zone."""

    zone: float = 0.1

    def bind(self):
        zone = self.zone

        def step(p):
            return Update(0.0 if p.label * p.field > zone else p.rate * p.label, 0.0)

        return step


def data(classes=2, rows=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) + 0.3
    return X, (X @ rng.standard_normal((5, classes))).argmax(axis=1)


def same(a, b):
    return a.t_ == b.t_ and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("classes_", "coef_", "intercept_", "mistakes_")
    )


def test_seed_decides_the_shuffled_order():
    X, y = data()
    model = OnlinePerceptron(max_iter=2, shuffle=True, random_state=4)
    assert same(model.fit(X, y), clone(model).fit(X, y))
    assert not same(model, clone(model).set_params(random_state=5).fit(X, y))


def test_one_weight_is_for_all_rows():
    X, y = data(3)
    a, b = (
        OnlinePerceptron().partial_fit(X, y, classes=[0, 1, 2], sample_weight=weight)
        for weight in (2, np.full(len(X), 2))
    )
    assert same(a, b)


@pytest.mark.parametrize("kind", [np.array, csr_matrix])
def test_class_weight_is_a_weight_of_rows(kind):
    X, y = data(3)
    weights = np.random.default_rng(1).choice([0.0, 0.5, 2.0], len(X))
    by_class = {0: 2.0, 1: 0.25}
    own = weights * np.array([2.0, 0.25, 1.0])[y]
    a = OnlinePerceptron(schedule=Power(), class_weight=by_class)
    a.fit(kind(X), y, sample_weight=weights)
    b = OnlinePerceptron(schedule=Power()).fit(kind(X), y, sample_weight=own)
    assert same(a, b)
    assert a.t_ == pytest.approx(own.sum(), rel=1e-14)
    balanced = OnlinePerceptron(class_weight="balanced").fit(X, y)
    assert balanced.t_ == pytest.approx(len(X), rel=1e-12)
    a.partial_fit(X[:1], y[:1])  # a single row, with the weight of its class
    assert a.t_ == pytest.approx(own.sum() + [2.0, 0.25, 1.0][y[0]], rel=1e-14)
    with pytest.raises(ValueError, match=r"balanced.*not for partial_fit"):
        balanced.partial_fit(X, y)


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


def peers(**given):
    """Return pairs that learn the same, ours and scikit-learn's."""
    one = {"max_iter": 1, "tol": None, "shuffle": False, "penalty": None, **given}
    yield OnlinePerceptron(**given), SklearnPerceptron(**one)
    logistic = {"loss": "log_loss", "learning_rate": "constant", "eta0": 0.05}
    ours = OnlinePerceptron(Residual(), Constant(0.05), **given)
    yield ours, SGDClassifier(**logistic, **one)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("columns", "given"),
    [(3, {"max_iter": 3}), (20, {"fit_intercept": False}), (64, {}), (133, {})],
)
def test_dense_weights_are_those_of_scikit_learn(columns, given, number, classes):
    rng = np.random.default_rng(columns)
    X = rng.standard_normal((400, columns)).astype(number)
    y = (X @ rng.standard_normal((columns, classes))).argmax(axis=1)
    for ours, theirs in peers(**given):
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
        assert ours.t_ == given.get("max_iter", 1) * len(X)


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


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("rule", [None, Normalised(Hebb()), Shifted(Hebb())])
@pytest.mark.filterwarnings("ignore:labels .* balanced")
def test_single_rows_equal_one_fit_to_the_bit(rule, number):
    X, y = data(3)
    X = X.astype(number)
    whole = OnlinePerceptron(rule, Power()).fit(X, y)
    model = OnlinePerceptron(rule, Power())
    model.partial_fit(X[:1], y[:1], classes=[0, 1, 2])
    for i in range(1, len(X)):
        model.partial_fit(X[i : i + 1], y[i : i + 1] if i % 2 else [y[i]])
    assert same(model, whole)


def test_parts_may_change_between_single_rows():
    X, y = data()
    model = OnlinePerceptron().fit(X, y)
    twin = copy.deepcopy(model)
    model.set_params(rule=Hebb(), schedule=Constant(2.0)).partial_fit(X[:1], y[:1])
    twin.set_params(rule=Hebb(), schedule=Constant(2.0))
    twin.partial_fit(X[:1], y[:1], sample_weight=[1])
    assert same(model, twin)


def test_rule_that_stays_at_zero_is_warned_of():
    X, y = data()
    with pytest.warns(ConvergenceWarning, match=r"AdaTron\(\) may never leave"):
        OnlinePerceptron(AdaTron()).fit(X, y)


def test_balanced_labels_are_said_to_determine_no_uniform_shift():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 2))
    y = np.where(X[:, 0] > 0, "yes", "no")
    rule = Shifted(Normalised(Perceptron()), opening=1)
    with pytest.warns(ConvergenceWarning, match=r"labels are balanced.*uniform=False"):
        OnlinePerceptron(rule).fit(X, y)
    OnlinePerceptron(rule).fit(X, np.where(X[:, 0] > 1, "yes", "no"))
    rule = Shifted(Normalised(Perceptron()), AverageShift(uniform=False), opening=1)
    assert OnlinePerceptron(rule, Constant(0.01)).fit(X, y).score(X, y) > 0.9


def lopsided(rows, seed=0):
    """Return inputs that are not symmetric around the boundary, and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 10)) / 10**0.5
    X[:, 1] += X[:, 0] > 0.4
    right = X[:, 0] > 0
    return X, right, right ^ (rng.random(rows) < 0.2)


@pytest.mark.parametrize("uniform", [False, True])
def test_it_is_the_rule_that_it_says(uniform):
    X, _, y = lopsided(2000)
    y = y & (X[:, 2] > 0)  # not balanced
    rule = Shifted(Normalised(Perceptron()), AverageShift(uniform), 3.0)
    model = ShiftedPerceptron(Constant(0.5), uniform=uniform, opening=3.0).fit(X, y)
    twin = OnlinePerceptron(rule, Constant(0.5)).fit(X, y)
    np.testing.assert_array_equal(model.coef_, twin.coef_)
    np.testing.assert_array_equal(model.intercept_, twin.intercept_)
    sparse = ShiftedPerceptron(Constant(0.5), uniform=uniform, opening=3.0)
    sparse.fit(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.coef_, twin.coef_, rtol=1e-12)


def test_wrong_labels_do_not_lead_it_astray():
    """Plain weights with the same rates end up farther off, at any size."""
    rates = Power(10.0, 1.0, offset=20.0)
    for seed in range(3):
        X, right, y = lopsided(20_000, seed)
        own = ShiftedPerceptron().fit(X, y).score(X, right)
        plain = OnlinePerceptron(Normalised(Perceptron()), rates).fit(X, y)
        # the pull of the wrong labels alone costs several percent
        assert own > 0.97 > plain.score(X, right)
