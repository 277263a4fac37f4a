"""The estimator keeps scikit-learn's conventions and the engine's numbers."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron, Residual, Shifted
from rosenblatt.schedules import Constant, PerMistake, Power
from tests import references
from tests.estimators.checking import depends_on_order
from tests.estimators.online_examples import Dead, data, same


@pytest.mark.filterwarnings("ignore:labels come in long runs")  # of iris
@parametrize_with_checks(
    [OnlinePerceptron(Normalised(Perceptron()), PerMistake(), max_iter=2)],
    expected_failed_checks=depends_on_order,
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


def test_one_weight_is_for_all_rows():
    X, y = data(3)
    a = OnlinePerceptron().partial_fit(X, y, classes=[0, 1, 2], sample_weight=2)
    twice = np.full(len(X), 2)
    b = OnlinePerceptron().partial_fit(X, y, classes=[0, 1, 2], sample_weight=twice)
    assert same(a, b)


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

    def spy(self, learner, examples, *order):
        seen.append(examples.data)
        return learn(self, learner, examples, *order)

    monkeypatch.setattr(OnlinePerceptron, "_learn", spy)
    OnlinePerceptron().fit(X, y).partial_fit(X, y)
    assert all(np.shares_memory(table, X) for table in seen)
    assert len(seen) == 2
