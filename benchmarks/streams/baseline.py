"""The baseline that every stream is shown with, and our classifier."""

from __future__ import annotations

import numpy as np

from benchmarks.data import Data
from benchmarks.streams.protocol import Learner, Pass
from rosenblatt.estimators import BayesPerceptron

OURS, BEFORE = "BayesPerceptron()", "as before"


def learners() -> list[Learner]:
    """Return the baseline and our default model."""
    return [Learner(BEFORE, _as_before), Learner(OURS, _ours)]


def as_before(y: np.ndarray, classes: int) -> np.ndarray:
    """Predict the last label, as often as that was right so far.

    The other classes share the rest. The first row is a guess.
    """
    same = np.append(False, y[1:] == y[:-1])
    seen = np.arange(len(y))
    right = (same.cumsum() - same + 1) / (np.maximum(seen - 1, 0) + 2)
    # the last label stays the prediction, also where changes are frequent
    right = np.maximum(right, 1 / classes + 1e-9)
    P = np.repeat(((1 - right) / (classes - 1))[:, None], classes, axis=1)
    P[seen[1:], y[:-1]] = right[1:]
    P[0] = 1 / classes
    return P


def _as_before(data: Data) -> Pass:
    return lambda: as_before(data.y, data.n_classes)


def _ours(data: Data) -> Pass:
    known = np.arange(data.n_classes)
    few = min(100, len(data.y))
    BayesPerceptron().predict_then_learn(data.X[:few], data.y[:few], classes=known)
    model = BayesPerceptron()
    return lambda: model.predict_then_learn(data.X, data.y, classes=known)
