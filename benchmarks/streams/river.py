"""Classifiers of River: linear ones behind its scaler, and its adaptive forest.

AdPredictor, which is made for indicators, also gets the rows as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from river import base, forest, linear_model, multiclass, optim

from benchmarks.data import Data
from benchmarks.sgd import probabilities
from benchmarks.streams.protocol import Learner, Pass

OPTIMISERS = {
    "SGD": lambda: None,
    "Adam": optim.Adam,
    "AdaGrad": optim.AdaGrad,
    "FTRL": optim.FTRLProximal,
}


def learners() -> list[Learner]:
    """Return the classifiers; linear ones learn classes one against the rest."""
    linear = {
        f"River logistic, {name}": lambda make=make: linear_model.LogisticRegression(
            make()
        )
        for name, make in OPTIMISERS.items()
    }
    linear["River AdPredictor, scaled"] = linear_model.AdPredictor
    linear["River ALMA"] = linear_model.ALMAClassifier
    return [
        Learner("River AdPredictor", begin(linear_model.AdPredictor)),
        *(Learner(name, begin(make), scaled=True) for name, make in linear.items()),
        Learner(
            "River adaptive random forest",
            begin(lambda: forest.ARFClassifier(seed=1)),
            linear=False,
        ),
    ]


def begin(make: Callable[[], base.Classifier]) -> Callable[[Data], Pass]:
    """Return the way to learn rows of a stream, as dictionaries, one by one."""

    def converted(data: Data) -> Pass:
        rows = [dict(enumerate(row)) for row in data.X.tolist()]
        learner = make()
        labels = data.y.tolist()
        if data.n_classes == 2:
            labels = [bool(label) for label in labels]
        elif not learner._multiclass:
            learner = multiclass.OneVsRestClassifier(learner)
        return lambda: _predictions(learner, rows, labels, data.n_classes)

    return converted


def _predictions(
    learner: base.Classifier, rows: list[dict], labels: list, classes: int
) -> np.ndarray:
    """Return probabilities, each from before its label was learned."""
    P = np.zeros((len(rows), classes))
    for i, (x, label) in enumerate(zip(rows, labels, strict=True)):
        for c, p in learner.predict_proba_one(x).items():
            P[i, int(c)] = p
        learner.learn_one(x, label)
    return probabilities(P)
