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
from river import base, linear_model, multiclass, preprocessing
from scipy.special import expit
from sklearn.linear_model import Perceptron, SGDClassifier

from benchmarks.real_data import Data

ALPHAS = 1e-6, 1e-4, 1e-2
RATES = (  # kind, eta0; with "invscaling" the rate is eta0 / sqrt(t)
    ("optimal", 0.01),
    ("constant", 0.01),
    ("constant", 0.1),
    ("invscaling", 0.1),
    ("invscaling", 1.0),
)
SETTINGS = [(alpha, *rate) for alpha in ALPHAS for rate in RATES]
CHECKED = 100  # rows on which our loop is compared with scikit-learn itself


def standardised(data: Data) -> Data:
    """Return the rows as River's running scaler gives them while it learns."""
    scaler = preprocessing.StandardScaler()
    Z = np.empty_like(data.X)
    for i, row in enumerate(data.X):
        x = dict(enumerate(row))
        scaler.learn_one(x)
        Z[i] = list(scaler.transform_one(x).values())
    return Data(data.name, Z, data.y)


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


def classes(fields: np.ndarray) -> np.ndarray:
    """Return the class that scikit-learn predicts: a field of 0 is class 0."""
    return fields.argmax(1)


def probabilities(each: np.ndarray) -> np.ndarray:
    """Divide one-against-rest probabilities by their sum, as scikit-learn does."""
    total = each.sum(1, keepdims=True)
    return np.where(total > 0, each / np.where(total > 0, total, 1), 1 / each.shape[1])


def sgd_fields(data: Data, learner: SGDClassifier | Perceptron) -> np.ndarray:
    """Return the fields of all classes (of two: -h, h) before each row is learned.

    Calling ``partial_fit`` for every row takes hours; the loop below does the same, and
    the first rows are compared with the classifier itself.
    """
    how = learner.get_params()
    perceptron = isinstance(learner, Perceptron)
    setting = (0.0, "constant", 1.0) if perceptron else (how["alpha"], "optimal", 0.01)
    found = _sgd(data, "perceptron" if perceptron else how["loss"], [setting])[0]
    known = np.arange(data.n_classes)
    for i, (x, y) in enumerate(zip(data.X[:CHECKED], data.y[:CHECKED], strict=True)):
        if i:
            h = learner.coef_ @ x + learner.intercept_
            np.testing.assert_allclose(found[i][-len(h) :], h, rtol=1e-6, atol=1e-6)
        learner.partial_fit(x[None], y[None], classes=known)
    return found


def sgd_settings(data: Data) -> list[np.ndarray]:
    """Return the probabilities of SGDClassifier(log_loss) with each of the settings."""
    return [probabilities(expit(f)) for f in _sgd(data, "log_loss", SETTINGS)]


SLOPES = {  # minus the derivative of the loss by the field, for the label s = +-1
    "log_loss": lambda s, h: s * expit(-s * h),
    "hinge": lambda s, h: s * (s * h <= 1),
    "perceptron": lambda s, h: s * (s * h <= 0),
}


def _sgd(
    data: Data, loss: str, settings: list[tuple[float, str, float]]
) -> list[np.ndarray]:
    """Run scikit-learn's stochastic gradient descent with many settings at once."""
    alphas, kinds, eta0 = (np.array(column) for column in zip(*settings, strict=True))
    K = data.n_classes
    positive = np.array([1]) if K == 2 else np.arange(K)
    w = np.zeros((len(settings), len(positive), data.X.shape[1]))
    b = np.zeros(w.shape[:2])
    fields = np.empty((len(data.y), *b.shape))
    # "optimal" is 1 / (alpha (start + t)), and alpha^(-1/4) at first
    start = np.where(kinds == "optimal", np.maximum(alphas, 1e-300) ** -0.75, 1.0)
    for t, (x, label) in enumerate(zip(data.X, data.y, strict=True)):
        eta = np.where(kinds == "invscaling", eta0 / np.sqrt(t + 1), eta0)
        optimal = 1 / (np.maximum(alphas, 1e-300) * (start + t))
        eta = np.where(kinds == "optimal", optimal, eta)
        fields[t] = w @ x + b
        step = eta[:, None] * SLOPES[loss](2.0 * (label == positive) - 1, fields[t])
        w *= np.maximum(0, 1 - eta * alphas)[:, None, None]
        w += step[:, :, None] * x
        b += step
    if K == 2:
        fields = np.concatenate([-fields, fields], axis=2)
    return list(fields.transpose(1, 0, 2))


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
