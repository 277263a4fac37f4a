"""The Bayesian filters against scikit-learn, and against the memory.

What bounds a dense pass is reading the rows: at 1000 columns and more the best that is
possible is the speed at which they are summed up. What bounds a full covariance is one
pass over its matrix, each entry read, changed and written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

import rosenblatt as rb
from benchmarks import measure
from benchmarks.estimators import dense_rows, one_by_one
from benchmarks.measure import Row
from rosenblatt import filters as filtering
from rosenblatt.compiling import kernel, types
from rosenblatt.filters.addresses import Seat
from rosenblatt.filters.dense import KERNELS

# The time of the thread itself: on a shared machine waiting does not count.
seconds = partial(measure.seconds, clock=time.thread_time)
# Columns, rows, and how many times faster than scikit-learn, by covariance. There are
# 80 to 200 MB of rows: more than the caches hold, and enough for the first rows, after
# which the frame changes often, not to count.
DENSE = (
    (20, 1_000_000, {"spherical": 5.0, "diagonal": 4.0}),
    (100, 400_000, {"spherical": 9.0, "diagonal": 6.0}),
    (1000, 50_000, {"spherical": 10.0, "diagonal": 7.0}),
    (5000, 10_000, {"spherical": 7.0, "diagonal": 4.0}),
)
FULL = ((50, 4000), (200, 1000), (1000, 60))  # columns, rows
KINDS = ("spherical", "diagonal")
ENTRIES = 50  # that are not zero in a row of a sparse table


@kernel(types.float32, types.Array(types.float32, 1, "C", readonly=True))
def _read(numbers):
    total = numbers[0]
    for i in range(1, numbers.size):
        total += numbers[i]
    return total


@kernel(types.void, types.float64[::1], types.float64, types.int64)
def _rewrite(numbers, factor, times):
    for _ in range(times):
        for i in range(numbers.size):
            numbers[i] *= factor


def _aligned(size):
    """Return numbers that begin with a line of the cache: the fastest to pass over."""
    numbers = np.ones(size + 8)
    first = -numbers.ctypes.data // 8 % 8
    return numbers[first : first + size]


def _labels(X, rng):
    """Return labels of a noisy linear teacher."""
    fields = X @ rng.standard_normal(X.shape[1]).astype(X.dtype)
    blur = 0.3 * fields.std() * rng.standard_normal(fields.size)
    return (fields + blur > 0).astype(np.int64)


def _peer(X, y):
    """Return how long scikit-learn's logistic regression takes for one pass."""
    model = SGDClassifier(loss="log_loss", max_iter=1, tol=None)
    return seconds(lambda: model.fit(X, y))


def _learner(covariance):
    return rb.BayesPerceptron(covariance=covariance)


def _kernel(covariance, X, y):
    """Return how long a kernel takes for rows that need no standardising."""
    once, nothing = np.zeros(0, np.int64), np.zeros((0, 0))
    settings = {"covariance": covariance, "width": 1.0, "clip": 5.0, "intercept": True}
    filter = filtering.start(X.shape[1], **settings)
    advance = KERNELS[covariance, X.itemsize]

    def learn():
        seat = Seat(filter.copy())
        seat.write(filter)
        assert advance(X, y, once, nothing, seat.place) == -1

    return seconds(learn, repeats=5)


def dense() -> Iterator[Row]:
    """Learn dense rows in single precision."""
    rng = np.random.default_rng(0)
    for columns, rows, goals in DENSE:
        X = rng.standard_normal((rows, columns), dtype=np.float32)
        y = _labels(X, rng)
        peer = _peer(X, y)
        bound = seconds(lambda X=X: _read(X.reshape(-1)))
        for covariance, goal in goals.items():
            model = _learner(covariance).fit(X[:10], np.arange(10) % 2)  # compiled
            taken = seconds(lambda m=model, X=X, y=y: m.fit(X, y), repeats=5)
            inside = _kernel(covariance, X, y)
            yield Row(
                f"{covariance} Bayes, {columns} columns, one pass",
                f"{peer / taken:.1f} times SGDClassifier, its kernel "
                f"{peer / inside:.1f} times ({1e9 * inside / rows:.0f} ns a row, "
                f"{1e9 * bound / rows:.0f} to read it)",
                f">= {goal:.0f} times",
                peer / taken >= goal,
            )


def sparse() -> Iterator[Row]:
    """Learn sparse rows."""
    rng = np.random.default_rng(0)
    rows = 150_000
    for columns in (1_000, 10_000):
        places = np.sort(rng.integers(0, columns, (rows, ENTRIES)), axis=1)
        entries = rng.standard_normal(places.size)
        ends = np.arange(0, places.size + 1, ENTRIES)
        X = csr_matrix((entries, places.ravel(), ends), shape=(rows, columns))
        X.sum_duplicates()
        y = _labels(X, rng)
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
    """Learn with a full covariance, between two changes of the frame."""
    rng = np.random.default_rng(0)
    for columns, rows in FULL:
        X = rng.standard_normal((rows, columns))
        matrix = _aligned((columns + 1) ** 2)
        _rewrite(matrix, 1.0, 1)
        bound = seconds(lambda m=matrix, n=rows: _rewrite(m, 1.0, n)) / rows
        taken = _kernel("full", X, _labels(X, rng)) / rows
        yield Row(
            f"full Bayes, {columns} columns, its kernel",
            f"{taken / bound:.1f} passes over the matrix ({1e6 * taken:.1f} us a row)",
            "<= 2 passes",
            taken / bound <= 2,
        )
