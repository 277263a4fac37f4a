"""Rows that come after the last label: fit the first rows, predict those that follow.

Run ``python -m benchmarks.later --data FOLDER`` (extra ``bench``). Rows stay in the
order of the files, unless a table says that they are shuffled. All learners are used
through public methods. Results go to ``bench/later.md``; ``--docs`` writes tables and
picture into the guide.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.page import write_measured
from benchmarks.streams.archives import default_folder, later_streams
from benchmarks.streams.packaged import packaged

OUT, GUIDE = Path("bench"), Path("docs")
CUTS, NEXT = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), 0.2  # parts that are fitted, predicted
LAST = CUTS[-1]
DELAYS = (100, 1000)
# The stream with a change: columns, rows, rows after the change, length of the weights.
COLUMNS, ROWS, AFTER, LENGTH, REPEATS = 10, 10_000, 1000, 3.0, 20

Model = Callable[[], object]
MODELS: dict[str, Model] = {
    "LogisticRegression": lambda: make_pipeline(
        StandardScaler(), LogisticRegression(max_iter=200)
    ),
    "one full filter": lambda: rb.BayesPerceptron("full"),
    "BayesPerceptron": rb.BayesPerceptron,
}
OURS = "BayesPerceptron"


class Figures(NamedTuple):
    """Error, log-loss, and area under the ROC curve; of several classes its mean."""

    error: float
    log_loss: float
    auc: float


def figures(P: np.ndarray, y: np.ndarray) -> Figures:
    """Score the probabilities of classes 0, 1, ..."""
    own = np.clip(P[np.arange(len(y)), y], 1e-15, 1.0)
    seen = [k for k in range(P.shape[1]) if 0 < (y == k).sum() < len(y)]
    if P.shape[1] == 2:
        seen = seen[1:]
    areas = [roc_auc_score(y == k, P[:, k]) for k in seen]
    return Figures(
        float(np.mean(P.argmax(1) != y)), float(-np.log(own).mean()), np.mean(areas)
    )


def later(model: Model, data: Data, part: float) -> Figures:
    """Fit a part of the rows, and score the next ones."""
    first = int(part * len(data.y))
    last = first + int(NEXT * len(data.y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # long runs of a label; iterations
        fitted = model().fit(data.X[:first], data.y[:first])
    P = np.full((last - first, data.n_classes), 0.0)
    P[:, fitted.classes_] = fitted.predict_proba(data.X[first:last])
    return figures(P, data.y[first:last])


def changed(model: Model, after: int) -> float:
    """Return the mean error on a new law that so many rows were seen of."""
    errors = []
    for seed in range(REPEATS):
        rng = np.random.default_rng(seed)
        weights = rng.standard_normal((2, COLUMNS)) * LENGTH / np.sqrt(COLUMNS)
        X = rng.standard_normal((2 * ROWS, COLUMNS))
        law = np.where(np.arange(2 * ROWS) < ROWS - after, 0, 1)
        fields = (X * weights[law]).sum(1)
        y = (fields + rng.standard_normal(2 * ROWS) > 0).astype(int)
        errors.append(1 - model().fit(X[:ROWS], y[:ROWS]).score(X[ROWS:], y[ROWS:]))
    return float(np.mean(errors))


def delayed(model: Model, data: Data, delay: int) -> Figures:
    """Predict rows of a stream whose labels come so many rows late."""
    learner, step = model(), max(delay // 10, 1)
    known = np.arange(data.n_classes)
    P = np.full((len(data.y), data.n_classes), 1.0 / data.n_classes)
    for row in range(0, len(data.y), step):
        if row > delay:  # the oldest label of these rows is as late as that
            P[row : row + step] = learner.predict_proba(data.X[row : row + step])
        seen = slice(max(row - delay, 0), max(row + step - delay, 0))
        if seen.stop > seen.start:
            learner.partial_fit(data.X[seen], data.y[seen], classes=known)
    return figures(P[delay + step :], data.y[delay + step :])


def in_batches(model: Model, data: Data, rows: int) -> Figures:
    """Predict batches of so many rows, each learned as soon as it is predicted."""
    learner, known = model(), np.arange(data.n_classes)
    P = np.full((len(data.y), data.n_classes), 1.0 / data.n_classes)
    for row in range(0, len(data.y), rows):
        batch = slice(row, row + rows)
        if row:
            P[batch] = learner.predict_proba(data.X[batch])
        learner.partial_fit(data.X[batch], data.y[batch], classes=known)
    return figures(P[rows:], data.y[rows:])


def horizon(rows: int) -> Model:
    """Return the model for labels that come so many rows late."""
    return lambda: rb.BayesPerceptron(horizon=rows)


PROTOCOLS = {"{} rows late": delayed, "batches of {} rows": in_batches}


def next_row(data: Data) -> Figures:
    """Predict each row before it is learned."""
    known = np.arange(data.n_classes)
    P = rb.BayesPerceptron().predict_then_learn(data.X, data.y, classes=known)
    return figures(P, data.y)


def table(head: list[str], rows: list[list[object]]) -> str:
    """Return a table, with four digits."""
    cells = [head, ["---"] * len(head)]
    cells += [[f"{c:.4f}" if isinstance(c, float) else str(c) for c in r] for r in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)


def later_tables(streams: list[Data]) -> tuple[str, dict[str, dict[str, Figures]]]:
    """Return tables of later rows: at the last cut, and the means over all."""
    found = {
        (data.name, cut, name): later(model, data, cut)
        for data, cut, (name, model) in itertools.product(streams, CUTS, MODELS.items())
    }
    ends = {
        data.name: {name: found[data.name, LAST, name] for name in MODELS}
        for data in streams
    }
    rows = []
    for data in streams:
        size = f"{len(data.y)} x {data.X.shape[1]}, {data.n_classes}"
        each = [f"{f.error:.4f} / {f.auc:.3f}" for f in ends[data.name].values()]
        rows.append([data.name, size, *each])
    text = table(["stream", "rows x columns, classes", *MODELS], rows)
    means = [
        [name, *np.mean([f for key, f in found.items() if key[2] == name], axis=0)]
        for name in MODELS
    ]
    return f"{text}\n\n{table(['mean', *Figures._fields], means)}", ends


def shuffled_table(streams: list[Data]) -> str:
    """Return the log-loss of shuffled tables."""
    rows = [
        [
            data.name,
            *(later(m, data.shuffled(), LAST).log_loss for m in MODELS.values()),
        ]
        for data in streams
    ]
    rows.append(["**mean**", *np.mean([row[1:] for row in rows], axis=0)])
    return table(["shuffled, log-loss", *MODELS], rows)


def picture(ends: dict[str, dict[str, Figures]], path: Path) -> None:
    """Draw error and AUC of later rows, a line for each stream."""
    figure = Figure(figsize=(9, 1.3 + 0.33 * len(ends)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    places = np.arange(len(ends))[::-1]
    marks = dict(zip(MODELS, ("|", "D", "o"), strict=True))
    for ax, name in zip(axes, ("error", "auc"), strict=True):
        for learner, mark in marks.items():
            values = [getattr(found[learner], name) for found in ends.values()]
            ax.scatter(values, places, marker=mark, s=60, label=learner)
        ax.set_xlabel(f"{name} of the last 20% of the rows")
        ax.grid(alpha=0.3)
    axes[0].set_yticks(places, list(ends))
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Measure all, print the tables, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument(
        "--docs", action="store_true", help="write into docs/measured.json"
    )
    chosen = parser.parse_args()
    streams = [load() for load in (later_streams(chosen.data) | packaged()).values()]
    elec2 = next(data for data in streams if data.name == "Elec2")
    parts = {}
    parts["later rows"], ends = later_tables(streams)
    parts["later rows, shuffled"] = shuffled_table(streams)
    rows = [
        [name, *(changed(m, a) for a in (500, AFTER))] for name, m in MODELS.items()
    ]
    head = ["error after a change of", "500 rows before", f"{AFTER} rows before"]
    parts["later rows, changed"] = table(head, rows)
    rows = [
        [f"{name.format(h)}, horizon={g}", *predicted(horizon(g), elec2, h)]
        for name, predicted in PROTOCOLS.items()
        for h in DELAYS
        for g in (1, h)
    ]
    rows.append(["next row", *next_row(elec2)])
    parts["late labels"] = table(["Elec2", *Figures._fields], rows)
    OUT.mkdir(exist_ok=True)
    (OUT / "later.md").write_text("\n\n".join(parts.values()) + "\n")
    picture(ends, OUT / "later.png")
    for name, text in parts.items():
        print(f"{name}\n\n{text}\n")
        if chosen.docs:
            write_measured(name, text)
    if chosen.docs:
        picture(ends, GUIDE / "images" / "later.png")


if __name__ == "__main__":
    main()
