"""Section 5: handwritten digits, learned online.

The section ends after its second sentence. Here a perceptron with ten logistic outputs,
one per digit, learns by online gradient descent, beside scikit-learn's linear
classifiers. Images are those that scikit-learn brings along, 8 by 8 pixels.

Pixels are divided by the root of the mean squared length of the training images. The
rate is ``10/(1 + s/m)`` after ``s`` of ``m`` examples. The result after one pass
depends on both, see :func:`table_readings`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.core.figures import FigureData, Series, TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.estimates import average
from rosenblatt.papers.series import line
from rosenblatt.papers.seung2002.comparison import (
    NAME,
    RATE,
    compare,
    pictures,
    references,
    student,
)
from rosenblatt.papers.seung2002.images import Digits, bundled
from rosenblatt.papers.seung2002.perceptron_rule import linear_program
from rosenblatt.papers.seung2002.problems import PAPER, SEED
from rosenblatt.separation import signed

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


@PAPER.figure("digits", "section 5")
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


@PAPER.figure("weights", "section 5")
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


@PAPER.claim("digits/logistic-regression", "section 5", expect=0.0, catches=0.03)
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


@PAPER.claim(
    "digits/one-pass",
    "section 5",
    quote="apply online gradient descent to the application of handwritten digit "
    "recognition",
    expect=lambda quick: float(
        np.mean([_twin(1, run) for run in range(_size(quick)[1])])
    ),
    catches=0.001,
)
def _one_pass(quick: bool) -> Measurement:
    """Online gradient descent recognises handwritten digits: accuracy on 450 test
    images after one pass, mean over orders. Expected from a plain loop.
    """
    found = _accuracies(*_size(quick))[NAME][:, 0]
    return Measurement(float(found.mean()), 0.0)


Scaling = Callable[[Digits], Digits]


_PASSES = 20


_LEVELS = 16  # grey levels of the bundled images


def _as_here(digits: Digits) -> Digits:
    return digits


def _between_0_and_1(digits: Digits) -> Digits:
    most = digits.train.max()  # of level 16
    return digits._replace(train=digits.train / most, test=digits.test / most)


def _standardised(digits: Digits) -> Digits:
    """Return columns of mean 0 and variance 1, then rows of mean squared length 1."""
    mean, spread = digits.train.mean(axis=0), digits.train.std(axis=0)
    size = np.where(spread > 0, spread, 1.0) * np.sqrt(np.count_nonzero(spread))
    return digits._replace(
        train=(digits.train - mean) / size, test=(digits.test - mean) / size
    )


_READINGS: tuple[tuple[str, Scaling, bool, float], ...] = (
    ("mean squared length 1 (figure)", _as_here, True, RATE),
    ("mean squared length 1", _as_here, True, 1.0),
    (f"over {_LEVELS}", _between_0_and_1, True, 1.0),
    (f"over {_LEVELS}", _between_0_and_1, False, 1.0),
    ("standardised, mean squared length 1", _standardised, True, 1.0),
    ("standardised, mean squared length 1", _standardised, False, 1.0),
)


def accuracies(
    digits: Digits, rate: float, fit_intercept: bool, passes: int, runs: int
) -> FloatArray:
    """Return test accuracies after the first and the last pass, a row for each run."""
    classes, found = np.unique(digits.train_labels), np.empty((runs, 2))
    for run in range(runs):
        rng = np.random.default_rng([SEED, run])
        model = student(digits, rate, fit_intercept=fit_intercept)
        for count in range(passes):
            order = rng.permutation(len(digits.train))
            model.partial_fit(digits.train[order], digits.train_labels[order], classes)
            if count in (0, passes - 1):
                score = model.score(digits.test, digits.test_labels)
                found[run, int(count > 0) :] = score
    return found


@PAPER.table("readings", "section 5")
def table_readings(*, quick: bool) -> TableData:
    """Return accuracies for several sizes of inputs, with and without a constant."""
    runs, rows = 3 if quick else 20, []
    for name, scaling, constant, rate in _READINGS:
        found = 100 * accuracies(scaling(bundled()), rate, constant, _PASSES, runs)
        mean, spread = found.mean(axis=0), found.std(axis=0, ddof=1)
        numbers = np.column_stack([mean, spread]).ravel().round(1).tolist()
        rows.append((name, "yes" if constant else "no", rate, *numbers))
    return TableData(
        title="Digits: what the accuracy depends on",
        caption=(
            "Percent of 450 test images that are recognised, mean and standard "
            f"deviation over {runs} orders. Logistic outputs, squared error, rates of "
            "the first one over 1 + s/1347 after s examples."
        ),
        columns=(
            "pixels",
            "constant input",
            "first rate",
            "one pass",
            "spread, one pass",
            f"{_PASSES} passes",
            f"spread, {_PASSES} passes",
        ),
        cells=tuple(rows),
    )
