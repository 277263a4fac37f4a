"""Bayesian filters against scikit-learn and against the speed of the memory.

Both learn the rows once, in the order in which they are stored. A dense pass cannot be
faster than reading the rows. Rows of a full covariance are learned in blocks, by matrix
products. Without these each row would take a pass over the matrix, in which each entry
is read, changed and written.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier

import rosenblatt as rb
from benchmarks.estimators import (
    ENTRIES,
    SPARSE,
    dense_rows,
    labels,
    one_by_one,
    reading,
    seconds,
    sparse_rows,
)
from benchmarks.measure import Row
from rosenblatt import bayes as filtering
from rosenblatt.compiling import kernel, types

# Columns, rows, and how many times faster than scikit-learn. There are 80 to 200 MB of
# rows: more than the caches hold. The standardisation changes often during the first
# rows, which are too few to count.
DENSE = (
    (20, 1_000_000, 3.0),
    (100, 400_000, 5.0),
    (1000, 50_000, 8.0),
    (5000, 10_000, 6.0),
)
# Columns, rows, and microseconds a row of the default model.
DEFAULT = ((20, 20_000, 1.0), (100, 10_000, 6.0), (200, 5000, 16.0), (500, 2000, 80.0))
PREDICT = ((20, 20_000, 0.15), (100, 10_000, 0.4), (1000, 2000, 2.0))
FULL = ((50, 4000), (200, 1000), (1000, 60))  # columns, rows
FORGETTING = ((20, 20_000), (100, 4000), (200, 2000))  # columns, rows
HALF_LIVES = (None, 1000, 100, 10)
KINDS = ("spherical", "diagonal")


@kernel(types.void, types.float64[::1], types.float64, types.int64)
def _rewrite(numbers, factor, times):
    for _ in range(times):
        for i in range(numbers.size):
            numbers[i] *= factor


def _aligned(size):
    """Return numbers whose address is a multiple of 64 bytes, a cache line."""
    numbers = np.ones(size + 8)
    first = -numbers.ctypes.data // 8 % 8
    return numbers[first : first + size]


def _peer(X, y):
    """Return the seconds of scikit-learn for one pass over the rows, in their order."""
    model = SGDClassifier(loss="log_loss", max_iter=1, tol=None, shuffle=False)
    return seconds(lambda: model.fit(X, y))


def _learner(covariance):
    return rb.BayesPerceptron(covariance=covariance)


def _kernel(covariance, X, y):
    """Return the seconds of a kernel for rows that need no standardisation."""
    settings = {
        "covariance": covariance,
        "label_variance": 1.0,
        "clip": 5.0,
        "intercept": True,
    }
    filter = filtering.start(X.shape[1], **settings)
    return seconds(lambda: filtering.learn(filter, X, y))


def dense() -> Iterator[Row]:
    """Learn dense rows in single precision."""
    for columns, rows, goal in DENSE:
        X, y = dense_rows(columns, rows)
        peer = _peer(X, y)
        bound = reading(X)
        for covariance in KINDS:
            model = _learner(covariance).fit(X[:10], np.arange(10) % 2)  # compiled
            taken = seconds(lambda m=model, X=X, y=y: m.fit(X, y))
            inside = _kernel(covariance, X, y)
            yield Row(
                f"{covariance} Bayes, {columns} columns, one pass",
                f"{peer / taken:.1f} times SGDClassifier, its kernel "
                f"{peer / inside:.1f} times ({1e9 * inside / rows:.0f} ns a row, "
                f"{1e9 * bound:.0f} to read it)",
                f">= {goal:.0f} times",
                peer / taken >= goal,
            )


def sparse() -> Iterator[Row]:
    """Learn sparse rows."""
    for columns, rows in SPARSE:
        X, y = sparse_rows(columns, rows)
        model = _learner("diagonal").fit(X[:10], np.arange(10) % 2)
        peer = _peer(X, y)
        taken = seconds(lambda m=model, X=X, y=y: m.fit(X, y))
        yield Row(
            f"diagonal Bayes, {ENTRIES} of {columns} columns, one pass",
            f"{peer / taken:.1f} times SGDClassifier "
            f"({1e9 * taken / rows:.0f} ns a row)",
            ">= 1.8 times",
            peer / taken >= 1.8,
        )


def single() -> Iterator[Row]:
    """Learn rows that come one by one."""
    for columns, *_ in DENSE:
        X, y = dense_rows(columns, 2000)
        peer = SGDClassifier(loss="log_loss").partial_fit(X[:1], y[:1], classes=[0, 1])
        theirs = one_by_one(peer, X[:300], y[:300])
        for covariance in KINDS:
            model = _learner(covariance).partial_fit(X[:1], y[:1], classes=[0, 1])
            taken = one_by_one(model, X, y)
            ratio = theirs / taken
            yield Row(
                f"{covariance} Bayes, {columns} columns, row by row",
                f"{ratio:.0f} times SGDClassifier ({1e9 * taken:.0f} ns a row)",
                ">= 100 times",
                ratio >= 100,
            )


def full() -> Iterator[Row]:
    """Learn with a full covariance, between two changes of the standardisation."""
    rng = np.random.default_rng(0)
    for columns, rows in FULL:
        X = rng.standard_normal((rows, columns))
        matrix = _aligned((columns + 1) ** 2)
        _rewrite(matrix, 1.0, 1)
        bound = seconds(lambda m=matrix, n=rows: _rewrite(m, 1.0, n)) / rows
        taken = _kernel("full", X, labels(X, rng)) / rows
        yield Row(
            f"full Bayes, {columns} columns, its kernel",
            f"{taken / bound:.1f} passes over the matrix ({1e6 * taken:.1f} us a row)",
            "<= 1 pass",
            taken / bound <= 1,
        )


def forgetting() -> Iterator[Row]:
    """Learn with a full covariance that forgets, in processor time."""
    for columns, rows in FORGETTING:
        X, y = dense_rows(columns, rows)
        X = X.astype(float)
        models = [rb.BayesPerceptron("full", half_life=life) for life in HALF_LIVES]
        taken = [float("inf")] * len(models)
        for _ in range(10):  # in turn, so that other processes disturb all alike
            for i, model in enumerate(models):
                own = seconds(lambda m=model, X=X, y=y: m.fit(X, y), repeats=1)
                taken[i] = min(taken[i], own)
        each = "/".join(f"{1e6 * t / rows:.2f}" for t in taken)
        ratios = "/".join(f"{t / taken[0]:.2f}" for t in taken[1:])
        yield Row(
            f"full Bayes, {columns} columns, half-life none/1000/100/10",
            f"{each} us a row ({ratios} times none)",
            "<= 1.1 times",
            max(taken) <= 1.1 * taken[0],
        )


def default() -> Iterator[Row]:
    """Learn and predict with the default model: all filters and their mixture."""
    for columns, rows, goal in DEFAULT:
        X, y = dense_rows(columns, rows)
        X = X.astype(float)
        model = rb.BayesPerceptron().fit(X[:100], y[:100])
        taken = seconds(lambda m=model, X=X, y=y: m.fit(X, y)) / rows
        peer = _peer(X, y) / rows
        yield Row(
            f"`fit`, {columns} columns",
            f"{1e6 * taken:.2f} us a row (SGDClassifier {1e6 * peer:.2f})",
            f"<= {goal:g} us",
            1e6 * taken <= goal,
        )
    X, y = load_digits(return_X_y=True)
    model = rb.BayesPerceptron().fit(X, y)
    taken = seconds(lambda: model.fit(X, y)) / len(y)
    yield Row(
        "`fit`, digits: 64 columns, 10 classes",
        f"{1e6 * taken:.1f} us a row",
        "<= 40 us",
        1e6 * taken <= 40,
    )
    for columns, rows, goal in PREDICT:
        X, y = dense_rows(columns, rows)
        X = X.astype(float)
        model = rb.BayesPerceptron().fit(X[:500], y[:500])
        taken = seconds(lambda m=model, X=X: m.predict_proba(X)) / rows
        peer = SGDClassifier(loss="log_loss").fit(X[:500], y[:500])
        theirs = seconds(lambda m=peer, X=X: m.predict_proba(X)) / rows
        yield Row(
            f"`predict_proba`, {columns} columns",
            f"{1e6 * taken:.2f} us a row (SGDClassifier {1e6 * theirs:.2f})",
            f"<= {goal:g} us",
            1e6 * taken <= goal,
        )
    X, y = dense_rows(20, 3000)
    model = rb.BayesPerceptron().partial_fit(X[:1000].astype(float), y[:1000], [0, 1])
    taken = one_by_one(model, X[1100:].astype(float), y[1100:])
    yield Row(
        "`partial_fit` of one row, 20 columns",
        f"{1e6 * taken:.1f} us a row",
        "<= 6 us",
        1e6 * taken <= 6,
    )
