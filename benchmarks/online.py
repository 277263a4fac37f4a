"""Rules on real examples against scikit-learn's Perceptron and SGD.

The algorithm is the same, and so are the weights; what is compared is one pass over the
rows, all checks of arguments included.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron, SGDClassifier

import rosenblatt as rb
from benchmarks.estimators import (
    DENSE,
    ENTRIES,
    SPARSE,
    Contest,
    dense_rows,
    one_by_one,
    reading,
    seconds,
    sparse_rows,
)

GOALS = {20: 8.0, 100: 10.0, 1000: 10.0, 5000: 6.5}
ONE_PASS = {"max_iter": 1, "tol": None, "shuffle": False, "penalty": None}
LOGISTIC = {"loss": "log_loss", "learning_rate": "constant", "eta0": 0.01}


def _pairs(**both):
    """Return the same learner twice, ours and scikit-learn's, and its name there."""
    yield "Perceptron", rb.OnlinePerceptron(**both), Perceptron(**ONE_PASS, **both)
    ours = rb.OnlinePerceptron(rb.rules.Residual(), rb.schedules.Constant(0.01), **both)
    yield "SGD(log_loss)", ours, SGDClassifier(**LOGISTIC, **ONE_PASS, **both)


def _check(ours, theirs):
    """Fail if the two have not learned the same weights."""
    near = 1e-4 * np.abs(theirs.coef_).max()
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=near)


def contests() -> Iterator[Contest]:
    """Learn with rules, dense, sparse and row by row."""
    for columns, rows in DENSE:
        X, y = dense_rows(columns, rows)
        bound = reading(X)
        for peer, ours, theirs in _pairs():
            ours.fit(X[:10], np.arange(10) % 2)  # compiled
            taken = seconds(lambda m=ours, X=X, y=y: m.fit(X, y), repeats=5) / rows
            other = seconds(lambda m=theirs, X=X, y=y: m.fit(X, y)) / rows
            _check(ours, theirs)
            goal = GOALS[columns] if peer == "Perceptron" else None
            work = f"{columns} columns"
            yield Contest("dense, one pass", work, peer, taken, other, goal, bound)
        few = X[:2000], y[:2000]
        for peer, ours, theirs in _pairs():
            ours.partial_fit(X[:1], y[:1], classes=[0, 1])
            theirs.partial_fit(X[:1], y[:1], classes=[0, 1])
            taken = one_by_one(ours, *few)
            other = one_by_one(theirs, X[:300], y[:300])
            goal = 100.0 if peer == "Perceptron" else None
            yield Contest("row by row", f"{columns} columns", peer, taken, other, goal)
    for columns, rows in SPARSE:
        X, y = sparse_rows(columns, rows)
        # Its intercepts learn a hundred times slower from sparse rows.
        for peer, ours, theirs in _pairs(fit_intercept=False):
            ours.fit(X[:10], np.arange(10) % 2)
            taken = seconds(lambda m=ours, X=X, y=y: m.fit(X, y), repeats=5) / rows
            other = seconds(lambda m=theirs, X=X, y=y: m.fit(X, y)) / rows
            _check(ours, theirs)
            goal = 2.5 if peer == "Perceptron" else None
            work = f"{ENTRIES} of {columns} columns"
            yield Contest("sparse, one pass", work, peer, taken, other, goal)
