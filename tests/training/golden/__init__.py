"""A model file with its record, which must load.

``python -m tests.training.golden`` writes that of the present version, once.
"""

import io
from pathlib import Path

import numpy as np

import rosenblatt as rb

FOLDER = Path(__file__).parent


def table(path: Path, rows: int = 60) -> Path:
    """Write a table with numbers, gaps and categories, the same every time."""
    random = np.random.default_rng(2)
    text = io.StringIO()
    text.write("size,weight,side,won\n")
    for i in range(rows):
        size, weight = random.integers(-9, 10, 2)
        side = ("left", "right", "")[random.integers(3)]
        gap = "" if i % 7 == 3 else weight
        text.write(f"{size},{gap},{side},{'yes' if size + weight > 0 else 'no'}\n")
    path.write_text(text.getvalue())
    return path


def write(path: Path, folder: Path) -> None:
    """Train on the table and keep the model, with all that belongs to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rb.train(
        table(folder / "table.csv"), "won", model="bayes:covariance=diagonal", save=path
    )
