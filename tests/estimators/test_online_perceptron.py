"""The estimator keeps scikit-learn's conventions and the engine's numbers."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import (
    Hebb,
    Normalised,
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import PerMistake, Power
from tests.estimators.online_examples import Dead, data, same


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


def test_rows_of_weight_zero_are_not_there():
    X, y = data(3)
    y = np.where(y == 2, 0, y)
    y[5] = 7
    weights = np.ones(len(X))
    weights[5] = 0
    model = OnlinePerceptron().fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 1]
    assert same(model, OnlinePerceptron().fit(np.delete(X, 5, 0), np.delete(y, 5)))


def test_warm_start_goes_on_with_clock_and_schedule():
    X, y = data(3)
    model = OnlinePerceptron(schedule=Power(), warm_start=True)
    twice = OnlinePerceptron(schedule=Power(), max_iter=2).fit(X, y)
    assert same(model.fit(X, y).fit(X, y), twice)
    assert model.n_iter_ == 1
    with pytest.raises(ValueError, match=r"y must be among classes \[0, 1, 2\], got 3"):
        model.fit(X, y + 1)
    with pytest.raises(ValueError, match="X has 4 features"):
        model.fit(X[:, 1:], y)
    assert same(model, twice)
    assert not same(model.set_params(warm_start=False).fit(X, y), twice)


def test_calibration_takes_it():
    X, y = data(3, rows=300)
    model = CalibratedClassifierCV(OnlinePerceptron(), cv=3).fit(X, y)
    assert model.predict_proba(X).shape == (300, 3)
    assert model.score(X, y) > 0.6


def test_callbacks_hear_of_each_pass():
    callback = pytest.importorskip("sklearn.callback")
    X, y = data()

    class Watch:
        def __init__(self):
            self.heard = []

        def setup(self, estimator, context):
            self.heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.heard.append(("begin", context.task_name))

        def on_fit_task_end(self, estimator, context, *, fitted_estimator):
            self.heard.append((context.task_name, fitted_estimator.t_))
            return fitted_estimator.t_ == 180

        def teardown(self, estimator, context):
            self.heard.append("teardown")

    watch = Watch()
    assert isinstance(watch, callback.FitCallback)
    model = OnlinePerceptron(max_iter=5).set_callbacks(watch).fit(X, y)
    assert watch.heard == [
        "setup",
        ("begin", "fit"),
        ("begin", "pass"),
        ("pass", 90),
        ("begin", "pass"),
        ("pass", 180),  # where it says stop
        ("fit", 180),
        "teardown",
    ]
    assert model.n_iter_ == 2
    assert same(model, OnlinePerceptron(max_iter=2).fit(X, y))
