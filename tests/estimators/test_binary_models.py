"""Weights, thresholds and histograms of binary perceptrons."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import rosenblatt as rb
from rosenblatt.estimators.binary_perceptron import (
    BinaryModels,
    field_histograms,
    stacked_weights,
)

X = np.random.default_rng(0).choice([-1, 1], (300, 5))
Y = X[:, :3].sum(axis=1) > 0


@pytest.fixture
def model():
    return rb.BinaryPerceptron(threshold="least error").fit(X, Y)


def test_histograms_count_the_fields_of_all_examples(model):
    [weights] = stacked_weights(model._models.weights)
    fields = X @ weights
    wanted = [
        [np.sum((fields == field) & (label == Y)) for field in range(-5, 6)]
        for label in (False, True)
    ]
    np.testing.assert_array_equal(model._models.histograms, [wanted])
    none = field_histograms(model._counted, model._models.weights, [])
    assert not none.any()


def test_histograms_are_of_one_set_of_weights(model):
    models = model._models
    assert models.histograms_with(models.weights) is models.histograms
    other = [models.weights[0]._replace(values=-models.weights[0].values)]
    assert not models.histograms_with(other).any()


def test_thresholds_that_are_not_known_are_an_error(model):
    unknown = BinaryModels(model._models.weights, model._models.histograms, None)
    assert not unknown.search_failed
    with pytest.raises(NotFittedError, match="call fit_threshold"):
        _ = unknown.known_thresholds
