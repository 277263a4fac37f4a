"""Rows that come one by one are learned in place, to the same bits."""

import copy
import pickle

import numpy as np
import pytest

from rosenblatt.estimators import OnlinePerceptron
from rosenblatt.rules import (
    Hebb,
    Normalised,
    Shifted,
)
from rosenblatt.schedules import Constant, Power
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
