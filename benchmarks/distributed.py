"""Learning in pieces: loss of accuracy, bytes that are sent, rows that a core learns.

``python -m benchmarks.distributed losses`` compares models learned from 1 to 16 pieces
on real data; ``--docs`` writes the tables into the guide. ``sizes`` measures the
bytes of a model when it is sent, and the time to merge two models. ``speeds`` measures
the rows a second that a core learns, ``reading`` those that it reads from
Parquet. Times are CPU times of the process, since the machine may be shared.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.formatting import rounded
from benchmarks.measure import seconds
from benchmarks.page import write_measured
from benchmarks.real_data import real_data
from rosenblatt.training import Options
from rosenblatt.training.loop import Sources
from rosenblatt.training.record import Classify

PIECES = (1, 2, 4, 8, 16)
ORDERS = 5  # of each set, each with its own held-out third
DIMENSIONS = (100, 1000)
SIZE = 2**24  # entries of a table whose learning is timed
FULL = 2**28  # multiplications, roughly, where each row takes the square of its length

LEARNERS = {
    "BayesPerceptron()": rb.BayesPerceptron(),
    'BayesPerceptron("diagonal")': rb.BayesPerceptron("diagonal"),
    "OnlinePerceptron(max_iter=10)": rb.OnlinePerceptron(max_iter=10),
}
SENT = {
    "ClippedHebb()": rb.ClippedHebb(),
    "BinaryPerceptron()": rb.BinaryPerceptron(),
    'BayesPerceptron("diagonal")': rb.BayesPerceptron("diagonal"),
    "BayesPerceptron('full')": rb.BayesPerceptron("full"),
    "BayesPerceptron()": rb.BayesPerceptron(),
    "OnlinePerceptron()": rb.OnlinePerceptron(),
}


def _sets() -> Iterator[Data]:
    """Return the data sets once each; all are put in a random order anyway."""
    yield from (data for data in real_data() if "shuffled" not in data.name)


def _judged(model: object, data: Data, pieces: int, seed: int) -> tuple[float, float]:
    """Return error and log-loss on the rows that were held out."""
    data = data.shuffled(seed)
    held = len(data.y) // 3
    X, y = data.X[held:], data.y[held:]
    test = data.X[:held]
    if isinstance(model, rb.OnlinePerceptron):
        scaler = StandardScaler().fit(X)
        size = X.shape[1] ** 0.5
        X, test = scaler.transform(X) / size, scaler.transform(test) / size
    rows = np.array_split(np.arange(len(y)), pieces)
    found = rb.fit_parts(clone(model), [(X[r], y[r]) for r in rows])
    error = 1 - found.score(test, data.y[:held])
    if not hasattr(found, "predict_proba"):
        return error, np.nan
    shares = found.predict_proba(test)
    return error, log_loss(data.y[:held], shares, labels=found.classes_)


def losses() -> None:
    """Print what is lost on real data; ``--docs`` writes it into the guide too."""
    heads = " | ".join(["1 piece", *map(str, PIECES[1:])])
    means = [f"| model | {heads} |", "|---|" + "---|" * len(PIECES)]
    sets = [f"| data | rows learned | {heads} | change with {PIECES[-1]} |"]
    sets.append("|---|---|" + "---|" * (len(PIECES) + 1))
    for name, model in LEARNERS.items():
        every = []
        for data in _sets():
            found = np.array(
                [[_judged(model, data, p, s) for s in range(ORDERS)] for p in PIECES]
            )
            every.append(found.mean(axis=1))
            if model is LEARNERS["BayesPerceptron()"]:
                sets.append(_line(data, every[-1], found[-1, :, 0] - found[0, :, 0]))
        means.append(f"| `{name}` | {_cells(np.mean(every, axis=0))} |")
    first = f"Means over all {len(every)} data sets:"
    each = (
        "`BayesPerceptron()` for each data set, with the change of the error and its "
    )
    each += "standard error:"
    text = "\n\n".join([first, "\n".join(means), each, "\n".join(sets)])
    print(text)
    if "--docs" in sys.argv:
        write_measured("losses", text)


def _line(data: Data, means: np.ndarray, changes: np.ndarray) -> str:
    """Return the line of a data set."""
    change = 100 * changes.mean()
    spread = 100 * changes.std(ddof=1) / ORDERS**0.5
    last = f"{change:+.1f} \u00b1 {spread:.1f}"
    rows = len(data.y) - len(data.y) // 3
    return f"| {data.name} | {rows} | {_cells(means)} | {last} |"


def _cells(found: np.ndarray) -> str:
    """Return errors in % and log-losses, if there are any, by number of pieces."""
    return " | ".join(
        f"{100 * e:.1f}" + ("" if np.isnan(loss) else f", {loss:.3f}")
        for e, loss in found
    )


def _examples(rows: int, columns: int, kind: str) -> tuple[object, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns), dtype=np.float32)
    y = (X[:, 0] + X[:, 1] + rng.standard_normal(rows, dtype=np.float32) > 0).astype(
        int
    )
    if kind == "bits":
        return rb.bits.pack(X > 0), y
    if kind == "levels":
        return np.where(X > 0, 1.0, -1.0), y
    return X / np.float32(columns**0.5), y


def sizes() -> None:
    """Print how many bytes models have, and how long it takes to join two."""
    print("| model | columns | bytes sent | bytes of the file | ms to join two |")
    print("|---|---|---|---|---|")
    for name, model in SENT.items():
        kind = "levels" if name.startswith(("Clipped", "Binary")) else "numbers"
        for columns in DIMENSIONS:
            X, y = _examples(40, columns, kind)
            one = clone(model).fit(X[:20], y[:20])
            other = clone(model).fit(X[20:], y[20:])
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "m.safetensors"
                rb.save_model(one, path)
                stored = path.stat().st_size
            sent = len(pickle.dumps(one, protocol=5))
            if hasattr(model, "merge"):
                took = seconds(
                    lambda one=one, other=other: pickle.loads(pickle.dumps(one)).merge(
                        other
                    ),
                    5,
                    time.process_time,
                )
                join = rounded(1e3 * took, 2)
            else:
                join = "one addition"
            print(f"| {name} | {columns} | {sent} | {stored} | {join} |", flush=True)


def speeds() -> None:
    """Print how many rows a core learns in a second, through public methods."""
    print("| model | rows | columns | rows/s of one core | ns a row |")
    print("|---|---|---|---|---|")
    for name, kind, model in (
        ("ClippedHebb(), packed bits", "bits", rb.ClippedHebb()),
        ("BinaryPerceptron(), packed bits", "bits", rb.BinaryPerceptron()),
        ("BayesPerceptron('diagonal')", "numbers", rb.BayesPerceptron("diagonal")),
        ("BayesPerceptron('full')", "numbers", rb.BayesPerceptron("full")),
        ("BayesPerceptron()", "numbers", rb.BayesPerceptron()),
        ("OnlinePerceptron()", "numbers", rb.OnlinePerceptron()),
    ):
        for columns in DIMENSIONS:
            square = "full" in name or (name == "BayesPerceptron()" and columns < 512)
            rows = FULL // columns**2 if square else SIZE // columns
            X, y = _examples(rows, columns, kind)
            if kind == "bits":  # more of them, so that a time is measured at all
                X, y = X[np.tile(np.arange(len(X)), 16)], np.tile(y, 16)
            clone(model).partial_fit(X[:8], y[:8], classes=[0, 1])  # is compiled

            def learn(model: object = model, X: object = X, y: object = y) -> None:
                clone(model).partial_fit(X, y, classes=[0, 1])

            took = seconds(learn, 3, time.process_time) / len(y)
            print(
                f"| {name} | {len(y)} | {columns} | {rounded(1 / took, 2)} | "
                f"{rounded(1e9 * took)} |"
            )


def reading() -> None:
    """Print how many rows of Parquet a core reads in a second."""
    with tempfile.TemporaryDirectory() as folder:
        for columns in DIMENSIONS:
            rows = 2**24 // columns
            X, y = _examples(rows, columns, "numbers")
            table = {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(columns)}
            path = Path(folder) / "rows.parquet"
            pyarrow.parquet.write_table(pyarrow.table(table | {"y": y}), path)
            given = Options(files=(str(path),), target="y", classes=("0", "1"))
            sources = Sources(given)

            def read(sources: Sources = sources) -> None:
                for _ in sources.batches(sources.first[1], Classify(("0", "1"))):
                    pass

            took = seconds(read, 3, time.process_time) / rows
            size = path.stat().st_size / rows
            print(
                f"| Parquet, float32 | {rows} | {columns} | {rounded(1 / took, 2)} | "
                f"{rounded(1e9 * took)} | {size:.0f} bytes a row"
            )


def main() -> None:
    """Print what the command line asks for."""
    known: dict[str, Callable[[], None]] = {
        "losses": losses,
        "sizes": sizes,
        "speeds": speeds,
        "reading": reading,
    }
    warnings.simplefilter("ignore")  # of searches without end, on random labels
    asked = [name for name in sys.argv[1:] if name != "--docs"]
    for name in asked or known:
        known[name]()


if __name__ == "__main__":
    main()
