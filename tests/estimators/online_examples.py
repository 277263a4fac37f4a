"""Shared parts of tests of OnlinePerceptron: a rule, examples, comparisons."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import Percept, Rule, Update


@dataclass(frozen=True)
class Dead(Rule):
    """A user's own: no update inside a dead zone."""

    zone: float = 0.1

    def bind(self) -> Callable[[Percept], Update]:
        zone = self.zone

        def step(p: Percept) -> Update:
            return Update(0.0 if p.label * p.field > zone else p.rate * p.label, 0.0)

        return step


def data(classes=2, rows=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) + 0.3
    return X, (X @ rng.standard_normal((5, classes))).argmax(axis=1)


def snapshot(model):
    return pickle.dumps(vars(model))


def same(a, b):
    return a.t_ == b.t_ and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("classes_", "coef_", "intercept_", "mistakes_")
    )
