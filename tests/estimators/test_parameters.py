"""Estimators have parameters like a dataclass, and are none."""

import copy
import dataclasses
import inspect
import pickle

import numpy as np
from dask.base import tokenize

from rosenblatt import OnlinePerceptron
from rosenblatt.estimators.base import same_parameters
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


def test_only_the_first_parameters_are_positional():
    given = inspect.signature(OnlinePerceptron).parameters.values()
    kinds = {parameter.name: parameter.kind for parameter in given}
    assert [name for name, kind in kinds.items() if kind != kind.KEYWORD_ONLY] == [
        "rule",
        "schedule",
    ]


def test_models_with_defaults_are_like_their_copies_from_files():
    """Checks convert some parameters, and a number from a file is another object."""
    for kind in ESTIMATORS:
        model = kind()
        for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
            assert same_parameters(model, other)
