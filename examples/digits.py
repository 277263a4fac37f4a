"""Digits learned online: what the accuracy depends on, beside scikit-learn.

After section 5 of seung2002, which ends after its second sentence. ``python
examples/digits.py`` prints the verdicts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, band, line
from rosenblatt.papers.seung2002.digits import RATE, Digits, bundled, learned
from rosenblatt.papers.seung2002.problems import SEED

PAPER = Paper(
    key="seung2002",
    citation="After section 5 of S. Seung: Perceptron learning. 9.641 Lecture 3 "
    "(2002).",
)
_PEERS: dict[str, Callable[[int], Any]] = {
    "sklearn Perceptron": lambda seed: Perceptron(random_state=seed),
    "sklearn SGDClassifier, log loss": lambda seed: SGDClassifier(
        loss="log_loss", random_state=seed
    ),
}


@functools.lru_cache(maxsize=4)
def _accuracies(passes: int, runs: int) -> dict[str, FloatArray]:
    """Return test accuracies by name: runs in rows, passes in columns."""
    digits = bundled()
    test, classes = (digits.test, digits.test_labels), np.unique(digits.train_labels)
    found = {
        "GradientPerceptron, logistic": np.array(
            [[m.score(*test) for m in learned(digits, passes, k)] for k in range(runs)]
        )
    }
    for name, made in _PEERS.items():
        rows = []
        for run in range(runs):
            rng, model, row = np.random.default_rng([SEED, run]), made(run), []
            for _ in range(passes):
                order = rng.permutation(len(digits.train))
                model.partial_fit(
                    digits.train[order], digits.train_labels[order], classes=classes
                )
                row.append(model.score(*test))
            rows.append(row)
        found[name] = np.array(rows)
    return found


@PAPER.figure("peers", "section 5")
def figure_peers(*, quick: bool) -> FigureData:
    """Return accuracies against passes, beside scikit-learn's linear classifiers."""
    passes, runs = (4, 2) if quick else (20, 5)
    digits, when = bundled(), range(1, passes + 1)
    series = [
        band(name, when, found, share=1.0, mean=True)
        for name, found in _accuracies(passes, runs).items()
    ]
    for solver in (RidgeClassifier(), LogisticRegression(max_iter=10_000)):
        solver.fit(digits.train, digits.train_labels)
        score = solver.score(digits.test, digits.test_labels)
        series.append(line(type(solver).__name__, [1, passes], [score, score]))
    return FigureData(
        title="Handwritten digits, beside scikit-learn",
        caption=(
            "Share of 450 test images that are recognised, against passes through 1347 "
            f"training images: mean and range of {runs} orders. scikit-learn's linear "
            "classifiers are at their defaults. Dashed lines: classifiers that solve "
            "for their weights."
        ),
        x_label="passes",
        y_label="test accuracy",
        series=tuple(series),
        x_log=True,
    )


@PAPER.claim("digits/logistic-regression", "section 5", expect=0.0, catches=0.03)
def _beside_regression(quick: bool) -> Measurement:
    """After 20 passes (quick: 10) online gradient descent is as good as logistic
    regression: accuracy above that of scikit-learn's, on the same images.
    """
    digits = bundled()
    *_, model = learned(digits, 10 if quick else 20)
    peer = LogisticRegression(max_iter=10_000).fit(digits.train, digits.train_labels)
    own, other = (m.predict(digits.test) == digits.test_labels for m in (model, peer))
    return average(own.astype(np.float64) - other)


def _between_0_and_1(digits: Digits) -> Digits:
    most = digits.train.max()  # of level 16
    return digits._replace(train=digits.train / most, test=digits.test / most)


def _standardised(digits: Digits) -> Digits:
    """Return columns of mean 0 and variance 1, then rows of mean squared length 1."""
    mean, spread = digits.train.mean(axis=0), digits.train.std(axis=0)
    size = np.where(spread > 0, spread, 1.0) * np.sqrt(np.count_nonzero(spread))
    train, test = ((images - mean) / size for images in (digits.train, digits.test))
    return digits._replace(train=train, test=test)


_READINGS = (
    ("mean squared length 1 (figure)", lambda digits: digits, True, RATE),
    ("mean squared length 1", lambda digits: digits, True, 1.0),
    ("over 16", _between_0_and_1, True, 1.0),
    ("over 16", _between_0_and_1, False, 1.0),
    ("standardised, mean squared length 1", _standardised, True, 1.0),
    ("standardised, mean squared length 1", _standardised, False, 1.0),
)


@PAPER.table("readings", "section 5")
def table_readings(*, quick: bool) -> TableData:
    """Return accuracies for several sizes of inputs, with and without a constant."""
    runs, rows = 3 if quick else 20, []
    for name, scaling, constant, rate in _READINGS:
        digits, found = scaling(bundled()), []
        for run in range(runs):
            given = {"rate": rate, "fit_intercept": constant}
            scores = [
                100 * model.score(digits.test, digits.test_labels)
                for model in learned(digits, 20, run, **given)
            ]
            found.append((scores[0], scores[-1]))
        both = np.mean(found, axis=0), np.std(found, axis=0, ddof=1)
        numbers = np.column_stack(both).ravel().round(1).tolist()
        rows.append((name, "yes" if constant else "no", rate, *numbers))
    return TableData(
        title="Digits: what the accuracy depends on",
        caption=(
            "Percent of 450 test images that are recognised, mean and standard "
            f"deviation over {runs} orders. Logistic outputs, squared error, rates of "
            "the first one over 1 + s/1347 after s examples."
        ),
        columns=(
            *("pixels", "constant input", "first rate", "one pass"),
            *("spread, one pass", "20 passes", "spread, 20 passes"),
        ),
        cells=tuple(rows),
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
