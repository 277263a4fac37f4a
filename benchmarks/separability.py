"""Separability against a linear program and a support vector machine."""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import linprog
from sklearn.svm import SVC

import rosenblatt as rb
from benchmarks.measure import Row
from rosenblatt.linear.separation import signed


def _seconds(function) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def _examples(rows: int, columns: int, noise: float):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    y = X @ rng.standard_normal(columns) > 0
    return X, y ^ (rng.random(rows) < noise)


def answers() -> list[Row]:
    """Decide whether classes are separable, peers without passes of the rule."""
    rb.separability(*_examples(100, 3, 0.0))  # compiles
    rows = []
    for name, noise in (("separable", 0.0), ("not separable", 0.01)):
        X, y = _examples(3000, 40, noise)
        Z, _ = signed(X, y, fit_intercept=True)
        equations = np.vstack([Z.T, np.ones(len(Z))])
        right = np.append(np.zeros(Z.shape[1]), 1.0)
        peer = _seconds(lambda A=equations, b=right: linprog(0 * A[0], A_eq=A, b_eq=b))
        own = _seconds(lambda X=X, y=y: rb.separability(X, y, passes=0))
        work = f"3000 x 40, {name}: linear program (HiGHS)"
        rows.append(Row(work, f"{peer / own:.1f} times", ">= 5", peer / own >= 5))
    X, y = _examples(2000, 20, 0.0)
    Z, _ = signed(X, y, fit_intercept=False)
    both, sides = np.concatenate([Z, -Z]), np.repeat([1, -1], len(Z))
    machine = SVC(kernel="linear", C=1e6)
    peer = _seconds(lambda: machine.fit(both, sides))
    own = _seconds(lambda: rb.separability(X, y, fit_intercept=False, passes=0))
    work = "2000 x 20, largest margin: sklearn SVC"
    rows.append(Row(work, f"{peer / own:.1f} times", ">= 5", peer / own >= 5))
    for name, noise in (("separable", 0.0), ("not separable", 0.01)):
        X, y = _examples(100_000, 100, noise)
        own = _seconds(lambda X=X, y=y: rb.separability(X, y))
        work = f"100 000 x 100, {name}"
        rows.append(Row(work, f"{own:.1f} s", "< 10 s", own < 10))
    return rows
