"""Stochastic gradient descent of scikit-learn, row by row, with many settings at once.

Calling ``partial_fit`` for every row takes hours. The loop here does the same.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.linear_model import Perceptron, SGDClassifier

from benchmarks.data import Data

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


def classes(fields: np.ndarray) -> np.ndarray:
    """Return the class that scikit-learn predicts: a field of 0 is class 0."""
    return fields.argmax(1)


def probabilities(each: np.ndarray) -> np.ndarray:
    """Divide one-against-rest probabilities by their sum, as scikit-learn does."""
    total = each.sum(1, keepdims=True)
    return np.where(total > 0, each / np.where(total > 0, total, 1), 1 / each.shape[1])


def sgd_fields(data: Data, learner: SGDClassifier | Perceptron) -> np.ndarray:
    """Return the fields of all classes (of two: -h, h) before each row is learned.

    The first rows are compared with the classifier itself.
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
