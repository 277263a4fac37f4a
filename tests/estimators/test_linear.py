"""Rows that come one by one are learned in place, to the same bits."""

import copy
import pickle

import numpy as np
import pandas
import pytest
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.bits import pack
from rosenblatt.estimators import GradientPerceptron, OnlinePerceptron
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Hebb,
    Normalised,
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import Constant, Power
from tests.estimators.checking import (
    bad_data,
    refuses,
    refuses_others,
    spoilt,
    stays_unfitted,
)
from tests.estimators.online_examples import data, same, snapshot


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


def test_copies_learn_for_themselves():
    X, y = data()
    model = OnlinePerceptron(Hebb()).fit(X, y)
    before = snapshot(model)
    for twin in (copy.copy(model), copy.deepcopy(model)):
        twin.partial_fit(X[:1], y[:1])
        assert snapshot(model) == before
        assert not same(model, twin)
    assert vars(copy.copy(OnlinePerceptron())) == vars(OnlinePerceptron())


def test_no_address_is_kept_in_a_model():
    """Saved models go to other processes, where addresses mean nothing."""
    X, y = data()
    model = OnlinePerceptron().fit(X, y)
    names = set(vars(model))
    model.partial_fit(X[:1], y[:1])
    assert set(vars(model)) == names
    assert same(pickle.loads(pickle.dumps(model)), model)


def test_rule_that_stays_at_zero_is_warned_of():
    X, y = data()
    with pytest.warns(ConvergenceWarning, match=r"AdaTron\(\) may never leave"):
        OnlinePerceptron(AdaTron()).fit(X, y)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize(("arguments", "message"), bad_data(data()))
def test_bad_data_leave_the_model_as_it_was(method, arguments, message):
    model = OnlinePerceptron(Shifted(Perceptron()), Power()).fit(*data(seed=1))
    refuses(model, method, arguments, message, snapshot)


def test_bad_columns_and_classes_leave_the_model_as_it_was():
    X, y = data()
    model = OnlinePerceptron().fit(X, y)
    before = snapshot(model)
    refuses_others(model, X, y)
    with pytest.raises(ArithmeticError, match="row 0 of X"):
        model.set_params(schedule=lambda clock: 1e308).fit(X[:, 1:] * 10, y)
    assert snapshot(model.set_params(schedule=None)) == before


def test_bad_first_call_leaves_the_model_unfitted():
    stays_unfitted(OnlinePerceptron(), data(), spoilt(data(), np.nan))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        (
            {"rule": Perceptron},
            TypeError,
            "rule must be None or a Rule.*with parentheses",
        ),
        ({"schedule": 0.5}, TypeError, "schedule must be None or a Schedule"),
        ({"fit_intercept": pandas.NA}, TypeError, "fit_intercept must be True or"),
        ({"warm_start": []}, TypeError, "warm_start must be True or False"),
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


def test_single_bad_rows_leave_the_model_as_it_was():
    X, y = data()
    model = OnlinePerceptron(Hebb(), Power()).fit(X, y)
    before = snapshot(model)
    for bad in (np.nan, np.inf, -np.inf):
        row = X[:1].copy()
        row[0, 2] = bad
        with pytest.raises(ValueError, match=rf"got {bad} in row 0, column 2"):
            model.partial_fit(row, y[:1])
    for label in (9, "a", None):
        with pytest.raises((ValueError, TypeError)):
            model.partial_fit(X[:1], [label])
    with pytest.raises(ValueError, match="X has 4 features"):
        model.partial_fit(X[:1, 1:].copy(), y[:1])
    with pytest.raises(ArithmeticError):
        model.set_params(schedule=Constant(1e200)).partial_fit(X[:1], y[:1])
    assert snapshot(model.set_params(schedule=Power())) == before


def test_packed_bits_are_refused_in_words():
    rows = pack(np.ones((4, 3)))
    with pytest.raises(TypeError, match="must be numbers for OnlinePerceptron, got Bi"):
        OnlinePerceptron().fit(rows, [0, 1, 0, 1])


@pytest.mark.parametrize("kind", [OnlinePerceptron, GradientPerceptron])
@pytest.mark.parametrize("wrong", [-1, 2**32, "7", [-1], np.random.default_rng(0)])
def test_a_bad_random_state_is_named(kind, wrong):
    X, y = data()
    model = kind(random_state=wrong)
    with pytest.raises(ValueError, match="random_state must be None, a whole number"):
        model.fit(X, y)
    assert not hasattr(model, "classes_")
