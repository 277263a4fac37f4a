"""Section 5: handwritten digits, learned online.

The section ends after its second sentence. Here a perceptron with ten logistic outputs,
one per digit, learns by online gradient descent, beside scikit-learn's linear
classifiers. Images are those that scikit-learn brings along, 8 by 8 pixels.

Pixels are divided by the root of the mean squared length of the training images. The
rate is ``10/(1 + s/m)`` after ``s`` of ``m`` examples. The result after one pass
depends on both, see :func:`rosenblatt.papers.seung2002.readings.table_readings`.
"""

from __future__ import annotations

import functools
from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import claim, expect, figure
from rosenblatt.papers.estimates import average
from rosenblatt.papers.series import line
from rosenblatt.papers.seung2002.comparison import (
    NAME,
    RATE,
    compare,
    pictures,
    references,
)
from rosenblatt.papers.seung2002.images import bundled
from rosenblatt.papers.seung2002.problems import SEED
from rosenblatt.papers.seung2002.section_8 import linear_program
from rosenblatt.rules import Linear
from rosenblatt.schedules import Constant
from rosenblatt.separation import separability, signed

__all__ = ["CLAIMS", "figure_digits", "figure_weights"]

datasets: Any = lazy_loader.load("sklearn.datasets", suppress_warning=True)
estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)
linear_model: Any = lazy_loader.load("sklearn.linear_model", suppress_warning=True)


@functools.lru_cache(maxsize=8)
def _accuracies(passes: int, runs: int) -> dict[str, FloatArray]:
    """Return accuracies by name: runs in rows, passes in columns."""
    found = [[one for one, _ in compare(bundled(), passes, run)] for run in range(runs)]
    return {
        name: np.array([[one[name] for one in run] for run in found])
        for name in found[0][0]
    }


def _size(quick: bool) -> tuple[int, int]:
    """Return numbers of passes and of runs, each with orders of its own."""
    return (4, 2) if quick else (20, 5)


@figure("seung2002/digits", "section 5")
def figure_digits(*, quick: bool) -> FigureData:
    """Show accuracy against passes through the training images."""
    passes, runs = _size(quick)
    when = list(range(1, passes + 1))
    series = [
        Series(
            name,
            when,
            found.mean(axis=0).tolist(),
            "simulation",
            low=found.min(axis=0).tolist(),
            high=found.max(axis=0).tolist(),
        )
        for name, found in _accuracies(passes, runs).items()
    ]
    series += [
        line(name, [1, passes], [value, value])
        for name, value in references(bundled()).items()
    ]
    return FigureData(
        title="Handwritten digits, 8 by 8 pixels",
        caption=(
            "Share of 450 test images that are recognised, against passes through 1347 "
            f"training images: mean and range of {runs} orders. Online gradient "
            "descent with logistic outputs, at rates of 10/(1 + s/1347) after s "
            "examples, beside scikit-learn's linear classifiers at their defaults. "
            "Dashed lines: classifiers that solve for their weights."
        ),
        x_label="passes",
        y_label="test accuracy",
        series=tuple(series),
        x_log=True,
    )


@figure("seung2002/weights", "section 5")
def figure_weights(*, quick: bool) -> FigureData:
    """Show the learned weights as images."""
    *_, (_, model) = compare(bundled(), 3 if quick else 20)
    return pictures(model, bundled().shape)


def _twin(passes: int, run: int) -> float:
    """Return the accuracy of the same learner, written as a plain loop."""
    digits, rng = bundled(), np.random.default_rng([SEED, run])
    X = np.column_stack([digits.train, np.ones(len(digits.train))])
    w, seen = np.zeros((10, X.shape[1])), 0
    for _ in range(passes):
        for row in rng.permutation(len(X)):
            seen += 1
            f = 1 / (1 + np.exp(-w @ X[row]))
            target = np.arange(10) == digits.train_labels[row]
            step = RATE / (1 + seen / len(X)) * (target - f) * f * (1 - f)
            w += step[:, None] * X[row]
    fields = digits.test @ w[:, :-1].T + w[:, -1]
    return float(np.mean(fields.argmax(axis=1) == digits.test_labels))


@claim("seung2002/digits/linear", "section 5")
@expect(1.0, catches=0.001)
def _linear(quick: bool) -> Measurement:
    """With linear outputs the learner does what scikit-learn's SGDRegressor does: share
    of test images with the same class from ten of those, one pass.
    """
    digits, rate = bundled(), 0.1
    model = estimators.GradientPerceptron(
        Linear(), Constant(rate), presentation="fixed", max_iter=1
    ).fit(digits.train, digits.train_labels)
    fields = [
        linear_model.SGDRegressor(
            penalty=None,
            learning_rate="constant",
            eta0=rate,
            max_iter=1,
            tol=None,
            shuffle=False,
        )
        .fit(digits.train, np.where(digits.train_labels == k, 1.0, -1.0))
        .predict(digits.test)
        for k in range(10)
    ]
    same = model.predict(digits.test) == np.argmax(fields, axis=0)
    return Measurement(float(same.mean()), 0.0)


@claim("seung2002/digits/logistic-regression", "section 5")
@expect(0.0, catches=0.03)
def _beside_regression(quick: bool) -> Measurement:
    """After 20 passes (quick: 10) online gradient descent is as good as logistic
    regression: accuracy above that of scikit-learn's, on the same images.
    """
    digits = bundled()
    *_, (_, model) = compare(digits, 10 if quick else 20)
    peer = linear_model.LogisticRegression(max_iter=10_000).fit(
        digits.train, digits.train_labels
    )
    own, other = (m.predict(digits.test) == digits.test_labels for m in (model, peer))
    return average(own.astype(np.float64) - other)


def _chosen(quick: bool) -> tuple[int, ...]:
    return (0, 8) if quick else tuple(range(10))


def _separable_expected(quick: bool) -> float:
    images, labels = datasets.load_digits(return_X_y=True)
    rows = [signed(images, labels == k, fit_intercept=True)[0] for k in _chosen(quick)]
    return float(sum(linear_program(Z) for Z in rows))


@claim("seung2002/digits/one-pass", "section 5")
@expect(
    lambda quick: float(np.mean([_twin(1, run) for run in range(_size(quick)[1])])),
    catches=0.001,
)
def _one_pass(quick: bool) -> Measurement:
    """Online gradient descent recognises handwritten digits: accuracy on 450 test
    images after one pass, mean over orders. Expected from a plain loop.
    """
    found = _accuracies(*_size(quick))[NAME][:, 0]
    return Measurement(float(found.mean()), 0.0)


@claim("seung2002/digits/separable", "sections 5 and 8")
@expect(_separable_expected, catches=0.5)
def _separable(quick: bool) -> Measurement:
    """Digits that a hyperplane separates from all others among the 1797 images (quick:
    of 0 and 8). Expected from linear programs.
    """
    images, labels = datasets.load_digits(return_X_y=True)
    found = [separability(images, labels == k, passes=0) for k in _chosen(quick)]
    return Measurement(float(sum(one.separable and one.proven for one in found)), 0.0)


CLAIMS = (_one_pass, _linear, _beside_regression, _separable)
