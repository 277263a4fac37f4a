"""Examples for rules that keep a belief about every weight."""

import numpy as np

from rosenblatt.compiling import compiled
from rosenblatt.core import Observation
from tests import references


def begin(rule, n):
    state, mean, variance = np.zeros(rule.memory(n)), np.zeros(n), np.zeros(n)
    rule.begin(state, mean, variance)
    return state, mean, variance


def learned(rule, S, y):
    """Return what a compiled rule believes after all examples of unit variance."""
    n = S.shape[1]
    state, mean, variance = begin(rule, n)
    for s, label in zip(S, y, strict=True):
        x = s / np.sqrt(n)
        o = Observation(
            mean @ x, label, mean @ mean / n, x @ x, 1.0, n, variance @ x**2,
            variance.sum() / n,
        )  # fmt: skip
        compiled(rule)(state, mean, variance, x, o)
    return state, mean, variance


def examples(n, rows, noise=0.0, signs=False, seed=0):
    rng = np.random.default_rng(seed)
    S = rng.standard_normal((rows, n))
    S = np.sign(S) if signs else S
    y = np.where(S.sum(axis=1) > 0, 1.0, -1.0)
    return S, np.where(rng.random(rows) < noise, -y, y)


def assert_naive(rule, *, diagonal):
    """Compare a Gaussian belief with the naive filter; return state and covariance."""
    S, y = examples(10, 80, rule.noise)
    state, mean, variance = learned(rule, S, y)
    m, C = references.gaussian_filter(S / np.sqrt(10), y, rule.noise, diagonal=diagonal)
    np.testing.assert_allclose(mean, m, rtol=1e-8)
    np.testing.assert_allclose(variance, np.diag(C), rtol=1e-8)
    return state, C
