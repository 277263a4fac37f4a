"""The clipped Hebb rule, chunk by chunk and class by class."""

import numpy as np

from rosenblatt.estimators import ClippedHebb
from tests import references

SEED = 1993


def data(classes, rows=60, columns=7):
    rng = np.random.default_rng(SEED)
    X = rng.choice([-1, 1], (rows, columns))
    return X, rng.integers(0, classes, rows)


def test_weights_are_those_of_the_reference_class_by_class():
    for classes in (2, 3):
        X, y = data(classes)
        model = ClippedHebb().fit(X, y)
        for k, weights in enumerate(model.coef_):
            one = 1 if classes == 2 else k
            wanted = references.clipped_hebb(X, np.where(y == one, 1, -1))
            np.testing.assert_array_equal(weights, wanted)
        assert model.threshold_.tolist() == [0] * len(model.coef_)


def test_a_sum_or_a_field_of_zero_is_negative():
    X = np.array([[1, 1], [1, -1], [-1, 1], [-1, 1]])
    model = ClippedHebb().fit(X, ["b", "a", "b", "a"])
    assert model.coef_.tolist() == [[-1, 1]]
    assert model.decision_function([[1, 1]]).tolist() == [0]
    assert model.predict([[1, 1], [-1, 1]]).tolist() == ["a", "b"]
