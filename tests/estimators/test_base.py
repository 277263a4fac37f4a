"""Parameters, decisions and merging of all classifiers."""

import dataclasses

import numpy as np
import pytest
from dask.base import tokenize

from rosenblatt import OnlinePerceptron
from rosenblatt.bits import pack
from tests.conformance.estimators import ESTIMATORS
from tests.estimators.counting_data import both, fitted, snapshot

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


@both
def test_strangers_are_not_merged(kind):
    X, y, model, before = fitted(kind)
    for other, error, message in [
        (kind(binarise=None).fit(X, y), ValueError, "other must be a model like"),
        (
            kind().fit(X[:, 1:], y),
            ValueError,
            "the same n_features_in_, 9, got 8",
        ),
        (kind().fit(pack(X), y), TypeError, "got both Bits and numbers"),
        (kind().fit(X + 1, y), ValueError, "two levels in each column"),
        (kind().fit(X, y.astype(str)), TypeError, "like those of classes"),
        (kind(), ValueError, "not fitted yet"),
        (model, ValueError, "other must be another model"),
    ]:
        with pytest.raises(error, match=message):
            model.merge(other)
        assert snapshot(model) == before
