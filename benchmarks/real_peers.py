"""Other people's one-pass classifiers: predictions made row by row before learning.

Each peer has its defaults; classes are told beforehand where a peer can be told. What
has no probabilities gets none: hard predictions come as a vector of classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import vowpalwabbit
from river import base, linear_model, multiclass
from scipy.special import expit
from sklearn.linear_model import Perceptron, SGDClassifier

from benchmarks.data import Data
from benchmarks.sgd import classes, probabilities, sgd_fields


def peers() -> dict[str, Callable[[Data], np.ndarray]]:
    """Return the learners by name."""
    return {
        "Perceptron": lambda data: classes(sgd_fields(data, Perceptron())),
        "SGD hinge": lambda data: classes(sgd_fields(data, SGDClassifier())),
        "SGD log_loss": lambda data: probabilities(
            expit(sgd_fields(data, SGDClassifier(loss="log_loss")))
        ),
        "River logistic": lambda data: _river(linear_model.LogisticRegression(), data),
        "AdPredictor": lambda data: _river(linear_model.AdPredictor(), data),
        "Vowpal Wabbit": vowpal_wabbit,
    }


def _river(learner: base.Classifier, data: Data) -> np.ndarray:
    """Return probabilities; a class not met yet has none."""
    if data.n_classes > 2:
        learner = multiclass.OneVsRestClassifier(learner)
    P = np.zeros((len(data.y), data.n_classes))
    for i, (row, label) in enumerate(zip(data.X, data.y.tolist(), strict=True)):
        x = dict(enumerate(row.tolist()))
        for c, p in learner.predict_proba_one(x).items():
            P[i, int(c)] = p
        learner.learn_one(x, label if data.n_classes > 2 else bool(label))
    return probabilities(P)


def vowpal_wabbit(data: Data) -> np.ndarray:
    """Return the probabilities of ``vw --loss_function logistic``, progressively."""
    binary = data.n_classes == 2
    kind = "--link logistic" if binary else f"--oaa {data.n_classes} --probabilities"
    with TemporaryDirectory() as folder:
        rows, found = Path(folder, "rows.vw"), Path(folder, "predictions")
        rows.write_text("\n".join(_vw_rows(data, binary)) + "\n")
        vowpalwabbit.Workspace(
            f"--quiet -d {rows} -p {found} --loss_function logistic {kind}"
        ).finish()
        lines = found.read_text().splitlines()[: len(data.y)]
    if binary:
        p = np.array([float(line.split()[0]) for line in lines])
        return np.column_stack([1 - p, p])
    cells = [line.split()[: data.n_classes] for line in lines]
    return np.array([[float(cell.split(":")[1]) for cell in row] for row in cells])


def _vw_rows(data: Data, binary: bool) -> Iterator[str]:
    for x, y in zip(data.X, data.y, strict=True):
        features = " ".join(f"{i}:{v:.9g}" for i, v in enumerate(x) if v)
        yield f"{2 * y - 1 if binary else y + 1} | {features}"
