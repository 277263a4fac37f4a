"""Streams against River and Vowpal Wabbit: one example at a time, and from a file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import vowpalwabbit
from river import linear_model

import rosenblatt as rb
from benchmarks import measure
from benchmarks.estimators import Contest, dense_rows, one_by_one, seconds
from rosenblatt.river import BayesPerceptron, OnlinePerceptron

ROWS = 5000
FILED = 200_000  # rows of a file
LOGISTIC = "--loss_function logistic --quiet"


def _each(model, examples) -> float:
    """Return the seconds that learn_one takes."""

    def learn():
        for x, y in examples:
            model.learn_one(x, y)

    return seconds(learn, repeats=3) / len(examples)


def river() -> Iterator[Contest]:
    """Learn examples with named features, one by one."""
    for columns in (20, 100):
        X, y = dense_rows(columns, ROWS)
        names = [f"f{i}" for i in range(columns)]
        rows = X.tolist()
        examples = [
            (dict(zip(names, row, strict=True)), bool(label))
            for row, label in zip(rows, y, strict=True)
        ]
        perceptron = _each(linear_model.Perceptron(), examples)
        logistic = _each(linear_model.LogisticRegression(), examples)
        for peer, theirs, ours, goal in (
            ("River Perceptron", perceptron, OnlinePerceptron(), 2.0),
            ("River logistic", logistic, BayesPerceptron("diagonal"), None),
            ("River logistic (ours: default)", logistic, BayesPerceptron(), None),
        ):
            taken = _each(ours, examples)
            work = f"{columns} features"
            yield Contest("learn_one", work, peer, taken, theirs, goal)


def _lines(X, y) -> list[str]:
    """Return examples in the text format of Vowpal Wabbit."""
    return [
        f"{2 * label - 1} | " + " ".join(f"{i}:{x:.6g}" for i, x in enumerate(row))
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]


def vowpal_wabbit() -> Iterator[Contest]:
    """Learn one by one, and from a file, text in both cases."""
    X, y = dense_rows(20, FILED)
    peer = vowpalwabbit.Workspace(LOGISTIC)
    few = _lines(X[:ROWS], y[:ROWS])

    def learn():
        for line in few:
            peer.learn(line)

    theirs = seconds(learn, repeats=3) / ROWS
    peer.finish()
    ours = rb.BayesPerceptron("diagonal").partial_fit(X[:1], y[:1], classes=[0, 1])
    taken = one_by_one(ours, X[:ROWS].astype(np.float64), y[:ROWS])
    yield Contest("row by row", "20 columns, Bayes", "Vowpal Wabbit", taken, theirs)
    with TemporaryDirectory() as folder:
        text, table = Path(folder, "rows.vw"), Path(folder, "rows.csv")
        text.write_text("\n".join(_lines(X, y)) + "\n")
        head = ",".join(f"c{i}" for i in range(20)) + ",y"
        both = np.column_stack([X, y])
        np.savetxt(table, both, "%.6g", delimiter=",", header=head, comments="")

        def read_theirs():
            vowpalwabbit.Workspace(f"{LOGISTIC} -d {text}").finish()

        def read_ours(model):
            rb.train(table, "y", model=model, classes=["0", "1"], progress=False)

        # both read with a thread of their own: this is the time on the wall
        theirs = measure.seconds(read_theirs, clock=time.perf_counter) / FILED
        for model in ("bayes-diagonal", "bayes", "perceptron"):
            taken = measure.seconds(
                lambda model=model: read_ours(model), clock=time.perf_counter
            )
            work = f"20 columns, {model}"
            yield Contest("text file", work, "Vowpal Wabbit", taken / FILED, theirs)
