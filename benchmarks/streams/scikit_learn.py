"""SGDClassifier of scikit-learn: its defaults, and the best of 15 in hindsight."""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.linear_model import SGDClassifier

from benchmarks.data import Data
from benchmarks.sgd import SETTINGS, classes, probabilities, sgd_fields, sgd_settings
from benchmarks.streams.protocol import Learner, Pass

TUNED = f"SGD, best of {len(SETTINGS)} in hindsight"
TIMED = 300  # rows that partial_fit itself is given; it takes long


def learners() -> list[Learner]:
    """Return the defaults with both losses, and all settings."""
    return [
        Learner("SGD, default", _hinge, scaled=True, timed=_one_by_one("hinge")),
        Learner("SGD, log_loss", _log_loss, scaled=True, timed=_one_by_one("log_loss")),
        Learner(TUNED, _tuned, scaled=True, timed=_one_by_one("log_loss")),
    ]


def _hinge(data: Data) -> Pass:
    return lambda: classes(sgd_fields(data, SGDClassifier()))


def _log_loss(data: Data) -> Pass:
    learner = SGDClassifier(loss="log_loss")
    return lambda: probabilities(expit(sgd_fields(data, learner)))


def _tuned(data: Data) -> Pass:
    """Return the predictions of all settings; the protocol takes the best of each."""
    return lambda: np.stack(sgd_settings(data))


def _one_by_one(loss: str):
    def begin(data: Data) -> Pass:
        few, learner = data.first(TIMED), SGDClassifier(loss=loss)
        known = np.arange(data.n_classes)
        learner.partial_fit(few.X[:1], few.y[:1], classes=known)

        def learn() -> np.ndarray:
            found = []
            for x, y in zip(few.X, few.y, strict=True):
                found.append(learner.predict(x[None])[0])
                learner.partial_fit(x[None], y[None])
            return np.array(found)

        return learn

    return begin
