"""Learners with a belief about every weight, against NumPy and scikit-learn."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import erfcx
from sklearn.linear_model import SGDClassifier

import rosenblatt as rb
from benchmarks.measure import Row, seconds

RULE = rb.rules.BinaryBayes()
CONSTANT = rb.schedules.Constant()


def numpy_binary(replicas: int, dim: int, examples: int) -> float:
    """Return the seconds that the binary learner takes, vectorised over replicas."""
    rng = np.random.default_rng(0)
    t, m = np.zeros((2, replicas, dim))
    began = time.process_time()
    for _ in range(examples):
        s = rng.standard_normal((replicas, dim))
        y = np.sign(s.sum(axis=1))
        rho = np.maximum((1 - m * m).sum(axis=1), 1.0)
        root = np.sqrt(rho)
        u = y * np.einsum("ij,ij->i", m, s) / root
        f = np.sqrt(2 / np.pi) / erfcx(-u / np.sqrt(2))
        t += s * ((y * f / root)[:, None] + s * m * (f * (u + f) / rho)[:, None])
        m = np.tanh(t)
    return time.process_time() - began


def _ours(
    replicas: int,
    dim: int,
    alpha: float,
    workers: int | None,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    given = {"dim": dim, "alpha": alpha, "replicas": replicas, "workers": workers}
    return seconds(lambda: rb.simulate(RULE, CONSTANT, **given), clock=clock)


def ratios() -> Iterator[Row]:
    """Compare the binary learner with NumPy vectorised over 100 replicas.

    One core by the processor's time, of which waiting is no part: all threads of both,
    set-up and result included. Two workers by the wall clock, which needs two cores
    that are free, and beside it the processor's time that two take more than one.
    """
    rb.simulate(RULE, CONSTANT, dim=10, alpha=1)
    for dim, alpha in ((50, 20.0), (1000, 4.0)):
        examples = 300
        peer = min(numpy_binary(100, dim, examples) for _ in range(3)) / examples
        busy, wall = time.process_time, time.perf_counter
        one = _ours(100, dim, alpha, 1, busy) / (alpha * dim)
        more = _ours(100, dim, alpha, 2, busy) / (alpha * dim) / one
        gain = _ours(100, dim, alpha, 1, wall) / _ours(100, dim, alpha, 2, wall)
        yield Row(
            f"coordinate, N = {dim}, 100 replicas, one core",
            f"{peer / one:.1f} times NumPy ({one * 1e7 / dim:.2f} ns a weight)",
            ">= 10 times",
            peer / one >= 10,
        )
        yield Row(
            "coordinate, 2 workers",
            f"{gain:.2f} times 1 worker (load {os.getloadavg()[0]:.0f}), "
            f"{more:.2f} of its processor time",
            ">= 1.9 times",
            gain >= 1.9,
        )


def sizes() -> Iterator[Row]:
    """Time many small runs and a large one."""
    for replicas, dim, alpha, goal in ((1000, 50, 20.0, 2.0), (1, 10_000, 10.0, 10.0)):
        taken = _ours(replicas, dim, alpha, None)
        yield Row(
            f"{replicas} x N = {dim} to alpha = {alpha:g}",
            f"{taken:.2f} s",
            f"< {goal:g} s",
            taken < goal,
        )


def classifiers() -> Iterator[Row]:
    """Compare one pass of the estimator with one of scikit-learn's."""
    rng = np.random.default_rng(0)
    for features in (20, 100, 1000):
        X = rng.standard_normal((20_000_000 // features // 10, features))
        y = X.sum(axis=1) > 0
        peer = SGDClassifier(loss="log_loss", max_iter=1, tol=None, shuffle=False)
        theirs = seconds(lambda X=X, y=y, peer=peer: peer.fit(X, y))
        ours = seconds(lambda X=X, y=y: rb.BinaryBayesPerceptron().fit(X, y))
        yield Row(
            f"BinaryBayesPerceptron.fit, {features} features",
            f"{theirs / ours:.1f} times SGDClassifier(log_loss) "
            f"({ours / X.size * 1e9:.1f} ns a number)",
        )
