"""Curved boundaries beside lines, forests, neighbours, networks and boosted trees.

Run ``python -m benchmarks.curved --data FOLDER`` (extra ``bench``). All learners have
the settings below, whatever the stream, and predict each row before they learn it. The
first 5,000 rows of each stream are used, since some peers take milliseconds a row.
Whole streams, and later rows, are compared for both boundaries only. Results are kept
in ``bench/curved.json``, and a later run measures what is missing; ``--fresh`` forgets
them. ``--docs`` writes the tables into the guide.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from river import ensemble, forest
from scipy.spatial.distance import cdist
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.later import later, table
from benchmarks.page import write_measured
from benchmarks.real_data import real_data
from benchmarks.scores import Score
from benchmarks.streams.archives import archived, default_folder, later_streams
from benchmarks.streams.packaged import packaged
from benchmarks.streams.protocol import Learner, Pass, measure
from benchmarks.streams.river import begin
from benchmarks.streams.store import load, save

OUT = Path("bench")
ROWS = 5000
STREAMS = "Bananas", "ImageSegments", "Phishing", "Weather", "Elec2"  # and more:
MORE, TABLES = ("Satimage", "Squares", "Bank"), ("digits",)
LATER = "Weather", "Elec2", "Census", "Flights"
NEIGHBOURS, BLOCK = 5, 250
RATES = 1e-3, 3e-3, 1e-2  # of the network
FIRST, GROWTH = 50, 1.5  # rows at which trees are fitted, and refitted


def ours(boundary: str, data: Data) -> Pass:
    """Return the pass of a BayesPerceptron with defaults."""
    known = np.arange(data.n_classes)
    few = data.first(100)
    model = rb.BayesPerceptron(boundary=boundary)
    model.predict_then_learn(few.X, few.y, classes=known)  # compiles
    model = rb.BayesPerceptron(boundary=boundary)
    return lambda: model.predict_then_learn(data.X, data.y, classes=known)


def neighbours(data: Data) -> Pass:
    """Return the votes of the nearest of all rows before, one more for each class."""

    def votes() -> np.ndarray:
        P = np.ones((len(data.y), data.n_classes))
        for first in range(0, len(P), BLOCK):
            rows = np.arange(first, min(first + BLOCK, len(P)))
            apart = cdist(data.X[rows], data.X[: rows[-1] + 1])
            apart[np.arange(apart.shape[1]) >= rows[:, None]] = np.inf
            near = np.argsort(apart, axis=1)[:, :NEIGHBOURS]
            seen = near < rows[:, None]
            for vote, known in zip(near.T, seen.T, strict=True):
                P[rows[known], data.y[vote[known]]] += data.n_classes
        return P / P.sum(axis=1, keepdims=True)

    return votes


def networks(data: Data) -> Pass:
    """Return the predictions of networks with several rates; the best one counts."""
    known = np.arange(data.n_classes)

    def learn(rate: float) -> np.ndarray:
        network = MLPClassifier(learning_rate_init=rate, random_state=0)
        P = np.full((len(data.y), data.n_classes), 1.0 / data.n_classes)
        for i, (x, y) in enumerate(zip(data.X, data.y, strict=True)):
            if i:
                P[i] = network.predict_proba(x[None])
            network.partial_fit(x[None], y[None], classes=known)
        return P

    return lambda: np.stack([learn(rate) for rate in RATES])


def boosting(data: Data) -> Pass:
    """Return the predictions of trees that are refitted whenever rows grow by half."""

    def learn() -> np.ndarray:
        P = np.full((len(data.y), data.n_classes), 1.0 / data.n_classes)
        first = FIRST
        while first < len(P):
            stop = min(int(GROWTH * first), len(P))
            known, P[first:stop] = np.unique(data.y[:first]), 0.0
            if len(known) == 1:  # trees would have two
                P[first:stop, known] = 1.0
            else:
                trees = HistGradientBoostingClassifier(random_state=0)
                with threadpool_limits(1):
                    trees.fit(data.X[:first], data.y[:first])
                    P[first:stop, known] = trees.predict_proba(data.X[first:stop])
            first = stop
        return P

    return learn


def learners() -> list[Learner]:
    """Return all learners, with settings that do not depend on the stream."""
    forests = {
        "adaptive random forest": lambda: forest.ARFClassifier(n_models=10, seed=1),
        "Mondrian forest": lambda: forest.AMFClassifier(n_estimators=10, seed=1),
        "streaming random patches": lambda: ensemble.SRPClassifier(n_models=10, seed=1),
    }
    return [
        Learner("curved", partial(ours, "curved")),
        Learner("linear", partial(ours, "linear")),
        Learner("boosted trees, refitted", boosting),
        Learner(f"{NEIGHBOURS} neighbours", neighbours, scaled=True),
        Learner("network, best of 3 rates", networks, scaled=True),
        *(Learner(f"River {name}", begin(make)) for name, make in forests.items()),
    ]


def streams(folder: Path) -> dict[str, Callable[[], Data]]:
    """Return loaders of the streams, whole ones."""
    known = archived(folder) | packaged()
    tables = {data.name: data for data in real_data() if data.name in TABLES}
    return {name: known[name] for name in (*STREAMS, *MORE)} | {
        name: partial(tables.__getitem__, name) for name in TABLES
    }


def peers_tables(loaders: dict[str, Callable[[], Data]], fresh: bool) -> list[str]:
    """Return tables of errors, log-losses and times of all learners."""
    store, each = OUT / "curved.json", learners()
    kept = {} if fresh else load(store)
    for name, loader in loaders.items():
        data = loader().first(ROWS)
        scaled, found = None, kept.setdefault(name, {})
        for learner in each:
            if learner.name in found:
                continue
            scaled = scaled or data.standardised()
            found[learner.name] = measure(learner, data, scaled)
            print(name, learner.name, found[learner.name], flush=True)
            save(kept, store)
    tables = []
    for title in ("error", "log_loss"):
        rows = []
        for one in each:
            values = [getattr(kept[n][one.name].score, title) for n in kept]
            rows.append([one.name, *values, float(np.mean(values))])
        head = [title.replace("_", "-"), *kept, "mean"]
        tables.append(table(head, rows))
    rows = [
        [one.name, *(f"{kept[n][one.name].microseconds:.0f}" for n in kept)]
        for one in each
    ]
    tables.append(table(["microseconds a row", *kept], rows))
    return tables


def whole_table(loaders: dict[str, Callable[[], Data]]) -> str:
    """Return errors and log-losses of whole streams, each row as the next one."""
    rows = []
    for name, loader in loaders.items():
        data = loader()
        cells = [name, f"{len(data.y)} x {data.X.shape[1]}, {data.n_classes}"]
        for boundary in ("linear", "curved"):
            score = Score.of(ours(boundary, data)(), data.y)
            cells.append(f"{score.error:.4f} / {score.log_loss:.4f}")
        rows.append(cells)
    head = ["next row: error / log-loss", "rows x columns, classes"]
    return table([*head, "linear", "curved"], rows)


def later_table(folder: Path) -> str:
    """Return errors and AUC of the last fifth of streams, from a fit of the rest."""
    rows = []
    for name in LATER:
        data = later_streams(folder)[name]()
        cells = [name]
        for boundary in ("linear", "curved"):
            model = partial(rb.BayesPerceptron, boundary=boundary)
            found = later(model, data, 0.8)
            cells.append(f"{found.error:.4f} / {found.auc:.3f}")
        rows.append(cells)
    return table(["later rows: error / AUC", "linear", "curved"], rows)


def main() -> None:
    """Measure what is missing, print the tables, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--docs", action="store_true", help="write into the guide")
    chosen = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    loaders = streams(chosen.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scikit-learn, about single rows
        tables = peers_tables(loaders, chosen.fresh)
    tables += [whole_table(loaders), later_table(chosen.data)]
    text = "\n\n".join(tables)
    (OUT / "curved.md").write_text(text + "\n")
    print(text)
    if chosen.docs:
        write_measured("curved", text)


if __name__ == "__main__":
    main()
