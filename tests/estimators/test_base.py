"""Parameters, decisions and merging of all classifiers."""

import dataclasses

import numpy as np
import pytest
from dask.base import tokenize

from rosenblatt import OnlinePerceptron
from rosenblatt.bits import pack
from rosenblatt.estimators.base import best_classes, log_odds
from tests.conformance.estimators import ESTIMATORS
from tests.estimators.counting_data import both, fitted, snapshot

CLASSES = np.array(["a", "b", "c"])


def test_the_largest_score_decides_and_ties_go_to_the_first():
    scores = np.array([[1.0, 3.0, 2.0], [5.0, 5.0, 5.0]])
    assert best_classes(scores, CLASSES).tolist() == ["b", "a"]
    found = best_classes(np.array([-1.0, 0.0, 1.0]), CLASSES[:2])
    assert found.tolist() == ["a", "a", "b"]


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_log_odds_are_those_against_the_rest(classes):
    shares = np.random.default_rng(0).dirichlet(np.ones(classes), 20)
    wanted = np.log(shares / (1.0 - shares))
    wanted = wanted[:, 1] if classes == 2 else wanted
    np.testing.assert_allclose(log_odds(shares, 1e-300), wanted, rtol=1e-9)


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
