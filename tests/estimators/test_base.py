"""Parameters, decisions and merging of all classifiers."""

import dataclasses

import numpy as np
from dask.base import tokenize

from rosenblatt import OnlinePerceptron
from tests.conformance.estimators import ESTIMATORS

X = np.array([[0.0, 1.0], [1.0, 0.0]])


def test_no_estimator_is_a_dataclass_or_comparable():
    for kind in ESTIMATORS:
        assert not dataclasses.is_dataclass(kind)
        assert kind() != kind()
        assert kind.__hash__ is object.__hash__
        assert not hasattr(kind, "__match_args__")


def test_models_with_equal_parameters_are_different_values_for_dask():
    one = OnlinePerceptron().fit(X, [0, 1])
    other = OnlinePerceptron().fit(X, [1, 0])
    assert tokenize(one.predict) != tokenize(other.predict)
