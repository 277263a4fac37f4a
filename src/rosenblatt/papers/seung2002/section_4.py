r"""Section 4: learning online, from one example after the other.

At a constant rate the weight of :mod:`rosenblatt.papers.seung2002.walks` never comes to
rest. In the end

.. math:: \langle e^2 \rangle = \frac{\eta}{2 - \eta}\, \sigma^2,   \tag{1}

which is small if the rate is, and so the result is then that of batch learning.
"""

from __future__ import annotations

from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.seung2002.problems import SEED, drawn_order, follow
from rosenblatt.papers.seung2002.walks import NOISE, distances
from rosenblatt.rows.gradient import batch
from rosenblatt.rules import Delta, Linear, Logistic
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "small_problem"]

estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)

_RATE = 0.02  # a small one


def _updates() -> tuple[FloatArray, FloatArray]:
    """Return the update of each example at rate 1, and the gradient of their mean."""
    rng = np.random.default_rng(SEED)
    X, w = rng.standard_normal((40, 3)), rng.standard_normal(3)
    labels = rng.choice([-1.0, 1.0], 40)
    moved = np.array(
        [
            follow(
                Delta(Logistic()),
                Constant(1.0),
                X,
                labels,
                w,
                np.array([row]),
                np.array([1]),
            )[0]
            for row in range(len(X))
        ]
    )
    once = np.ones(len(X), np.int64)
    gradient = batch(Logistic(), X, labels[:, None], w[None], once).gradient[0]
    return moved - w, gradient


@claim("seung2002/section4/mean-update", "section 4, second paragraph")
@expect(0.0, catches=1e-6)
@allow(1e-12, "sums are rounded")
def _mean_update(quick: bool) -> Measurement:
    """On average an online update is along minus the gradient (of the mean cost, times
    the rate): largest deviation, logistic outputs.
    """
    changes, gradient = _updates()
    return Measurement(float(np.abs(changes.mean(axis=0) + gradient).max()), 0.0)


@claim("seung2002/section4/any-direction", "section 4, second paragraph")
@expect(0.5, catches=0.06)
def _uphill(quick: bool) -> Measurement:
    """A particular update may point elsewhere: share of updates that go uphill right
    next to the minimum.

    Targets are +-1 at random, so that the minimum is at zero weights for many examples.
    Next to it the update is +-x, one half of the time along any direction.
    """
    rng = np.random.default_rng(SEED)
    rows = 2000 if quick else 20_000
    X, labels = rng.standard_normal((rows, 3)), rng.choice([-1.0, 1.0], rows)
    direction, tiny = np.array([1.0, 0.0, 0.0]), 1e-6
    # Of the law that examples are drawn from the gradient at tiny * direction is
    # along direction; an update is (label - h) x.
    change = (labels - tiny * X @ direction)[:, None] * X
    return average((change @ direction > 0).astype(np.float64))


def _stall(rate: float) -> Claim:
    @claim(
        f"seung2002/section4/constant-{rate:g}",
        "section 4, third paragraph from the end",
    )
    @expect(rate / (2 - rate) * NOISE, catches=0.25 * rate / (2 - rate) * NOISE)
    @fill(rate=rate)
    def measure(quick: bool) -> Measurement:
        """At a constant rate noise prevents convergence: mean squared distance from the
        minimum in the end, eta sigma^2/(2 - eta), eta = {rate:g}.
        """
        replicas = 1000 if quick else 8000
        late = distances(Constant(rate), (round(20 / rate),), replicas)
        return average(late[:, 0] ** 2)

    return measure


def small_problem() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs, labels, and the weights that batch learning ends with."""
    rng = np.random.default_rng(SEED)
    X, y = rng.standard_normal((30, 3)) / 2, rng.integers(0, 2, 30)
    model = estimators.GradientPerceptron(
        Linear(),
        Constant(2.0),
        presentation="batch",
        max_iter=1000,
        fit_intercept=False,
    ).fit(X, y)
    return X, np.where(y > 0, 1.0, -1.0), np.asarray(model.coef_[0])


def _small_expected(quick: bool) -> float:
    """Return the exact stationary value: the covariance solves a linear equation."""
    X, labels, best = small_problem()
    size = X.shape[1]
    noise = ((labels - X @ best) ** 2)[:, None, None] * X[:, :, None] * X[:, None, :]
    step = np.eye(size) - _RATE * X[:, :, None] * X[:, None, :]
    both = np.einsum("kij,kab->iajb", step, step).reshape(size**2, size**2) / len(X)
    right = (_RATE**2 * noise.mean(axis=0)).ravel()
    covariance = np.linalg.solve(np.eye(size**2) - both, right).reshape(size, size)
    return float(np.trace(covariance)) / _RATE


@claim("seung2002/section4/memory", "section 4, last paragraph")
@expect(0.0, catches=1e-12)
def _memory(quick: bool) -> Measurement:
    """An online learner uses each example and discards it: largest difference of
    weights from examples one by one and all at once.
    """
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((200, 4))
    y = (X[:, 0] > 0).astype(int)
    given = {"schedule": Constant(0.2), "presentation": "fixed"}
    whole = estimators.GradientPerceptron(**given, max_iter=1).fit(X, y)
    pieces = estimators.GradientPerceptron(**given)
    for row in range(len(X)):
        pieces.partial_fit(X[row : row + 1], y[row : row + 1], classes=[0, 1])
    return Measurement(float(np.abs(whole.coef_ - pieces.coef_).max()), 0.0)


@claim("seung2002/section4/batch-memory", "section 4, last paragraph")
@expect(0.0, catches=1e-9)
@allow(1e-14, "sums are rounded")
def _batch_memory(quick: bool) -> Measurement:
    """Batch learning needs all examples for each step, but not at one time: largest
    difference of a gradient that is added up in pieces.
    """
    rng = np.random.default_rng(SEED)
    X, w = rng.standard_normal((200, 4)), rng.standard_normal((1, 4))
    labels, once = rng.choice([-1.0, 1.0], (200, 1)), np.ones(200, np.int64)
    whole = batch(Logistic(), X, labels, w, once).gradient
    pieces = [
        batch(Logistic(), X[k : k + 10], labels[k : k + 10], w, once[:10]).gradient
        for k in range(0, 200, 10)
    ]
    return Measurement(float(np.abs(np.mean(pieces, axis=0) - whole).max()), 0.0)


@claim("seung2002/section4/small-rate", "section 4, third paragraph")
@expect(_small_expected, catches=0.2)
def _small(quick: bool) -> Measurement:
    """With a small rate online learning ends near where batch learning does: mean
    squared distance of the two over the rate, 0.02, three weights.

    Each run gives a mean over time, after 10 times of relaxation and up to 20.
    """
    X, labels, best = small_problem()
    slowest = float(np.linalg.eigvalsh(X.T @ X / len(X))[0])
    times = np.rint(np.linspace(10, 20, 41) / (_RATE * slowest)).astype(np.int64)
    found = [
        follow(
            Delta(Linear()),
            Constant(_RATE),
            X,
            labels,
            best,
            drawn_order(len(X), int(times[-1]), 4, replica),
            times,
        )
        for replica in range(100 if quick else 1000)
    ]
    away = ((np.array(found) - best) ** 2).sum(axis=-1)
    return average(away.mean(axis=1) / _RATE)


CLAIMS = (
    _mean_update,
    _uphill,
    _small,
    *(_stall(rate) for rate in (0.5, 0.1, 0.02)),
    _memory,
    _batch_memory,
)
