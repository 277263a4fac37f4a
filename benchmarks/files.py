"""Learning from a Parquet file, against the same batches in memory."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet

import rosenblatt as rb
from benchmarks.measure import Row
from rosenblatt.training.kinds import make

COLUMNS = 100
ROWS = 2**20
BATCH = 2**13
REPEATS = 2
MODELS = ("bayes", "bayes-diagonal", "perceptron")


def _write(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Write a file as pyarrow does it by default, and return what is in it."""
    random = np.random.default_rng(0)
    X = random.standard_normal((ROWS, COLUMNS), dtype=np.float32)
    noise = 3 * random.standard_normal(ROWS, dtype=np.float32)
    y = (X @ random.standard_normal(COLUMNS, dtype=np.float32) + noise > 0).astype(int)
    columns = {f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return X, y


def _memory(model: str, X: np.ndarray, y: np.ndarray) -> float:
    """Return the time that batches in memory take."""
    learner = make(model)
    began = time.perf_counter()
    for first in range(0, len(X), BATCH):
        part = slice(first, first + BATCH)
        learner.partial_fit(X[part], y[part], classes=[0, 1])
    return time.perf_counter() - began


def _file(model: str, path: Path) -> float:
    """Return the time that the same rows in a file take, from opening to the end."""
    began = time.perf_counter()
    trained = rb.train(
        path, "y", model=model, classes=[0, 1], standardise=False, batch_rows=BATCH
    )
    taken = time.perf_counter() - began
    assert trained.record.rows == ROWS
    return taken


def parquet() -> Iterator[Row]:
    """Compare learning from Parquet with learning from memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        X, y = _write(path)
        for model in MODELS:
            _memory(model, X[:BATCH], y[:BATCH])  # compiled code is loaded now
            pairs = [(_memory(model, X, y), _file(model, path)) for _ in range(REPEATS)]
            memory, file = (min(times) for times in zip(*pairs, strict=True))
            yield Row(
                f"train {model} on Parquet, {COLUMNS} float32 columns, {ROWS} rows",
                f"{memory / file:.2f} of partial_fit in memory "
                f"({ROWS / file:.3g} and {ROWS / memory:.3g} rows a second)",
                ">= 0.5",
                memory / file >= 0.5,
            )
