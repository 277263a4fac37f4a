"""Checks that tests of several classifiers share."""

import numpy as np
import pytest

__all__ = [
    "refuses_others",
    "spoilt",
    "stays_unfitted",
]


def spoilt(examples, value):
    """Return the examples with one entry replaced."""
    X, y = examples
    X = X.astype(float)
    X[7, 3] = value
    return X, y


def refuses_others(model, X, y):
    """Check that other columns and other classes than 0 and 1 raise an error."""
    with pytest.raises(ValueError, match=f"X has {X.shape[1] - 1} features"):
        model.partial_fit(X[:, 1:], y)
    with pytest.raises(ValueError, match=r"among classes \[0, 1\], got 2"):
        model.partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match=r"y must have more than one class, got \[0\]"):
        model.fit(X[:, 1:], np.zeros(len(X)).astype(int))


def stays_unfitted(model, good, bad):
    """Check that a bad first call of partial_fit leaves a model unfitted."""
    before = dict(vars(model))
    with pytest.raises(ValueError, match="classes must have more than one class"):
        model.partial_fit(*good, classes=[0])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(*bad, classes=[0, 1])
    assert vars(model) == before
