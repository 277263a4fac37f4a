"""Errors name the wrong argument, and the model stays as it was."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.bits import pack
from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Hebb,
    Normalised,
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import Constant, Power
from tests.estimators.online_examples import data, snapshot


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
