"""Models of every kind, fitted, and rows to go on with."""

import functools
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from pandas import DataFrame
from scipy.sparse import csr_matrix
from sklearn.base import is_classifier

import rosenblatt as rb

# Settings of which the state has another form; estimators without any have the default.
SETTINGS = {
    "OnlinePerceptron": [
        {},
        {"rule": rb.rules.Decay(rb.rules.Perceptron(0.5), 0.1)},
        {
            "rule": rb.rules.Shifted(
                rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False)
            ),
            "schedule": rb.schedules.Power(),
            "fit_intercept": False,
        },
        {"shuffle": True, "random_state": 3, "max_iter": 2},
    ],
    "GradientPerceptron": [
        {"schedule": rb.schedules.Constant(0.05), "max_iter": 2, "random_state": 1},
        {
            "activation": rb.rules.Tanh(gain=2.0),
            "schedule": rb.schedules.Constant(0.05),
            "max_iter": 2,
            "random_state": 5,
        },
    ],
    "BayesRegressor": [
        {},
        {"likelihood": rb.likelihoods.StudentT(), "half_life": 50.0},
        {"boundary": "curved", "cosines": 8, "horizon": 3},
    ],
    "BayesPerceptron": [
        {},
        {"covariance": "full", "noise": 0.1},
        {"covariance": "diagonal", "half_life": 50.0},
        {"covariance": "spherical"},
        {"boundary": "curved", "cosines": 8},
    ],
    "BinaryPerceptron": [{}, {"threshold": "least error", "binarise": 0.0}],
    "ClippedHebb": [{}, {"binarise": None}],
    "BinaryBayesPerceptron": [{}, {"hard": True, "noise": 0.05}],
}
CLASSIFIERS = [
    name for name in rb.estimators.__all__ if is_classifier(getattr(rb, name)())
]
LABELS = {
    "numbers": np.array([-3, 7]),
    "words": np.array(["no", "perhaps", "y\u00e9s"]),
    "objects": np.array(["b", "a", "c"], dtype=object),
    "bools": np.array([False, True]),
    "floats": np.array([0.0, 1.0, 2.0]),
    "bytes": np.array([200, 201], dtype=np.uint8),
}
KINDS = ("dense", "single", "sparse", "packed", "named")


class Case(NamedTuple):
    """An estimator, and rows of a kind with labels of a type."""

    name: str
    setting: int
    kind: str
    labels: str

    def new(self) -> Any:
        given = SETTINGS.get(self.name, [{}])[self.setting]
        return getattr(rb.estimators, self.name)(**given)

    def rows(self, seed: int, rows: int = 40) -> tuple[Any, np.ndarray]:
        """Return examples with some structure, with levels -1 and 1."""
        random = np.random.default_rng(seed)
        X = random.choice([-1.0, 1.0], (rows, 9))
        classes = LABELS[self.labels]
        order = np.digitize(X[:, :5].sum(axis=1), [-1.5, 0.5])
        return shaped(X, self.kind), classes[np.minimum(order, len(classes) - 1)]

    def fitted(self) -> Any:
        """Return the model; not every estimator accepts such rows and labels at all.

        That is found when a test runs: to ask when tests are collected would compile
        all learners in every process.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return self.new().fit(*self.rows(0))
            except (TypeError, ValueError, AttributeError) as refused:
                return pytest.skip(f"not for {self.name}: {refused}")


def shaped(X: np.ndarray, kind: str) -> Any:
    if kind == "single":
        return X.astype(np.float32)
    if kind == "sparse":
        return csr_matrix(X)
    if kind == "packed":
        return rb.bits.pack(X)
    if kind == "named":
        return DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])])
    return X


@functools.cache
def cases() -> list[Case]:
    """Return every setting on dense rows, and every kind of rows and labels."""
    found = []
    for name in rb.estimators.__all__:
        settings = range(len(SETTINGS.get(name, [{}])))
        found += [
            Case(name, s, "dense", t) for s in settings for t in ("numbers", "words")
        ]
        found += [Case(name, 0, kind, "words") for kind in KINDS[1:]]
        found += [Case(name, s, "sparse", "numbers") for s in settings]
        found += [Case(name, 0, "dense", t) for t in list(LABELS)[2:]]
    return found


def curved_model(classes, horizon):
    """Return a model in which curves have most of the weight, and rows."""
    random = np.random.default_rng(6)
    X = 10.0 * random.standard_normal((1000, 3)) + 3.0
    y = np.floor(np.hypot(*(X[:, :2].T - 3.0)) / 13.0).astype(int) % classes
    model = rb.BayesPerceptron(boundary="curved", cosines=40, horizon=horizon)
    model.fit(X, y)
    assert model._ahead().curved.mixture.filter_weights[0] < 0.5
    return model, X
