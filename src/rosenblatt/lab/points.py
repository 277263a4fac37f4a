"""Points of two classes, and learners that see them one by one."""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import rosenblatt as rb
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.bhattacharya1995.problems import LINEAR, SEED
from rosenblatt.tables.encoder import TableEncoder

BYTES = 500_000  # of a file
DRAWN = "drawn"  # the name of a visitor's own points
READY = threading.Event()  # set once the learners are compiled
_LARGEST = 1000  # points
_COLUMNS = 100  # of a file
_REACH = 50.0  # largest coordinate: of 1000 points none is 32 deviations away
_HUGE = 1e150  # squares of more are infinite
_DIGITS = 4  # after the point, as in an address
_PASSES = 20  # that the perceptron rule may take to separate points
LEARNERS: dict[str, Any] = {
    "perceptron": rb.OnlinePerceptron(rb.rules.Perceptron()),
    "margin": rb.OnlinePerceptron(rb.rules.Perceptron(margin=1.0)),
    "passive-aggressive": rb.OnlinePerceptron(rb.rules.PassiveAggressive()),
    "hebb": rb.OnlinePerceptron(rb.rules.Hebb()),
    "falling": rb.OnlinePerceptron(rb.rules.Perceptron(), rb.schedules.Power()),
    "slowly-falling": rb.OnlinePerceptron(
        rb.rules.Perceptron(), rb.schedules.Power(1.0, 0.51)
    ),
    "per-mistake": rb.OnlinePerceptron(
        rb.rules.Perceptron(), rb.schedules.PerMistake()
    ),
    "gradient": rb.GradientPerceptron(),
    "bayes": rb.BayesPerceptron(covariance="full"),
    "bayes-spherical": rb.BayesPerceptron(covariance="spherical"),
    "bayes-curved": rb.BayesPerceptron(boundary="curved"),
    "binary-bayes": rb.BinaryBayesPerceptron(),
}


# ---- sets of points


class Points(NamedTuple):
    """Points in the plane with labels 0 and 1, and a word on where they come from."""

    X: FloatArray
    y: IntArray
    about: str = ""


def _in_plane(X: FloatArray, y: Any, about: str) -> Points:
    """Standardise columns; of more than two take the two directions of most spread."""
    X = StandardScaler().fit_transform(X)
    if X.shape[1] == 1:
        X = np.column_stack([X, np.zeros(len(X))])
    if X.shape[1] > 2:
        about += f", the two directions of {X.shape[1]} columns that vary most"
        X = PCA(2, whiten=True, svd_solver="full").fit_transform(X)
    return Points(X, np.asarray(y, np.int64), f"{about}, in standard deviations")


def _iris(first: int) -> Points:
    X, y = datasets.load_iris(return_X_y=True)
    chosen = (y == first) | (y == first + 1)
    return _in_plane(X[chosen][:, 2:], y[chosen] > first, "length and width of petals")


def _cancer() -> Points:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return _in_plane(X, y, "569 tumours, malignant and benign")


def _clouds(apart: float) -> Points:
    ends = np.outer([-apart, apart], [1.0, 0.5])
    # the year of the perceptron
    X, y = datasets.make_blobs(120, centers=ends, cluster_std=0.6, random_state=1958)
    return Points(X, y, "two Gaussian clouds")


def _classes(sigma: int) -> Points:
    """Return classes of :cite:t:`bhattacharya1995`, section 4.1."""
    features, labels = LINEAR[sigma].stream.draw(300, SEED)
    about = f"Gaussian classes of bhattacharya1995, sigma = {sigma}"
    return _in_plane(features[:, :2], labels > 0, about)


def _xor() -> Points:
    rng = np.random.default_rng(1969)  # the year of the book against it
    X = rng.choice([-0.9, 0.9], size=(120, 2)) + rng.normal(size=(120, 2)) * 0.25
    return Points(X, (X[:, 0] * X[:, 1] > 0).astype(np.int64), "exclusive or")


def _moons() -> Points:
    X, y = datasets.make_moons(120, noise=0.12, random_state=0)
    return _in_plane(X, y, "two moons")


BUNDLED: dict[str, tuple[str, Callable[[], Points]]] = {
    "iris": ("irises: setosa, versicolor", partial(_iris, 0)),
    "iris-hard": ("irises: versicolor, virginica", partial(_iris, 1)),
    "cancer": ("breast tumours", _cancer),
    "clouds": ("clouds, far apart", partial(_clouds, 1.5)),
    "clouds-near": ("clouds that overlap", partial(_clouds, 0.6)),
    "bhattacharya-5": ("bhattacharya1995, figure 1a", partial(_classes, 5)),
    "bhattacharya-15": ("bhattacharya1995, figure 1b", partial(_classes, 15)),
    "bhattacharya-25": ("bhattacharya1995, figure 1c", partial(_classes, 25)),
    "xor": ("exclusive or", _xor),
    "moons": ("moons", _moons),
}


def own(X: FloatArray, y: IntArray, about: str = "your points") -> Points:
    """Return points of a visitor, with no more digits than an address has.

    Examples
    --------
    >>> own(np.array([[1 / 3, 60.0]]), np.array([1])).X
    array([[ 0.3333, 50.    ]])
    """
    if len(y) > _LARGEST:
        raise ValueError(f"points must be {_LARGEST} at most, got {len(y)}")
    return Points(np.clip(X, -_REACH, _REACH).round(_DIGITS), y, about)


