"""Data for BayesPerceptron, and what it has learned of them."""

import pickle

import numpy as np

from rosenblatt.bayes import COVARIANCES

KINDS = (*COVARIANCES, "auto")


def data(classes=2, rows=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) * [1, 10, 0.1, 3, 1] + 0.3
    fields = X / [1, 10, 0.1, 3, 1] @ rng.standard_normal((5, classes))
    return X, (fields + 0.5 * rng.standard_normal(fields.shape)).argmax(axis=1)


def snapshot(model):
    return pickle.dumps(vars(model))


def same(a, b, rounding=1e-9):
    assert a.t_ == b.t_
    assert np.array_equal(a.classes_, b.classes_)
    for name in ("coef_", "coef_std_", "intercept_", "noise_", "log_evidence_"):
        np.testing.assert_allclose(
            getattr(a, name), getattr(b, name), rtol=rounding, atol=rounding
        )
