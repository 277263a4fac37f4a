"""Bad parameters and calls: each is named, and the model stays as it was."""

import pickle

import numpy as np
import pytest

import rosenblatt as rb

X = np.random.default_rng(0).choice([-1.0, 1.0], (60, 6))
Y = (X[:, 0] > 0).astype(int)
# Numbers that are out of range only; tests/conformance/test_parameters.py tries others.
PARAMETERS = [
    (rb.OnlinePerceptron, {"rule": rb.rules.Perceptron}, "None or a Rule.*parentheses"),
    (rb.OnlinePerceptron, {"max_iter": 0}, "max_iter must be a whole number not below"),
    (
        rb.OnlinePerceptron,
        {"rule": rb.rules.Shifted.known(rb.rules.Hebb(), 1.0)},
        "fixed shift",
    ),
    (rb.ShiftedPerceptron, {"opening": 1e308}, "alpha must be at most"),
    (rb.BayesPerceptron, {"noise": 0.5}, "noise must be 'auto' or below 0.5"),
    (rb.BinaryPerceptron, {"eps": 0}, "eps must be a number above 0 and below 1"),
    (rb.BinaryPerceptron, {"delta": 1.5}, "delta must be a number above 0 and below 1"),
    (rb.BinaryBayesPerceptron, {"noise": 0.7}, "noise must be 'auto' or a number"),
    (rb.BinaryBayesPerceptron, {"floor": 0.0}, "floor must be"),
]


@pytest.mark.parametrize(("kind", "parameters", "message"), PARAMETERS)
def test_a_wrong_parameter_is_named(kind, parameters, message):
    fitted = kind().fit(X, Y)
    before = pickle.dumps(fitted)
    for model in (kind(**parameters), fitted.set_params(**parameters)):
        with pytest.raises((TypeError, ValueError), match=message):
            model.fit(X, Y)
    fitted.set_params(**{name: getattr(kind(), name) for name in parameters})
    assert pickle.dumps(fitted) == before


def test_steps_that_overflow_change_nothing():
    model = rb.OnlinePerceptron(rb.rules.Hebb()).fit(X, Y)
    before = pickle.dumps(model)
    model.set_params(schedule=rb.schedules.Constant(1e308))
    for rows in (X, X[:1]):
        with pytest.raises(ArithmeticError, match="row 0 of X"):
            model.partial_fit(10 * rows, 1 - Y[: len(rows)])
    assert pickle.dumps(model.set_params(schedule=None)) == before


@pytest.mark.parametrize("kind", [rb.BinaryPerceptron, rb.ClippedHebb])
def test_a_third_level_is_refused(kind):
    model = kind(binarise=None).fit(X, Y)
    before = pickle.dumps(model)
    calls = [(model.partial_fit, X + 1, Y), (model.predict, X + 1)]
    for call, *given in calls:
        with pytest.raises(ValueError, match="two levels in each column"):
            call(*given)
    with pytest.raises(TypeError, match="Bits and numbers"):
        model.partial_fit(rb.bits.pack(X), Y)
    assert pickle.dumps(model) == before
