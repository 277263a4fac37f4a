"""Gradient learning: wrong data and parameters, kinds of tables, weights of rows."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.estimators import GradientPerceptron
from rosenblatt.rules import Tanh
from rosenblatt.schedules import Power
from tests.estimators.gradient_data import PRESENTATIONS, close, data, snapshot


def spoilt(value):
    X, y = data()
    X[7, 3] = value
    return X, y


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("presentation", ["batch", "shuffled"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (spoilt(np.nan), "NaN or inf, got nan in row 7, column 3"),
        (spoilt(np.inf), "NaN or inf, got inf in row 7, column 3"),
        ((*data(), np.full(90, -0.5)), "[sS]ample.weight"),
        ((*data(), np.ones(89)), "sample_weight"),
        ((*data(), np.zeros(90)), "[sS]ample.weight"),
        ((data()[0], data()[1][:-1]), "inconsistent numbers of samples"),
    ],
)
def test_bad_data_leave_the_model_as_it_was(presentation, method, arguments, message):
    model = GradientPerceptron(presentation=presentation).fit(*data(seed=1))
    before = snapshot(model)
    X, y, weights = (*arguments, None)[:3]
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(X, y, sample_weight=weights)
    assert snapshot(model) == before


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"activation": Tanh}, TypeError, "activation must be an Activation"),
        ({"schedule": 0.5}, TypeError, "schedule must be a Schedule"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number not below 1"),
        ({"tol": -1.0}, ValueError, "tol must be a number not below 0"),
        ({"presentation": "random"}, ValueError, "batch, drawn, shuffled, fixed, got"),
    ],
)
def test_bad_parameters_are_named(parameters, error, message):
    with pytest.raises(error, match=message):
        GradientPerceptron(**parameters).fit(*data())


@pytest.mark.parametrize("presentation", PRESENTATIONS)
def test_tables_of_all_kinds_learn_the_same(presentation):
    X, y = data(3)
    X = np.where(X > 0, X, 0.0).astype(np.float32)
    exact, *others = [
        GradientPerceptron(presentation=presentation, max_iter=3, random_state=0).fit(
            table, y
        )
        for table in (X.astype(float), X, csr_matrix(X.astype(float)))
    ]
    for model, near in zip(others, (1e-4, 1e-12), strict=True):
        np.testing.assert_allclose(model.coef_, exact.coef_, rtol=0, atol=near)
        np.testing.assert_allclose(model.costs_, exact.costs_, rtol=near, atol=near)


def test_fractions_of_weights_are_shares_of_the_cost():
    X, y = data()
    weights = np.random.default_rng(0).choice([0.5, 1.0, 1.5], len(X))
    given = {"presentation": "batch", "max_iter": 5}
    a = GradientPerceptron(**given).fit(X, y, sample_weight=weights)
    b = GradientPerceptron(**given).fit(X, y, sample_weight=2 * weights)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-12)
    assert (a.t_, b.t_) == (5 * weights.sum(), 10 * weights.sum())


@pytest.mark.parametrize("presentation", ["shuffled", "drawn", "fixed"])
def test_fractions_of_weights_count_so_much(presentation):
    X, y = data()
    weights = np.random.default_rng(0).choice([0.0, 0.5, 1.0, 2.5], len(X))
    model = GradientPerceptron(presentation=presentation, max_iter=1, random_state=0)
    model.fit(X, y, sample_weight=weights)
    drawn = presentation == "drawn"
    assert model.t_ == (round(weights.sum()) if drawn else weights.sum())


def test_warm_start_goes_on():
    X, y = data()
    given = {"presentation": "fixed", "schedule": Power(offset=1)}
    model = GradientPerceptron(**given, max_iter=1, warm_start=True).fit(X, y).fit(X, y)
    close(model, GradientPerceptron(**given, max_iter=2).fit(X, y))
