"""Both classifiers for River: River's own checks, tables, copies, errors."""

import copy
import pickle
import time
from threading import Thread

import numpy as np
import pandas as pd
import polars as pl
import pytest
from river import checks, compose, datasets, drift, evaluate, metrics, preprocessing

import rosenblatt as rb
from rosenblatt.river import BayesPerceptron, OnlinePerceptron

MODELS = {
    "perceptron": OnlinePerceptron(),
    "passive-aggressive": OnlinePerceptron(
        rb.rules.PassiveAggressive(), rb.schedules.Power(1.0, 0.5)
    ),
    "no intercept": OnlinePerceptron(fit_intercept=False),
    "shifted": OnlinePerceptron(
        rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False))
    ),
    "bayes": BayesPerceptron(),
    "diagonal": BayesPerceptron("diagonal", noise=0.1),
    "forgetting": BayesPerceptron(half_life=50),
    "curved": BayesPerceptron(boundary="curved", cosines=20),
}
SLOW = {*MODELS} - {"perceptron", "bayes"}  # what River calls is the same in all
CHECKS = [
    pytest.param(
        model,
        check,
        marks=[pytest.mark.slow] if name in SLOW else [],
        id=f"{name}-{number}-{check.__name__}",
    )
    for name, model in MODELS.items()
    for number, check in enumerate(checks.yield_checks(model))
]


@pytest.mark.parametrize(("model", "check"), CHECKS)
def test_rivers_own_checks(model, check):
    check(model.clone())


def rows(count=200, seed=0):
    """Examples in which features come and go."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        names = "abcde"[: 2 + min(i // 40, 3)] if i % 7 else "ae"
        x = {name: float(rng.normal()) for name in names}
        found.append((x, bool(x["a"] + 0.3 * rng.normal() > 0)))
    return found


def state(model):
    """Return all that a model has learned, as bytes."""
    return pickle.dumps(model)


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", MODELS)
def test_learn_many_equals_learn_one_to_the_bit(name, table):
    one, many = MODELS[name].clone(), MODELS[name].clone()
    first = rows()
    for x, y in first:
        one.learn_one(x, y)
    start = 0
    while start < len(first):
        stop = start
        while stop < len(first) and list(first[stop][0]) == list(first[start][0]):
            stop += 1
        X = table([x for x, _ in first[start:stop]])
        many.learn_many(X, pd.Series([y for _, y in first[start:stop]]))
        start = stop
    assert one.weights == many.weights
    for x, _ in first[:20]:
        assert one.predict_one(x) == many.predict_one(x)


@pytest.mark.parametrize("name", MODELS)
def test_a_feature_that_appears_was_zero_before(name):
    """Rates do not fall here: clocks count examples per weight known so far."""
    if name == "passive-aggressive":
        pytest.skip("its rate depends on the number of weights")
    late, early = MODELS[name].clone(), MODELS[name].clone()
    early.learn_one({"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0, "e": 0.0}, True)
    late.learn_one({"a": 0.0}, True)
    for x, y in rows():
        late.learn_one(x, y)
        early.learn_one(x, y)
    if name == "shifted":
        return  # starts with 20 examples per weight
    for feature, weight in early.weights.items():
        assert late.weights[feature] == pytest.approx(weight, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("bad", [{"a": "red"}, {"a": np.nan}, {"a": None}])
@pytest.mark.parametrize("name", MODELS)
def test_a_bad_example_is_named_and_loses_nothing(name, bad):
    model = MODELS[name].clone()
    for x, y in rows(50):
        model.learn_one(x, y)
    before = state(model)
    with pytest.raises(ValueError, match="feature 'a' must be"):
        model.learn_one(bad, True)
    with pytest.raises(TypeError, match=r"classes \[False, True\].*got 'third'"):
        model.learn_one({"new": 1.0}, "third")
    X = pd.DataFrame([{"a": 1.0}, bad])
    with pytest.raises(ValueError, match="feature 'a' must be"):
        model.learn_many(X, pd.Series([True, False]))
    with pytest.raises(ValueError, match="y must have 2 labels as X has rows, got 1"):
        model.learn_many(pd.DataFrame([{"a": 1.0}, {"a": 2.0}]), pd.Series([True]))
    assert state(model) == before


@pytest.mark.parametrize("name", MODELS)
def test_copies_learn_for_themselves(name):
    model = MODELS[name].clone()
    for x, y in rows(50):
        model.learn_one(x, y)
    twin = copy.deepcopy(model)
    before = state(twin)
    for x, y in rows(20, seed=1):
        model.learn_one(x, y)
    assert state(twin) == before
    for x, y in rows(20, seed=1):
        twin.learn_one(x, y)
    assert state(twin) == state(model)


def test_pipelines_with_scalers_and_drift_detectors():
    phishing = datasets.Phishing()
    for model in (OnlinePerceptron(), BayesPerceptron()):
        line = preprocessing.StandardScaler() | model.clone()
        score = evaluate.progressive_val_score(phishing, line, metrics.Accuracy())
        assert score.get() > 0.8
    detector, drifts = drift.ADWIN(), 0
    # A filter that never forgets errs long enough to be noticed.
    line = compose.Pipeline(preprocessing.MinMaxScaler(), BayesPerceptron("diagonal"))
    for i, (x, y) in enumerate(list(phishing) * 2):
        turned = y if i < 1250 else not y
        detector.update(line.predict_one(x) != turned)
        drifts += detector.drift_detected
        line.learn_one(x, turned)
    assert drifts >= 1


def test_labels_come_back_as_they_were():
    model = OnlinePerceptron()
    assert model.predict_one({"a": 1.0}) is False
    model.learn_one({"a": 1.0}, "ham")
    assert model.predict_one({"a": 1.0}) == "ham"
    model.learn_one({"a": -1.0}, "spam")
    assert {model.predict_one({"a": s}) for s in (3.0, -3.0)} == {"ham", "spam"}
    belief = BayesPerceptron()
    assert belief.predict_proba_one({}) == {False: 0.5, True: 0.5}
    belief.learn_one({"a": 1.0}, "ham")
    assert belief.predict_proba_one({"a": 1.0}) == {"ham": 1.0}


def test_threads_wait_and_copies_share_nothing():
    """Without locks a feature that appears tears the state within some rows."""
    for model in (BayesPerceptron("diagonal"), OnlinePerceptron()):
        faults = []

        def learn(model=model, faults=faults):
            try:
                for i, (x, y) in enumerate(rows()):
                    model.learn_one(x | {f"new {i % 20}": 1.0}, y)
                    model.predict_one(x)
            except ValueError as failure:
                faults.append(failure)

        threads = [Thread(target=learn) for _ in range(3)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            for same in (copy.copy(model), copy.deepcopy(model)):
                before = state(same)
                time.sleep(0.001)
                assert state(same) == before
        assert not faults
