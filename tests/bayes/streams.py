"""Rows for filters, and what it means that two are the same."""

import numpy as np

from rosenblatt import bayes as filtering

__all__ = ["FRAMED", "KINDS", "data", "same"]

KINDS = filtering.COVARIANCES
FRAMED = {"label_variance": 1.0, "intercept": True, "standardised": True, "clip": 5.0}


def data(rows=300, features=4, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, features)) * [1, 10, 0.1, 3][:features] + 2
    fields = (X - 2) @ rng.standard_normal((features, classes))
    noisy = fields + rng.standard_normal(fields.shape)
    return X, noisy.argmax(axis=1)


def same(one, other, rounding=1e-9):
    assert one.clock == other.clock
    for name in ("mean", "belief", "statistics", "noise"):
        np.testing.assert_allclose(
            getattr(one, name), getattr(other, name), rtol=rounding, atol=rounding
        )
    for a, b in zip(one.standardisation[:3], other.standardisation[:3], strict=True):
        np.testing.assert_allclose(a, b, rtol=rounding, atol=1e-7)
