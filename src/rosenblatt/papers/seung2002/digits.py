"""Section 5: handwritten digits, learned online.

The section ends after its second sentence. Here a perceptron with ten logistic outputs,
one per digit, learns by online gradient descent, beside scikit-learn's linear
classifiers. Images are those that scikit-learn brings along (8 by 8 pixels), or any
in files of the idx format, such as MNIST's: ``rosenblatt digits --images FILE ...``.

Pixels are divided by the root of the mean squared length of the training images, and
the rate is ``10/(1 + s/m)`` after ``s`` examples, if there are ``m``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_digits
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
    SGDRegressor,
)

from rosenblatt.core.figures import FigureData, Picture, Series
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.idx import read_idx
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.separability import separability, signed
from rosenblatt.estimators import GradientPerceptron
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average
from rosenblatt.papers.seung2002.problems import SEED
from rosenblatt.papers.seung2002.section_8 import linear_program
from rosenblatt.rules import Linear
from rosenblatt.schedules import Constant, Power

__all__ = [
    "CLAIMS",
    "Digits",
    "bundled",
    "figure_digits",
    "figure_weights",
    "from_files",
    "pictures",
    "race",
    "references",
    "student",
]

_EVERY = 4  # one image in four is for testing, if there are no others
_RATE = 10.0  # the first rate; inputs have a mean squared length of 1
_SMALL = 10**6  # pixels up to which logistic regression takes seconds
_NAME = "GradientPerceptron, logistic"


class Digits(NamedTuple):
    """Images in rows, with their labels, to learn from and to test with."""

    train: FloatArray
    train_labels: IntArray
    test: FloatArray
    test_labels: IntArray
    shape: tuple[int, int]


def _made(
    train: FloatArray,
    train_labels: IntArray,
    test: FloatArray,
    test_labels: IntArray,
    shape: tuple[int, int],
) -> Digits:
    """Scale images, in double precision."""
    length = np.sqrt(np.mean(np.einsum("ij,ij->i", train, train, dtype=np.float64)))
    scale = 1 / length if length > 0 else 1.0
    return Digits(train * scale, train_labels, test * scale, test_labels, shape)


def _split(images: FloatArray, labels: IntArray, shape: tuple[int, int]) -> Digits:
    tested = np.arange(len(images)) % _EVERY == 0
    return _made(
        images[~tested], labels[~tested], images[tested], labels[tested], shape
    )


@functools.lru_cache(maxsize=1)
def bundled() -> Digits:
    """Return scikit-learn's images; every fourth is for testing.

    Examples
    --------
    >>> bundled().train.shape, bundled().shape
    ((1347, 64), (8, 8))
    """
    images, labels = load_digits(return_X_y=True)
    return _split(images, labels, (8, 8))


Path = str | os.PathLike[str]


def _read(images: Path, labels: Path) -> tuple[FloatArray, IntArray, tuple[int, int]]:
    pixels, classes = read_idx(images), read_idx(labels)
    if pixels.ndim != 3:
        raise ValueError(
            f"{images} must have three dimensions, images, rows and columns, got shape "
            f"{pixels.shape}"
        )
    if classes.ndim != 1 or not np.issubdtype(classes.dtype, np.integer):
        raise ValueError(
            f"{labels} must have one whole number per image, got shape {classes.shape} "
            f"of {classes.dtype}"
        )
    if len(pixels) != len(classes) or not pixels.size:
        raise ValueError(
            f"{images} and {labels} must belong together, got {len(pixels)} images of "
            f"{pixels.shape[1]} by {pixels.shape[2]} pixels and {len(classes)} labels"
        )
    rows, columns = pixels.shape[1:]
    flat = pixels.reshape(len(pixels), -1).astype(np.float64)
    return flat, classes.astype(np.int64), (rows, columns)


def from_files(
    images: Path,
    labels: Path,
    test_images: Path | None = None,
    test_labels: Path | None = None,
) -> Digits:
    """Return images and labels from files of the idx format, plain or gzip.

    Without files to test with, every fourth image is for that.
    """
    if (test_images is None) != (test_labels is None):
        raise ValueError("test images and test labels must be given both or not at all")
    train, train_labels, shape = _read(images, labels)
    if len(np.unique(train_labels)) < 2:
        raise ValueError(f"{labels} must have more than one class")
    if test_images is None or test_labels is None:
        return _split(train, train_labels, shape)
    test, classes, tested = _read(test_images, test_labels)
    if tested != shape:
        raise ValueError(
            f"{test_images} must have images of {shape} pixels as {images} has, "
            f"got {tested}"
        )
    return _made(train, train_labels, test, classes, shape)


def student(digits: Digits) -> GradientPerceptron:
    """Return a perceptron for these images that has learned nothing."""
    images, pixels = digits.train.shape
    per_weight = images / (pixels + 1)  # what its clock counts
    return GradientPerceptron(schedule=Power(_RATE * per_weight, 1.0, per_weight))


def race(
    digits: Digits, passes: int, seed: int = 0
) -> Iterator[tuple[dict[str, float], GradientPerceptron]]:
    """Learn pass by pass, each in an order of its own, and yield test accuracies.

    The perceptron of this package comes along, as it is after that pass.
    """
    rng, own = np.random.default_rng([SEED, seed]), student(digits)
    learners: dict[str, Any] = {
        _NAME: own,
        "sklearn Perceptron": Perceptron(),
        "sklearn SGDClassifier, log loss": SGDClassifier(loss="log_loss"),
    }
    classes = np.unique(digits.train_labels)
    for _ in range(passes):
        order = rng.permutation(len(digits.train))
        rows, labels = digits.train[order], digits.train_labels[order]
        for learner in learners.values():
            learner.partial_fit(rows, labels, classes=classes)
        yield (
            {
                name: float(learner.score(digits.test, digits.test_labels))
                for name, learner in learners.items()
            },
            own,
        )


def references(digits: Digits) -> dict[str, float]:
    """Return accuracies of classifiers that solve for their weights."""
    solvers: dict[str, ClassifierMixin] = {"sklearn RidgeClassifier": RidgeClassifier()}
    if digits.train.size <= _SMALL:
        solvers["sklearn LogisticRegression"] = LogisticRegression(max_iter=10_000)
    return {
        name: float(
            solver.fit(digits.train, digits.train_labels).score(
                digits.test, digits.test_labels
            )
        )
        for name, solver in solvers.items()
    }


def pictures(model: GradientPerceptron, shape: tuple[int, int]) -> FigureData:
    """Return the weights of each class as a picture."""
    weights = model.coef_
    names = [str(name) for name in model.classes_]
    if len(weights) == 1:  # two classes
        names = names[1:]
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
            Picture(name, row.reshape(shape).tolist())
            for name, row in zip(names, weights, strict=True)
        ),
    )


@functools.lru_cache(maxsize=8)
def _races(passes: int, runs: int) -> dict[str, FloatArray]:
    """Return accuracies by name: runs in rows, passes in columns."""
    found = [[one for one, _ in race(bundled(), passes, run)] for run in range(runs)]
    return {
        name: np.array([[one[name] for one in run] for run in found])
        for name in found[0][0]
    }


def _size(quick: bool) -> tuple[int, int]:
    """Return numbers of passes and of runs, each with orders of its own."""
    return (4, 2) if quick else (20, 5)


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
        for name, found in _races(passes, runs).items()
    ]
    series += [
        Series(name, [1, passes], [value, value], "theory")
        for name, value in references(bundled()).items()
    ]
    return FigureData(
        title="Handwritten digits, 8 by 8 pixels",
        caption=(
            "Share of 450 test images that are recognised, against passes through 1347 "
            f"training images: mean and range of {runs} orders. Online gradient descent "
            "with logistic outputs, at rates of 10/(1 + s/1347) after s examples, beside "
            "scikit-learn's linear classifiers at their defaults; dashed, those that "
            "solve for their weights."
        ),
        x_label="passes",
        y_label="test accuracy",
        series=tuple(series),
        x_log=True,
    )


def figure_weights(*, quick: bool) -> FigureData:
    """Show the learned weights as images."""
    *_, (_, model) = race(bundled(), 3 if quick else 20)
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
            step = _RATE / (1 + seen / len(X)) * (target - f) * f * (1 - f)
            w += step[:, None] * X[row]
    fields = digits.test @ w[:, :-1].T + w[:, -1]
    return float(np.mean(fields.argmax(axis=1) == digits.test_labels))


def _one_pass(quick: bool) -> Measurement:
    found = _races(*_size(quick))[_NAME][:, 0]
    return Measurement(float(found.mean()), 0.0)


def _linear(quick: bool) -> Measurement:
    """Return the share of test images that scikit-learn's regressors call the same."""
    digits, rate = bundled(), 0.1
    model = GradientPerceptron(
        Linear(), Constant(rate), presentation="fixed", passes=1
    ).fit(digits.train, digits.train_labels)
    fields = [
        SGDRegressor(
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


def _beside_regression(quick: bool) -> Measurement:
    """Return by how much more images are recognised than by logistic regression."""
    digits = bundled()
    *_, (_, model) = race(digits, 10 if quick else 20)
    peer = LogisticRegression(max_iter=10_000).fit(digits.train, digits.train_labels)
    own, other = (m.predict(digits.test) == digits.test_labels for m in (model, peer))
    return average(own.astype(np.float64) - other)


def _chosen(quick: bool) -> tuple[int, ...]:
    return (0, 8) if quick else tuple(range(10))


def _separable(quick: bool) -> Measurement:
    images, labels = load_digits(return_X_y=True)
    found = [separability(images, labels == k, passes=0) for k in _chosen(quick)]
    return Measurement(float(sum(one.separable and one.proven for one in found)), 0.0)


def _separable_expected(quick: bool) -> float:
    images, labels = load_digits(return_X_y=True)
    rows = [signed(images, labels == k, fit_intercept=True)[0] for k in _chosen(quick)]
    return float(sum(linear_program(Z) for Z in rows))


CLAIMS = (
    Claim(
        id="seung2002/digits/one-pass",
        where="section 5",
        statement="Online gradient descent recognises handwritten digits: accuracy on "
        "450 test images after one pass, mean over orders. Expected from a plain loop.",
        published=None,
        expected=lambda quick: float(
            np.mean([_twin(1, run) for run in range(_size(quick)[1])])
        ),
        measure=_one_pass,
        catches=0.001,
    ),
    Claim(
        id="seung2002/digits/linear",
        where="section 5",
        statement="With linear outputs it is what scikit-learn's SGDRegressor does: "
        "share of test images that ten of those call the same, one pass.",
        published=None,
        expected=1.0,
        measure=_linear,
        catches=0.001,
    ),
    Claim(
        id="seung2002/digits/logistic-regression",
        where="section 5",
        statement="After 20 passes (quick: 10) it is as good as logistic regression: "
        "accuracy above that of scikit-learn's, on the same images.",
        published=None,
        expected=0.0,
        measure=_beside_regression,
        catches=0.06,
    ),
    Claim(
        id="seung2002/digits/separable",
        where="sections 5 and 8",
        statement="Digits that a hyperplane separates from all others among the 1797 "
        "images (quick: of 0 and 8). Expected from linear programs.",
        published=None,
        expected=_separable_expected,
        measure=_separable,
        catches=0.5,
    ),
)
