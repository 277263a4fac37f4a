"""Examples for gradient learning, and comparison of models."""

import pickle

import numpy as np

PRESENTATIONS = ["batch", "drawn", "shuffled", "fixed"]


def data(classes=2, rows=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) / 3 + 0.1
    return X, (X @ rng.standard_normal((5, classes))).argmax(axis=1)


def snapshot(model):
    return pickle.dumps(vars(model))


def close(a, b):
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(a.intercept_, b.intercept_, rtol=1e-9, atol=1e-13)
    np.testing.assert_array_equal(a.mistakes_, b.mistakes_)
    assert a.t_ == b.t_
