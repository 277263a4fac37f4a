"""Estimators learn and predict tables with columns of any kind."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rosenblatt as rb
from rosenblatt import TableEncoder
from tests.conformance.estimators import every, seeded

FRAMES = [pd.DataFrame, pl.DataFrame, lambda columns: pa.table(columns)]


def new(kind):
    return kind(**seeded(kind))


quiet = pytest.mark.filterwarnings("ignore")


def columns(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    size = np.round(rng.normal(size=rows), 3)
    side = rng.choice(["left", "right", "up"], rows)
    day = np.datetime64("2024-01-01") + rng.integers(0, 400, rows)
    y = np.where(size + 2.0 * (side == "up") > 0.5, "yes", "no")
    gaps = [None if i % 9 == 4 else float(x) for i, x in enumerate(size)]
    return {"size": gaps, "side": side.tolist(), "day": day.astype("M8[ms]")}, y


@quiet
@every
@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow"])
def test_a_table_is_learned_as_what_its_encoder_makes_of_it(kind, frame):
    given, y = columns()
    table = frame(given)
    model = new(kind).fit(table, y)
    X = TableEncoder().fit_transform(table)
    wanted = new(kind).fit(X, y)
    assert model.encoder_.get_feature_names_out().size == model.n_features_in_
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    np.testing.assert_array_equal(
        model.decision_function(table), wanted.decision_function(X)
    )
    backwards = frame({name: given[name] for name in reversed(given)})
    np.testing.assert_array_equal(model.predict(backwards), wanted.predict(X))
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(table), wanted.predict(X))


@quiet
@every
def test_tables_that_follow_are_encoded_alike(kind):
    (one, y), (two, z) = columns(), columns(seed=1)
    two["side"][0] = "down"
    model = new(kind).partial_fit(pd.DataFrame(one), y, classes=["no", "yes"])
    encoder = TableEncoder().fit(pd.DataFrame(one))
    wanted = new(kind).partial_fit(
        encoder.transform(pd.DataFrame(one)), y, classes=["no", "yes"]
    )
    model.partial_fit(pd.DataFrame(two), z)
    wanted.partial_fit(encoder.transform(pd.DataFrame(two)), z)
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    assert model.encoder_.n_rows_ == 600
    assert model.encoder_.unknown_ == {"side": 1}


def test_rows_are_predicted_then_learned():
    given, y = columns()
    table = pl.DataFrame(given)
    found = rb.BayesPerceptron().predict_then_learn(table, pl.Series(y))
    X = TableEncoder().fit_transform(table)
    np.testing.assert_array_equal(found, rb.BayesPerceptron().predict_then_learn(X, y))


@quiet
@every
def test_a_wrong_table_changes_nothing(kind):
    given, y = columns()
    table = pd.DataFrame(given)
    model = new(kind).fit(table, y)
    before = pickle.dumps(model)
    for wrong, message in (
        (table.drop(columns="side"), "lacks 'side'"),
        (table.assign(new=1.0), "others: 'new'"),
        (table.assign(side=1.0), "column 'side', which is a category"),
        (table.assign(size=np.inf), "column 'size'"),
    ):
        for call in (model.partial_fit, lambda wrong, _: model.predict(wrong)):
            with pytest.raises((TypeError, ValueError), match=message):
                call(wrong, y)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        model.partial_fit(table, y[1:])
    with pytest.raises(ValueError, match="column 'size'"):
        model.fit(table.assign(size=np.inf), y)
    assert pickle.dumps(model) == before


def test_frames_of_numbers_need_no_encoder():
    X = np.random.default_rng(0).normal(size=(50, 3))
    y = X[:, 0] > 0
    wanted = rb.BayesPerceptron().fit(X, y).predict_proba(X)
    for frame in (pd.DataFrame, pl.DataFrame):
        table = frame(dict(zip("abc", X.T, strict=True)))
        model = rb.BayesPerceptron().fit(table, y)
        assert not hasattr(model, "encoder_")
        for given in (table, table[list("cab")]):
            np.testing.assert_array_equal(model.predict_proba(given), wanted)
    gaps = pd.DataFrame(X, columns=list("abc"))
    gaps.loc[3, "b"] = np.nan
    assert rb.BayesPerceptron().fit(gaps, y).n_features_in_ == 4


def test_an_array_discards_the_encoder_of_an_earlier_table():
    given, y = columns()
    table, X = pd.DataFrame(given), np.random.default_rng(0).normal(size=(300, 2))
    model = rb.BayesPerceptron().fit(table, y)
    assert not hasattr(model.fit(X, y), "encoder_")
    model.fit(table, y)
    assert not hasattr(model.fit(pd.DataFrame(X), y), "encoder_")
    model.fit(table, y).set_params(warm_start=True)
    assert model.fit(model.encoder_.transform(table), y).encoder_.n_rows_ == 300
    assert model.fit(table, y).encoder_.n_rows_ == 600


def test_models_merge_if_they_share_an_encoder():
    (one, y), (two, z) = columns(), columns(seed=1)
    model = rb.BayesPerceptron().partial_fit(pd.DataFrame(one), y)
    other = rb.BayesPerceptron().partial_fit(pd.DataFrame(two), z)
    with pytest.raises(ValueError, match="same encoder_"):
        model.merge(other)
    again = rb.BayesPerceptron().partial_fit(pd.DataFrame(one), y)
    assert model.merge(again).t_ == 600


@pytest.mark.parametrize("kind", [rb.ClippedHebb, lambda: rb.BayesPerceptron("full")])
def test_text_is_refused_by_models_of_dense_rows(kind):
    words = [f"some words and number {i}" for i in range(200)]
    with pytest.raises(ValueError, match=r"takes dense rows.*leave out note"):
        kind().fit(pd.DataFrame({"note": words}), [0, 1] * 100)


def test_one_name_for_two_columns_is_refused():
    twice = pd.DataFrame([["a", 1.0], ["b", 2.0]], columns=["x", "x"])
    with pytest.raises(ValueError, match=r"X must have one column of each name: .*'x'"):
        rb.BayesPerceptron().fit(twice, [0, 1])


def test_frames_of_numbers_do_not_import_the_encoder():
    code = """
import sys, numpy as np, rosenblatt as rb, polars as pl
X = np.random.default_rng(0).normal(size=(50, 3))
table = pl.DataFrame(dict(zip("abc", X.T)))
rb.BayesPerceptron().fit(table, X[:, 0] > 0).predict(table)
assert "rosenblatt.tables.encoding" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
