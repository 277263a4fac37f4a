"""BayesRegressor for River is the estimator, with features by name."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from river.checks import check_estimator

import rosenblatt as rb
from rosenblatt.river import BayesRegressor


def rows(number=80):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((number, 3)), columns=list("abc"))
    return X, pd.Series(X @ [1.0, -2.0, 0.5] + 0.3 * rng.standard_normal(number))


KINDS = {}, {"boundary": "curved", "cosines": 9}
kinds = pytest.mark.parametrize("settings", KINDS, ids=["linear", "curved"])


@kinds
def test_checks_of_river(settings):
    check_estimator(BayesRegressor(**settings))


@kinds
def test_it_is_the_estimator_for_the_next_row(settings):
    X, y = rows()
    model = BayesRegressor(**settings)
    means = []
    for x, target in zip(X.to_dict("records"), y, strict=True):
        means.append(model.predict_one(x))
        model.learn_one(x, target)
    wanted = rb.BayesRegressor(horizon=1, **settings).partial_fit(X.to_numpy(), y)
    np.testing.assert_allclose(model.predict_many(X), wanted.predict(X.to_numpy()))
    np.testing.assert_allclose(list(model.weights.values()), wanted.coef_)
    ends = model.predict_interval_one({"a": 1.0}, 0.5)
    found = wanted.predict_interval([[1.0, 0.0, 0.0]], 0.5)[0]
    np.testing.assert_allclose(ends, found)
    many = BayesRegressor(**settings)
    many.learn_many(X, y)
    np.testing.assert_allclose(many.predict_many(X), model.predict_many(X), rtol=1e-9)
    assert np.mean((np.array(means) - y)[40:] ** 2) < 0.2


def test_a_feature_that_appears_was_zero_before():
    X, y = rows()
    late = X.copy()
    late.loc[:39, "c"] = 0.0
    whole, model = BayesRegressor(half_life=1e300), BayesRegressor(half_life=1e300)
    whole.learn_many(late, y)
    model.learn_many(late.loc[:39, ["a", "b"]], y[:40])
    for x, target in zip(late[40:].to_dict("records"), y[40:], strict=True):
        model.learn_one(x, target)
    mine, its = (np.array(list(one.weights.values())) for one in (model, whole))
    np.testing.assert_allclose(mine, its, rtol=0.05, atol=0.02)


def test_bad_rows_change_nothing():
    X, y = rows()
    model = BayesRegressor(rb.likelihoods.Poisson())
    model.learn_many(X, y.clip(lower=0).round())
    before = pickle.dumps(model)
    for x, target, message in (
        ({"a": np.nan}, 1.0, "feature 'a' must be finite"),
        ({"a": "x"}, 1.0, "feature 'a' must be a number"),
        ({"a": 1.0}, np.nan, "y must be a finite number"),
        ({"a": 1.0}, "x", "y must be a finite number"),
        ({"a": 1.0}, -1.0, "counts, from 0 to"),
        ({"d": 1.0}, None, "y must be a finite number"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            model.learn_one(x, target)
    assert pickle.dumps(model) == before
    assert pickle.dumps(copy.deepcopy(model)) == before
