"""Section 5: handwritten digits, learned online.

The section ends after its second sentence. Here a perceptron with ten logistic outputs,
one per digit, learns by online gradient descent. Images are those that scikit-learn
brings along, 8 by 8 pixels; every fourth is for testing.

Pixels are divided by the root of the mean squared length of the training images. The
rate is ``10/(1 + s/m)`` after ``s`` of ``m`` examples. What the accuracy depends on,
and scikit-learn's classifiers, are in ``examples/digits.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import lazy_loader
import numpy as np

from rosenblatt.core.figures import FigureData, Picture
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.samples import band
from rosenblatt.papers.seung2002.problems import PAPER, SEED
from rosenblatt.schedules import Power

if TYPE_CHECKING:
    from rosenblatt.estimators import GradientPerceptron

# What not every reader of papers needs is loaded when it is.
datasets: Any = lazy_loader.load("sklearn.datasets", suppress_warning=True)
estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)
RATE = 10.0  # the first rate; inputs have a mean squared length of 1


class Digits(NamedTuple):
    """Images in rows, with their labels, to learn from and to test with."""

    train: FloatArray
    train_labels: IntArray
    test: FloatArray
    test_labels: IntArray


@functools.lru_cache(maxsize=1)
def bundled() -> Digits:
    """Return scikit-learn's images; every fourth is for testing.

    Examples
    --------
    >>> bundled().train.shape
    (1347, 64)
    """
    images, labels = datasets.load_digits(return_X_y=True)
    tested = np.arange(len(images)) % 4 == 0
    scale = 1 / np.sqrt(np.mean((images[~tested] ** 2).sum(axis=1)))
    return Digits(
        images[~tested] * scale,
        labels[~tested],
        images[tested] * scale,
        labels[tested],
    )


def learned(
    digits: Digits,
    passes: int,
    run: int = 0,
    *,
    rate: float = RATE,
    fit_intercept: bool = True,
) -> Iterator[GradientPerceptron]:
    """Learn pass by pass, each in an order of its own; yield the model after each.

    Its rate is ``rate/(1 + s/m)`` after ``s`` examples, if there are ``m``.
    """
    images, pixels = digits.train.shape
    per_weight = images / (pixels + fit_intercept)  # what its clock counts
    schedule = Power(rate * per_weight, 1.0, per_weight)
    model: GradientPerceptron = estimators.GradientPerceptron(
        schedule=schedule, fit_intercept=fit_intercept
    )
    rng, classes = np.random.default_rng([SEED, run]), np.unique(digits.train_labels)
    for _ in range(passes):
        order = rng.permutation(images)
        model.partial_fit(digits.train[order], digits.train_labels[order], classes)
        yield model


@functools.lru_cache(maxsize=8)
def _accuracies(passes: int, runs: int) -> FloatArray:
    """Return accuracies: runs in rows, passes in columns."""
    test = bundled().test, bundled().test_labels
    return np.array(
        [[m.score(*test) for m in learned(bundled(), passes, k)] for k in range(runs)]
    )


def _size(quick: bool) -> tuple[int, int]:
    """Return numbers of passes and of runs, each with orders of its own."""
    return (4, 2) if quick else (20, 5)


@PAPER.figure("digits", "section 5")
def figure_digits(*, quick: bool) -> FigureData:
    """Show accuracy against passes through the training images."""
    passes, runs = _size(quick)
    found = _accuracies(passes, runs)
    return FigureData(
        title="Handwritten digits, 8 by 8 pixels",
        caption=(
            "Share of 450 test images that are recognised, against passes through 1347 "
            f"training images: mean and range of {runs} orders. Online gradient "
            "descent with logistic outputs, at rates of 10/(1 + s/1347) after s "
            "examples."
        ),
        x_label="passes",
        y_label="test accuracy",
        series=(
            band("ten outputs", range(1, passes + 1), found, share=1.0, mean=True),
        ),
        x_log=True,
    )


@PAPER.figure("weights", "section 5")
def figure_weights(*, quick: bool) -> FigureData:
    """Show the learned weights as images."""
    *_, model = learned(bundled(), 3 if quick else 20)
    return FigureData(
        title="Weights that have been learned",
        caption=(
            "Weights of the perceptron for each class, as images: red pixels speak for "
            "the class and blue ones against it. Each picture has a scale of its own."
        ),
        x_label="",
        y_label="",
        series=(),
        pictures=tuple(
            Picture(str(name), row.reshape(8, 8).tolist())
            for name, row in zip(model.classes_, model.coef_, strict=True)
        ),
    )


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


@PAPER.claim(
    "digits/one-pass",
    "section 5",
    quote="online gradient descent to the application of handwritten digit recognition",
    expect=lambda quick: float(
        np.mean([_twin(1, run) for run in range(_size(quick)[1])])
    ),
    catches=0.001,
)
def _one_pass(quick: bool) -> float:
    """Online gradient descent recognises handwritten digits: accuracy on 450 test
    images after one pass, mean over orders. Expected from a plain loop.
    """
    return float(_accuracies(*_size(quick))[:, 0].mean())
