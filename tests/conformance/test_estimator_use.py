"""Every estimator works where scikit-learn's do, and fails without harm."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tests.conformance.estimators import (
    CLASSIFIERS,
    assert_same,
    data,
    every,
    one_pass,
    state,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_models_are_parts_of_others(kind, classes):
    X, y = data(kind, classes)
    model = one_pass(kind)
    pipeline = make_pipeline(FunctionTransformer(), model).fit(X, y)
    assert_same(pipeline[-1], clone(model).fit(X, y))
    calibrated = CalibratedClassifierCV(model, cv=3).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1.0)
    rest = OneVsRestClassifier(model).fit(X, y)
    assert rest.predict(X).shape == y.shape
    vote = VotingClassifier([("a", model), ("b", clone(model))]).fit(X, y)
    np.testing.assert_array_equal(vote.predict(X), clone(model).fit(X, y).predict(X))
    bag = BaggingClassifier(model, n_estimators=2, random_state=0).fit(X, y)
    assert set(bag.predict(X)) <= set(y)
    scores = cross_val_predict(model, X, y, cv=3, method="decision_function")
    assert scores.shape == ((len(X),) if classes == 2 else (len(X), classes))
    assert len(cross_val_score(model, X, y, cv=3, error_score="raise")) == 3
    if hasattr(model, "predict_proba"):
        shares = cross_val_predict(model, X, y, cv=3, method="predict_proba")
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        soft = VotingClassifier([("a", model)], voting="soft").fit(X, y)
        np.testing.assert_array_equal(soft.predict(X), vote.predict(X))


@every
def test_weights_are_routed(kind):
    X, y = data(kind)
    times = np.random.default_rng(1).integers(0, 3, len(X))
    with sklearn.config_context(enable_metadata_routing=True):
        model = one_pass(kind).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(FunctionTransformer(), model)
        pipeline.fit(X, y, sample_weight=times)
        wanted = one_pass(kind).fit(X, y, sample_weight=times)
        assert_same(pipeline[-1], wanted)
        name = pipeline.steps[-1][0]
        grid = {f"{name}__{only(kind)}": [wanted.get_params()[only(kind)]]}
        model.set_score_request(sample_weight=True)
        search = GridSearchCV(pipeline, grid, cv=3, error_score="raise")
        search.fit(X, y, sample_weight=times)
        assert_same(search.best_estimator_[-1], wanted)
        ignored = one_pass(kind).set_fit_request(sample_weight=False)
        pipeline = make_pipeline(FunctionTransformer(), ignored)
        with pytest.raises(TypeError, match="unexpected argument"):
            pipeline.fit(X, y, sample_weight=times)


def only(kind):
    """Return the name of a parameter."""
    return min(kind().get_params(deep=False))


@every
def test_copies_are_of_their_own(kind, tmp_path):
    X, y = data(kind)
    model = one_pass(kind).fit(X, y)
    joblib.dump(model, tmp_path / "model")
    copies = {
        "pickle": pickle.loads(pickle.dumps(model)),
        "joblib": joblib.load(tmp_path / "model"),
        "deepcopy": copy.deepcopy(model),
        "copy": copy.copy(model),
    }
    before = state(pickle.loads(state(model)))
    for name, other in copies.items():
        assert_same(model, other)
        for rows in (slice(3), slice(1), slice(1, 2), slice(30)):
            other.partial_fit(X[rows], 1 - y[rows])
        assert state(pickle.loads(state(model))) == before, name
        assert other.t_ == model.t_ + 35
        model.partial_fit(X[:1], y[:1])  # and the other way round
        assert other.t_ == model.t_ + 34
        model = pickle.loads(before)
    fresh = clone(copies["copy"])
    assert not hasattr(fresh, "classes_")
    assert fresh.get_params() == model.get_params()


MERGING = [kind for kind in CLASSIFIERS if hasattr(kind, "merge")]


@pytest.mark.parametrize("kind", MERGING, ids=lambda kind: kind.__name__)
def test_only_models_alike_are_merged(kind):
    X, y = data(kind)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = one_pass(kind).fit(frame, y)
    before, known = state(model), kind().get_params()
    given = {"noise": 0.1} if "noise" in known else {"binarise": 0.0}
    turned = frame.set_axis(list("fedcba"), axis=1)
    for other, message in (
        (one_pass(kind, **given).fit(X, y), "other must be a model like"),
        (one_pass(kind).fit(X[:, 1:], y), "the same n_features_in_, 6, got 5"),
        (one_pass(kind).fit(turned, y), r"the same feature_names_in_, \['a', 'b'"),
        (one_pass(kind).fit(X, y.astype(str)), "classes"),
        (one_pass(kind), "not fitted yet"),
        (model, "other must be another model"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            model.merge(other)
        assert state(model) == before
    # one of these has no names
    assert model.merge(one_pass(kind).fit(X, y)).t_ == 2 * len(y)


@every
def test_attributes_do_not_lead_into_the_model(kind):
    X, y = data(kind)
    model = one_pass(kind).fit(X, y)
    scores = model.decision_function(X)
    model.coef_[:] = 7
    model.intercept_[:] = 7
    np.testing.assert_array_equal(model.decision_function(X), scores)


def changed(array, value):
    """Return a copy with another last entry."""
    copied = array.copy()
    copied.flat[-1] = value
    return copied


def spoilt(X, y):
    """Return calls that fail at the end, with what is wrong."""
    last, endless, stranger = changed(X, np.nan), changed(X, np.inf), changed(y, 9)
    weights = np.ones(len(X))
    negative, part = changed(weights, -1), changed(weights, np.nan)
    huge = changed(weights, np.inf)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    return {
        "not a number": ((last, y), "NaN"),
        "infinite": ((endless, y), "inf"),
        "unseen label": ((X, stranger), "among classes"),
        "columns": ((X[:, 1:], y), "features"),
        "one row of other columns": ((X[:1, 1:], y[:1]), "features"),
        "one row with NaN": ((last[-1:], y[-1:]), "NaN"),
        "one row of an unseen label": ((X[:1], stranger[-1:]), "among classes"),
        "negative weight": ((X, y, None, negative), "sample_weight"),
        "weight NaN": ((X, y, None, part), "NaN"),
        "weight infinite": ((X, y, None, huge), "infinity"),
        "weights missing": ((X, y, None, negative[1:]), "sample_weight"),
        "labels missing": ((X, y[1:]), "inconsistent"),
        "classes": ((X, y, [0, 1, 2]), "classes must be"),
        "names": ((frame.rename(columns={"a": "z"}), y), "feature names"),
        "nothing": ((X[:0], y[:0]), "0 sample"),
        "no labels": ((X, None), "y"),
        "measurements": ((X, y + X[:, 0] / 3), "label type"),
    }


FAULTS = spoilt(np.zeros((3, 6)), np.zeros(3, int))


@every
@pytest.mark.parametrize("fault", FAULTS)
def test_a_call_that_fails_changes_nothing(kind, fault):
    X, y = data(kind)
    table = pd.DataFrame(X, columns=list("abcdef")) if fault == "names" else X
    arguments, message = spoilt(X, y)[fault]
    model = one_pass(kind).fit(table, y)
    before = state(model)
    with pytest.raises(ValueError, match=message):
        model.partial_fit(*arguments)
    assert state(model) == before
    fresh = one_pass(kind)
    empty = state(fresh)
    if fault not in ("names", "classes"):
        given = (*arguments[:2], [0, 1], *arguments[3:])
        if "column" not in fault:
            with pytest.raises(ValueError, match=message):
                fresh.partial_fit(*given)
            assert state(fresh) == empty
        X, y, *rest = arguments
        if "unseen" not in fault and "column" not in fault and "row" not in fault:
            with pytest.raises(ValueError, match=message):
                model.fit(X, y, *rest[1:])
            assert state(model) == before


@every
def test_classes_are_two_or_more(kind):
    """Models of counts and of bits need them; others wait for classes to appear."""
    X, y = data(kind)
    model = one_pass(kind)
    before = state(model)
    if kind.__name__ in ("BinaryBayesPerceptron", "BinaryPerceptron", "ClippedHebb"):
        with pytest.raises(ValueError, match="classes must be passed on the first"):
            model.partial_fit(X, y)
    with pytest.raises(ValueError, match="more than one class"):
        model.partial_fit(X, y, classes=[0])
    with pytest.raises(ValueError, match="more than one class"):
        model.fit(X, np.zeros(len(X), int))
    assert state(model) == before
