"""Weights of classes and of examples become one number for each row."""

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_sample_weight

from rosenblatt.estimators.weights import combined

CODES, CLASSES = np.array([0, 2, 1, 2, 2]), np.array(["a", "b", "c"])
ROWS = np.zeros((5, 1))


def test_nothing_said_is_none():
    assert combined(None, None, ROWS, CODES, CLASSES) is None


@pytest.mark.parametrize("given", ["balanced", {"a": 2.0, "b": 0.5, "c": 3}])
def test_weights_are_those_of_scikit_learn(given):
    wanted = compute_sample_weight(given, CLASSES[CODES])
    np.testing.assert_allclose(combined(given, None, ROWS, CODES, CLASSES), wanted)


def test_own_weights_multiply_and_count_for_the_balance():
    own = np.array([1.0, 2.0, 3.0, 0.0, 1.0])
    found = combined({"c": 2.0}, own, ROWS, CODES, CLASSES)
    np.testing.assert_array_equal(found, [1, 4, 3, 0, 2])
    balanced = combined("balanced", own, ROWS, CODES, CLASSES)
    sums = np.bincount(CODES, weights=balanced)
    np.testing.assert_allclose(sums, 7 / 3)  # all classes the same, 7 as before


def test_bad_weights_are_named():
    with pytest.raises(ValueError, match="class_weight must be a dictionary"):
        combined("even", None, ROWS, CODES, CLASSES)
    with pytest.raises(ValueError, match="not for partial_fit; pass a dictionary"):
        combined("balanced", None, ROWS, CODES, CLASSES, whole=False)
    with pytest.raises(ValueError, match="sample_weight"):
        combined(None, [1.0], ROWS, CODES, CLASSES)
    with pytest.raises(ValueError, match=r"[sS]ample.weight"):
        combined(None, -np.ones(5), ROWS, CODES, CLASSES)
