"""Small sets of points of two classes: bundled, drawn or uploaded."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn import datasets

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.bhattacharya1995.problems import LINEAR, SEED

__all__ = [
    "BUNDLED",
    "BYTES",
    "DRAWN",
    "LARGEST",
    "REACH",
    "Points",
    "bundled",
    "own",
    "read_csv",
    "read_points",
    "write_points",
]

LARGEST = 1000  # points
COLUMNS = 100  # of a file
BYTES = 500_000  # of a file
DRAWN = "drawn"  # the name of what a visitor has made
_HUGE = 1e150  # squares of more are infinite
REACH = 50.0  # how far out a point may be: of 1000, none is 32 deviations away
_DIGITS = 4  # after the point: what is shown is what an address can say
_DRAWN = 300  # examples of a paper's classes: enough to see them


class Points(NamedTuple):
    """Points in the plane with labels 0 and 1, and a word on where they come from."""

    X: FloatArray
    y: IntArray
    about: str = ""


def _in_plane(X: FloatArray, y: IntArray, names: str) -> Points:
    """Standardise columns; of more than two take the two directions of most spread."""
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    if X.shape[1] == 1:
        X = np.column_stack([X, np.zeros(len(X))])
    if X.shape[1] > 2:
        _, _, axes = np.linalg.svd(X, full_matrices=False)
        count, X = X.shape[1], X @ axes[:2].T
        X = X / X.std(axis=0).clip(1e-12)
        names += f", the two directions of {count} columns that vary most"
    return Points(X, y, f"{names}, in standard deviations")


def _iris(first: int, second: int, names: str) -> Points:
    X, y = datasets.load_iris(return_X_y=True)
    chosen = (y == first) | (y == second)
    return _in_plane(X[chosen][:, 2:], (y[chosen] == second).astype(np.int64), names)


def _cancer() -> Points:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return _in_plane(X, y.astype(np.int64), "569 tumours, malignant and benign")


def _clouds(apart: float) -> Points:
    rng = np.random.default_rng(1958)  # the year of the perceptron
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 2)) * 0.6 + np.outer(2 * y - 1, [apart, apart / 2])
    return Points(X, y, "two Gaussian clouds")


def _xor() -> Points:
    rng = np.random.default_rng(1969)  # the year of the book against it
    X = rng.choice([-0.9, 0.9], size=(120, 2)) + rng.normal(size=(120, 2)) * 0.25
    return Points(X, (X[:, 0] * X[:, 1] > 0).astype(np.int64), "exclusive or")


def _classes(sigma: int) -> Points:
    """Return classes of :cite:t:`bhattacharya1995`, section 4.1."""
    features, labels = LINEAR[sigma].stream.draw(_DRAWN, SEED)
    about = f"Gaussian classes of bhattacharya1995, sigma = {sigma}"
    return _in_plane(features[:, :2], (labels > 0).astype(np.int64), about)


def _moons() -> Points:
    X, y = datasets.make_moons(120, noise=0.12, random_state=0)
    return _in_plane(X, y.astype(np.int64), "two moons")


BUNDLED: dict[str, tuple[str, Callable[[], Points]]] = {
    "iris": (
        "irises: setosa, versicolor",
        lambda: _iris(0, 1, "length and width of petals"),
    ),
    "iris-hard": (
        "irises: versicolor, virginica",
        lambda: _iris(1, 2, "length and width of petals"),
    ),
    "cancer": ("breast tumours", _cancer),
    "clouds": ("clouds, far apart", lambda: _clouds(1.5)),
    "clouds-near": ("clouds that overlap", lambda: _clouds(0.6)),
    "bhattacharya-5": ("bhattacharya1995, figure 1a", lambda: _classes(5)),
    "bhattacharya-15": ("bhattacharya1995, figure 1b", lambda: _classes(15)),
    "bhattacharya-25": ("bhattacharya1995, figure 1c", lambda: _classes(25)),
    "xor": ("exclusive or", _xor),
    "moons": ("moons", _moons),
}


def bundled(name: str) -> Points:
    """Return a set by its name.

    Examples
    --------
    >>> bundled("iris").X.shape
    (100, 2)
    """
    if name not in BUNDLED:
        raise ValueError(f"data must be one of {', '.join(BUNDLED)}, got {name!r}")
    return BUNDLED[name][1]()


def own(X: FloatArray, y: IntArray, about: str = "your own points") -> Points:
    """Return points of a visitor, with no more digits than an address has.

    Examples
    --------
    >>> own(np.array([[1 / 3, 60.0]]), np.array([1])).X
    array([[ 0.3333, 50.    ]])
    """
    return Points(np.clip(X, -REACH, REACH).round(_DIGITS), y, about)


def read_points(text: str) -> Points:
    """Return points from an address: x,y,class;...

    Examples
    --------
    >>> read_points("0.5,1,0;-1,2,1").y
    array([0, 1])
    """
    rows = [piece.split(",") for piece in text.split(";") if piece]
    if len(rows) > LARGEST:
        raise ValueError(f"points must be {LARGEST} at most, got {len(rows)}")
    try:
        table = np.array([[float(v) for v in row] for row in rows]).reshape(-1, 3)
    except ValueError:
        raise ValueError("points must be x,y,class;x,y,class;...") from None
    X, y = table[:, :2], table[:, 2]
    if not (np.abs(X) <= REACH).all() or not np.isin(y, [0, 1]).all():
        raise ValueError(f"points must be within {REACH:g}, of the classes 0 and 1")
    return own(X, y.astype(np.int64))


def write_points(points: Points) -> str:
    """Return points as they stand in an address.

    Examples
    --------
    >>> write_points(read_points("0.5,1,0;-1,2.00001,1"))
    '0.5,1,0;-1,2,1'
    """
    return ";".join(
        f"{round(x, _DIGITS):.8g},{round(y, _DIGITS):.8g},{label}"
        for (x, y), label in zip(points.X.tolist(), points.y.tolist(), strict=True)
    )


def _numbers(row: list[str]) -> list[float] | None:
    try:
        found = [float(cell) for cell in row]
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def read_csv(content: bytes) -> Points:
    r"""Return the points of a file: columns of numbers, the last column the class.

    Examples
    --------
    >>> found = read_csv(b"width,height,kind\n1,2,a\n3,4,b\n5,7,b\n")
    >>> found.y
    array([0, 1, 1])
    """
    if len(content) > BYTES:
        raise ValueError(f"a file must have {BYTES} bytes at most, and {LARGEST} rows")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("a file must be CSV, as text in UTF-8") from None
    try:
        lines = list(csv.reader(io.StringIO(text)))
    except csv.Error as failure:
        raise ValueError(f"a file must be CSV: {failure}") from None
    table = [row for row in lines if any(map(str.strip, row))]
    if table and _numbers(table[0][:-1]) is None:
        table = table[1:]  # a heading
    if not table or not 2 <= len(table[0]) <= COLUMNS + 1:
        raise ValueError(
            f"a file must have rows of 1 to {COLUMNS} numbers and then the class, "
            "with commas between them"
        )
    if len(table) > LARGEST:
        raise ValueError(f"a file must have {LARGEST} rows at most, got {len(table)}")
    rows = []
    for line, row in enumerate(table, start=1):
        found = _numbers(row[:-1])
        if found is None or len(row) != len(table[0]):
            raise ValueError(
                f"row {line} must have {len(table[0]) - 1} numbers and then the class"
            )
        rows.append(found)
    labels = [row[-1].strip() for row in table]
    classes = sorted(set(labels))
    if len(classes) != 2:
        raise ValueError(f"the last column must have two classes, got {len(classes)}")
    X = np.array(rows)
    if np.abs(X).max() > _HUGE:
        raise ValueError(f"a file must have numbers below {_HUGE:g}")
    y = np.array([classes.index(label) for label in labels])
    return own(*_in_plane(X, y, "your file"))
