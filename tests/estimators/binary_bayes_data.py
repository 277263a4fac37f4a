"""Data and states of BinaryBayesPerceptron."""

import pickle

import numpy as np

__all__ = ["data", "snapshot"]


def data(classes=2, rows=120, features=7, seed=0):
    rng = np.random.default_rng(seed)
    X = 3 * rng.standard_normal((rows, features)) + rng.uniform(-5, 5, features)
    return X, (X @ rng.standard_normal((features, classes))).argmax(axis=1)


def snapshot(model):
    return pickle.dumps(vars(model))
