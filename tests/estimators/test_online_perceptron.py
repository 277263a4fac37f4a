"""The estimator keeps scikit-learn's conventions and the engine's numbers."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.core import Percept, Rule, Update
from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Decay,
    Hebb,
    Normalised,
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import Constant, PerMistake, Power
from tests import references


@dataclass(frozen=True)
class Dead(Rule):
    """A user's own: no update inside a dead zone."""

    zone: float = 0.1

    def bind(self) -> Callable[[Percept], Update]:
        zone = self.zone

        def step(p: Percept) -> Update:
            return Update(0.0 if p.label * p.field > zone else p.rate * p.label, 0.0)

        return step


def data(classes=2, rows=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) + 0.3
    return X, (X @ rng.standard_normal((5, classes))).argmax(axis=1)


def snapshot(model):
    return pickle.dumps(vars(model))


def same(a, b):
    return a.t_ == b.t_ and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("classes_", "coef_", "intercept_", "mistakes_")
    )


@parametrize_with_checks(
    [
        OnlinePerceptron(),
        OnlinePerceptron(Normalised(Perceptron()), PerMistake(), max_iter=2),
    ],
    expected_failed_checks=lambda _: dict.fromkeys(
        [
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ],
        "the check shuffles the rows, and the result depends on their order",
    ),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


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


@pytest.mark.filterwarnings("ignore:labels .* balanced")  # too few to tell
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "rule", [None, Normalised(Hebb()), Shifted(Perceptron()), Dead()]
)
def test_any_chunks_equal_one_fit_to_the_bit(rule, classes):
    X, y = data(classes)
    whole = OnlinePerceptron(rule, Power(exponent=0.5), max_iter=2).fit(X, y)
    chunked = OnlinePerceptron(rule, Power(exponent=0.5))
    for _ in range(2):
        for rows in np.array_split(np.arange(len(X)), [1, 2, 3, 40]):
            chunked.partial_fit(X[rows], y[rows], classes=np.arange(classes))
            chunked = pickle.loads(pickle.dumps(chunked)) if rule is None else chunked
    assert same(whole, chunked)


def test_whole_weights_equal_repetition():
    X, y = data(3)
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    a = OnlinePerceptron(schedule=Power()).fit(X, y, sample_weight=weights)
    b = OnlinePerceptron(schedule=Power()).fit(X.repeat(weights, 0), y.repeat(weights))
    assert same(a, b)
    assert a.t_ == weights.sum()


def test_seed_decides_the_shuffled_order():
    X, y = data()
    model = OnlinePerceptron(max_iter=2, shuffle=True, random_state=4)
    assert same(model.fit(X, y), clone(model).fit(X, y))
    assert not same(model, clone(model).set_params(random_state=5).fit(X, y))


def test_pipeline_and_grid_search_choose_parts():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), OnlinePerceptron(shuffle=True))
    grid = {
        "onlineperceptron__rule": [Perceptron(), Dead(0.2), Normalised(Perceptron())],
        "onlineperceptron__schedule": [None, Power(), lambda clock: 1 / clock.time],
        "onlineperceptron__random_state": [0],
    }
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    # the largest of three classes alone would give 1/3
    assert search.best_score_ > 0.8


def test_clone_keeps_the_parts_and_forgets_the_rest():
    X, y = data()
    model = OnlinePerceptron(Dead(0.5), Power()).fit(X, y)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "coef_")


def test_labels_may_be_words():
    X, y = data(3)
    words = np.array(["c", "a", "b"])[y]
    model = OnlinePerceptron().partial_fit(X, words, classes=["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert set(model.predict(X)) <= {"a", "b", "c"}
    assert same(model, OnlinePerceptron().fit(X, words))


def test_rule_that_stays_at_zero_is_warned_of():
    X, y = data()
    with pytest.warns(ConvergenceWarning, match=r"AdaTron\(\) may never leave"):
        OnlinePerceptron(AdaTron()).fit(X, y)


def spoilt(value):
    X, y = data()
    X[7, 3] = value
    return X, y


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (spoilt(np.nan), "NaN or inf, got nan in row 7, column 3"),
        (spoilt(np.inf), "NaN or inf, got inf in row 7, column 3"),
        ((*data(), None, np.full(90, -0.5)), "[sS]ample.weight"),
        ((*data(), None, np.ones(89)), "sample_weight"),
        ((data()[0], np.linspace(0, 1, 90)), "Unknown label type"),
        ((data()[0], data()[1][:-1]), "inconsistent numbers of samples"),
    ],
)
def test_bad_data_leave_the_model_as_it_was(method, arguments, message):
    model = OnlinePerceptron(Shifted(Perceptron()), Power()).fit(*data(seed=1))
    before = snapshot(model)
    X, y, _, weights = (*arguments, None, None)[:4]
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(X, y, sample_weight=weights)
    assert snapshot(model) == before


def test_bad_columns_and_classes_leave_the_model_as_it_was():
    X, y = data()
    model = OnlinePerceptron().fit(X, y)
    before = snapshot(model)
    with pytest.raises(ValueError, match="X has 4 features"):
        model.partial_fit(X[:, 1:], y)
    with pytest.raises(ValueError, match=r"among classes \[0, 1\], got 2"):
        model.partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match=r"y must have more than one class, got \[0\]"):
        model.fit(X[:, 1:], np.zeros(len(X)).astype(int))
    with pytest.raises(ArithmeticError, match="row 0 of X"):
        model.set_params(schedule=lambda clock: 1e308).fit(X[:, 1:] * 10, y)
    assert snapshot(model.set_params(schedule=None)) == before


def test_bad_first_call_leaves_the_model_unfitted():
    X, y = data()
    model = OnlinePerceptron()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    with pytest.raises(ValueError, match="classes must have more than one class"):
        model.partial_fit(X, y, classes=[0])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(*spoilt(np.nan), classes=[0, 1])
    assert vars(model) == vars(OnlinePerceptron())


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"rule": Perceptron}, TypeError, "rule must be a Rule.*with parentheses"),
        ({"schedule": 0.5}, TypeError, "schedule must be a Schedule"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number not below 1"),
        ({"rule": Shifted.known(Hebb(), 1.0)}, ValueError, "fixed shift"),
    ],
)
def test_bad_parameters_are_named(parameters, error, message):
    with pytest.raises(error, match=message):
        OnlinePerceptron(**parameters).fit(*data())


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