def read_points(text: str) -> Points:
    """Return points from an address: x,y,class;...

    Examples
    --------
    >>> read_points("0.5,1,0;-1,2,1").y
    array([0, 1])
    """
    rows = [piece.split(",") for piece in text.split(";") if piece]
    try:
        table = np.array([[float(v) for v in row] for row in rows]).reshape(-1, 3)
    except ValueError:
        raise ValueError("points must be x,y,class;x,y,class;...") from None
    X, y = table[:, :2], table[:, 2]
    if not (np.abs(X) <= _REACH).all() or not np.isin(y, [0, 1]).all():
        raise ValueError(f"points must be within {_REACH:g}, of the classes 0 and 1")
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


def read_csv(content: bytes) -> Points:
    r"""Return the points of a table with a heading; the last column is the class.

    Columns are encoded as in training: numbers, categories and missing entries.

    Examples
    --------
    >>> read_csv(b"width,height,kind\n1,2,a\n3,,b\n5,7,b\n").y
    array([0, 1, 1])
    """
    if len(content) > BYTES:
        raise ValueError(f"a file must have {BYTES} bytes at most, and {_LARGEST} rows")
    try:
        table = pd.read_csv(io.BytesIO(content), nrows=_LARGEST + 1)
        wide_enough = 2 <= table.shape[1] <= _COLUMNS + 1
    except ValueError as failure:
        raise ValueError(f"a file must be CSV in UTF-8: {failure}") from None
    if not wide_enough or not 1 <= len(table) <= _LARGEST:
        raise ValueError(
            f"a file must have a heading, at most {_LARGEST} rows, 1 to {_COLUMNS} "
            f"columns and then the class, got {len(table)} rows, {table.shape[1]} "
            "columns"
        )
    classes, y = np.unique(table.iloc[:, -1].astype(str), return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"the last column must have two classes, got {len(classes)}")
    X = np.asarray(TableEncoder().fit_transform(table.iloc[:, :-1]), float)
    if not np.abs(X).max() < _HUGE:
        raise ValueError(f"a file must have numbers below {_HUGE:g}")
    return own(*_in_plane(X, y, "your file"))


# ---- learners


class LearningRun:
    """A learner, points in some order, and counts so far.

    Examples
    --------
    >>> run = LearningRun(BUNDLED["iris"][1](), "perceptron", order=0)
    >>> run.step(200)
    >>> run.seen, run.wrong
    (200, 0)
    """

    def __init__(self, points: Points, learner: str, order: int) -> None:
        self.points = points
        self.model = clone(LEARNERS[learner])
        self.seen = self.mistakes = 0
        self.last: int | None = None  # the row that was learned last
        self._rng = np.random.default_rng(order)
        self._left: list[int] = []
        self._signs = 2 * points.y - 1
        two = len(np.unique(points.y)) == 2
        self.separable = (
            rb.separability(points.X, points.y, passes=_PASSES) if two else None
        )

    def step(self, count: int = 1) -> None:
        """Learn the next examples; each pass through the data has a new order."""
        for _ in range(count if len(self.points.y) else 0):
            if not self._left:
                self._left = self._rng.permutation(len(self.points.y)).tolist()
            row = self._left.pop()
            x, y = self.points.X[[row]], self.points.y[[row]]
            if self.seen == 0 or self.field(x)[0] * self._signs[row] <= 0:
                self.mistakes += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # advice about whole data sets
                self.model.partial_fit(x, y, classes=[0, 1])
            self.seen, self.last = self.seen + 1, row

    def field(self, X: FloatArray) -> FloatArray:
        """Return the decision function, which is 0 on the boundary."""
        return np.asarray(self.model.decision_function(X))

    @property
    def wrong(self) -> int:
        """Number of points on the wrong side of the boundary, or on it."""
        if self.seen == 0:
            return len(self.points.y)
        return int((self.field(self.points.X) * self._signs <= 0).sum())

    @property
    def curved(self) -> bool:
        """Whether the boundary is not a straight line."""
        return getattr(self.model, "boundary", "linear") == "curved"

    @property
    def margin(self) -> float | None:
        """Least distance from a straight boundary, negative on its wrong side."""
        if self.curved or self.seen == 0:
            return None
        length = float(np.linalg.norm(self.model.coef_))
        if length == 0:
            return None
        return float((self.field(self.points.X) * self._signs).min()) / length

    def confidence(self, X: FloatArray) -> FloatArray:
        """Return the probability of class 1, or a similar number from 0 to 1."""
        if self.seen == 0:
            return np.full(len(X), 0.5)
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(X)[:, 1])
        fields = self.field(X)
        scale = float(np.abs(fields).mean()) or 1.0
        return np.asarray(0.5 + 0.5 * np.tanh(fields / scale))


def compile_all() -> None:
    """Use every learner once, so that all its code is compiled."""
    points = Points(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]))
    for name in LEARNERS:
        run = LearningRun(points, name, order=0)
        run.step(2)
        run.confidence(points.X)
    READY.set()
