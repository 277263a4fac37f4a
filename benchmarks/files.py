"""Learning from files, against the same batches in memory.

Each figure has two upper limits from the same run, in rows a second. pyarrow alone
decodes batches of the same size. Memory is copied to memory while a model learns.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

import rosenblatt as rb
from benchmarks.formatting import rounded
from benchmarks.measure import Row, seconds
from rosenblatt.tables.reading import choose, open_table
from rosenblatt.training.options import make

COLUMNS = 100
ROWS = 2**20
BATCH = 2**13
REPEATS = 3
# What pyarrow writes by default has dictionaries, until they are full, and Snappy.
WRITTEN: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "as pyarrow writes it by default": (
        {},
        ("bayes", "bayes-diagonal", "perceptron"),
    ),
    "Zstandard": ({"compression": "zstd"}, ("bayes-diagonal",)),
}


def _made() -> tuple[np.ndarray, np.ndarray, pyarrow.Table]:
    """Return rows, labels, and both as a table."""
    random = np.random.default_rng(0)
    X = random.standard_normal((ROWS, COLUMNS), dtype=np.float32)
    noise = 3 * random.standard_normal(ROWS, dtype=np.float32)
    y = (X @ random.standard_normal(COLUMNS, dtype=np.float32) + noise > 0).astype(int)
    columns = {f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y}
    return X, y, pyarrow.table(columns)


def _memory(model: str, X: np.ndarray, y: np.ndarray) -> None:
    """Learn batches in memory."""
    learner = make(model)
    for first in range(0, len(X), BATCH):
        part = slice(first, first + BATCH)
        learner.partial_fit(X[part], y[part], classes=[0, 1])


def _file(model: str, path: Path, target: str) -> None:
    """Learn the same rows from a file, from opening it to the end."""
    learned = rb.train(path, target, model=model, classes=[0, 1], batch_rows=BATCH)
    assert rb.training.report(learned)["rows"] == ROWS


def _decoded(path: Path) -> None:
    """Let pyarrow alone decode a file, and do nothing with it."""
    with pyarrow.parquet.ParquetFile(path, memory_map=True) as file:
        for _ in file.iter_batches(BATCH):
            pass


def _copied(X: np.ndarray) -> None:
    """Copy all rows, a batch after the other, to a place that is in the cache."""
    place = np.empty((BATCH, COLUMNS), X.dtype)
    for first in range(0, len(X), BATCH):
        np.copyto(place, X[first : first + BATCH])


def _timed(work: Callable[[], None], repeats: int = REPEATS) -> float:
    return seconds(work, repeats, time.perf_counter)


def _row(
    model: str,
    path: Path,
    target: str,
    X: np.ndarray,
    y: np.ndarray,
    what: str,
    alone: float,
    goal: float | None,
) -> Row:
    """Compare a file with memory, in turns."""
    _memory(model, X[:BATCH], y[:BATCH])  # compiled code is loaded now
    pairs = [
        (
            _timed(lambda: _memory(model, X, y), 1),
            _timed(lambda: _file(model, path, target), 1),
        )
        for _ in range(1 if model == "bayes" else REPEATS)
    ]
    memory, file = (min(times) for times in zip(*pairs, strict=True))
    limits = f"pyarrow alone {rounded(ROWS / alone)}, " if alone else ""
    copy = _timed(lambda: _copied(X))
    return Row(
        f"train {model} on {what}, {COLUMNS} float32 columns, {ROWS} rows",
        f"{memory / file:.2f} of partial_fit in memory ({rounded(ROWS / file)} and "
        f"{rounded(ROWS / memory)} rows a second; {limits}a copy "
        f"{rounded(ROWS / copy)})",
        "" if goal is None else f">= {goal}",
        goal is None or memory / file >= goal,
    )


def _read(path: Path) -> None:
    """Read all rows of a file as numbers, a batch after the other."""
    table = open_table(str(path))
    columns = None
    for piece in table.pieces(0, BATCH):
        columns = columns or choose(table.name, table.kinds(piece), {}, "y")[0]
        table.parse(piece, columns)


def reading() -> Iterator[Row]:
    """Compare reading of files with pyarrow, in processor time of all threads."""
    readers: dict[str, Callable[[Path], object]] = {
        "rows.csv": pyarrow.csv.read_csv,
        "rows.parquet": pyarrow.parquet.read_table,
        "rows.arrow": lambda path: pyarrow.ipc.open_file(str(path)).read_all(),
    }
    X, y, _ = _made()
    for width, rows in ((20, 2**17), (COLUMNS, 2**15)):
        names = {f"x{j}": X[:rows, j] for j in range(width)}
        table = pyarrow.table(names | {"y": y[:rows]})
        with tempfile.TemporaryDirectory() as folder:
            for name, alone in readers.items():
                path = Path(folder) / name
                if path.suffix == ".csv":
                    pyarrow.csv.write_csv(table, path)
                elif path.suffix == ".parquet":
                    pyarrow.parquet.write_table(table, path)
                else:
                    with pyarrow.ipc.new_file(str(path), table.schema) as file:
                        file.write_table(table, max_chunksize=2**16)
                works = [partial(read, path) for read in (_read, alone)]
                pairs = [
                    [seconds(work, 1, time.process_time) for work in works]
                    for _ in range(2 * REPEATS)
                ]
                own, other = (min(times) / rows for times in zip(*pairs, strict=True))
                yield Row(
                    f"reading {path.suffix[1:]}, {width} float32 columns",
                    f"{own * 1e9:.0f} ns of processor time a row, pyarrow's own "
                    f"read_table {other * 1e9:.0f}",
                )


def parquet() -> Iterator[Row]:
    """Compare learning from Parquet with learning from memory."""
    X, y, table = _made()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        for what, (options, models) in WRITTEN.items():
            pyarrow.parquet.write_table(table, path, **options)
            alone = _timed(lambda: _decoded(path))
            for model in models:
                name = f"Parquet ({what})"
                yield _row(model, path, "y", X, y, name, alone, None)


def frames() -> Iterator[Row]:
    """Compare ``fit`` on a DataFrame with ``fit`` on the matrix of its encoder."""
    random, rows = np.random.default_rng(0), 300_000
    numbers = {f"x{j}": random.standard_normal(rows) for j in range(10)}
    words = {f"c{j}": random.choice(list("abcdef"), rows) for j in range(5)}
    frame = pd.DataFrame(numbers | words)
    y = frame["x0"] + (frame["c0"] == "a") + random.standard_normal(rows) > 0
    matrix = rb.TableEncoder().fit_transform(frame)
    works = [partial(rb.BayesPerceptron().fit, given, y) for given in (frame, matrix)]
    pairs = [
        [seconds(work, 1, time.process_time) for work in works] for _ in range(REPEATS)
    ]
    own, other = (min(times) for times in zip(*pairs, strict=True))
    yield Row(
        f"`fit` on a DataFrame, 10 numbers and 5 categories, {rows:,} rows",
        f"{own / other:.2f} times `fit` on the matrix that `TableEncoder` makes of it",
        "<= 1.5 times",
        own <= 1.5 * other,
    )


def others() -> Iterator[Row]:
    """Compare learning from Arrow files with learning from memory."""
    X, y, table = _made()
    with tempfile.TemporaryDirectory() as folder:
        arrow = Path(folder) / "rows.arrow"
        with pyarrow.ipc.new_file(str(arrow), table.schema) as file:
            file.write_table(table, max_chunksize=2**16)
        for model in ("bayes-diagonal", "perceptron"):
            yield _row(model, arrow, "y", X, y, "Arrow", 0.0, None)
