"""The second tab: points of two classes, and a learner that sees them one by one."""

from __future__ import annotations

import base64
import io
import math
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from bokeh.events import DoubleTap, Tap
from bokeh.layouts import column, row
from bokeh.models import (
    Button,
    Div,
    FileInput,
    LinearColorMapper,
    RadioButtonGroup,
    Range1d,
)
from contourpy import contour_generator
from sklearn import datasets
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import rosenblatt as rb
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.lab.state import State, changed
from rosenblatt.lab.widgets import (
    BLUE,
    GREY,
    ORANGE,
    choice,
    columns,
    message,
    numbers,
    plot,
    reach,
    say,
    wide,
)
from rosenblatt.papers.bhattacharya1995.problems import LINEAR, SEED
from rosenblatt.tables.encoder import TableEncoder

BYTES = 500_000  # of a file
_LARGEST = 1000  # points
_COLUMNS = 100  # of a file
_DRAWN = "drawn"  # the name of a visitor's own points
_REACH = 50.0  # largest coordinate: of 1000 points none is 32 deviations away
_HUGE = 1e150  # squares of more are infinite
_DIGITS = 4  # after the point, as in an address
_SPEEDS = ("1", "5", "20", "100")  # examples a second
_PASSES = 20  # that the perceptron rule may take to separate points
_PIXELS = 48  # of the background, in each direction
_MARKS = ("circle", "triangle")  # not by colour alone
_SHADES = [  # opaque where the learner is sure; elsewhere the page shows
    f"{colour}{round(88 * sure):02x}"
    for colour, half in ((BLUE, np.linspace(1, 0, 32)), (ORANGE, np.linspace(0, 1, 32)))
    for sure in half
]
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


def _iris(first: int, second: int) -> Points:
    X, y = datasets.load_iris(return_X_y=True)
    chosen = (y == first) | (y == second)
    about = "length and width of petals"
    return _in_plane(X[chosen][:, 2:], y[chosen] == second, about)


def _cancer() -> Points:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return _in_plane(X, y, "569 tumours, malignant and benign")


def _clouds(apart: float) -> Points:
    rng = np.random.default_rng(1958)  # the year of the perceptron
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 2)) * 0.6 + np.outer(2 * y - 1, [apart, apart / 2])
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
    "iris": ("irises: setosa, versicolor", partial(_iris, 0, 1)),
    "iris-hard": ("irises: versicolor, virginica", partial(_iris, 1, 2)),
    "cancer": ("breast tumours", _cancer),
    "clouds": ("clouds, far apart", partial(_clouds, 1.5)),
    "clouds-near": ("clouds that overlap", partial(_clouds, 0.6)),
    "bhattacharya-5": ("bhattacharya1995, figure 1a", partial(_classes, 5)),
    "bhattacharya-15": ("bhattacharya1995, figure 1b", partial(_classes, 15)),
    "bhattacharya-25": ("bhattacharya1995, figure 1c", partial(_classes, 25)),
    "xor": ("exclusive or", _xor),
    "moons": ("moons", _moons),
}


def own(X: FloatArray, y: IntArray, about: str = "your own points") -> Points:
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
            if self.seen == 0 or self._field(x)[0] * self._signs[row] <= 0:
                self.mistakes += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # advice about whole data sets
                self.model.partial_fit(x, y, classes=[0, 1])
            self.seen, self.last = self.seen + 1, row

    def _field(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.model.decision_function(X))

    @property
    def wrong(self) -> int:
        """Number of points on the wrong side of the boundary, or on it."""
        if self.seen == 0:
            return len(self.points.y)
        return int((self._field(self.points.X) * self._signs <= 0).sum())

    @property
    def curved(self) -> bool:
        """Whether the boundary is not a straight line."""
        return getattr(self.model, "boundary", "linear") == "curved"

    @property
    def boundary(self) -> tuple[FloatArray, float] | None:
        """A unit vector and an intercept; None if no straight boundary is there."""
        if self.seen == 0 or self.curved:
            return None
        weights = np.ravel(self.model.coef_)
        length = float(np.linalg.norm(weights))
        intercept = float(np.ravel(self.model.intercept_)[0])
        return (weights / length, intercept / length) if length > 0 else None

    @property
    def margin(self) -> float | None:
        """The smallest distance from the boundary, negative on its wrong side."""
        if self.boundary is None or not len(self.points.y):
            return None
        weights, intercept = self.boundary
        return float((self._signs * (self.points.X @ weights + intercept)).min())

    def confidence(self, X: FloatArray) -> FloatArray:
        """Return the probability of class 1, or a similar number from 0 to 1."""
        if self.seen == 0:
            return np.full(len(X), 0.5)
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(X)[:, 1])
        fields = self._field(X)
        scale = float(np.abs(fields).mean()) or 1.0
        return np.asarray(0.5 + 0.5 * np.tanh(fields / scale))


def compile_all() -> None:
    """Use every learner once, so that all its code is compiled."""
    points = Points(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]))
    for name in LEARNERS:
        run = LearningRun(points, name, order=0)
        run.step(2)
        run.confidence(points.X)


# ---- the tab


class DataPlot:
    """Points, the boundary and, in the background, the probability of class 1."""

    def __init__(self) -> None:
        self.plot = plot(
            "Points of two classes and the learner's boundary; click to add a point",
            height=600,
            aspect_ratio=1.0,  # distances look like what they are
            max_width=600,
            tools="tap,reset",
            x_range=Range1d(-2, 2),
            y_range=Range1d(-2, 2),
            title="Click to add a point",
            x_axis_label="first feature",
            y_axis_label="second feature",
        )
        self._sure = columns("image", "x", "y", "w", "h")
        self._points = columns("x", "y", "colour", "mark")
        self._last, self._line = columns("x", "y"), columns("x", "y")
        self._band = columns("x", "y")
        colours = LinearColorMapper(palette=_SHADES, low=0.0, high=1.0)
        place = ("image", "x", "y", "w", "h")
        drawn = {"source": self._sure, "color_mapper": colours}
        self.plot.image(*place, **drawn, level="image")
        self.plot.line("x", "y", source=self._line, color=GREY, line_width=2.5)
        self.plot.line("x", "y", source=self._band, color=GREY, line_dash="dashed")
        style = {"fill_color": "colour", "fill_alpha": 0.85, "line_color": "#ffffff"}
        drawn = {"source": self._points, "marker": "mark", "size": 8}
        marks = self.plot.scatter("x", "y", **drawn, **style)
        marks.nonselection_glyph = None  # a click is for new points
        ring = {"size": 18, "fill_color": None, "line_color": GREY}
        self.plot.scatter("x", "y", source=self._last, **ring)
        self.plot.grid.visible = False

    def show_points(self, points: Points) -> None:
        """Show other points, with axes that hold them all."""
        end = 1.1 * max(1.6, float(np.abs(points.X).max(initial=0.0)))
        for axis in (self.plot.x_range, self.plot.y_range):
            reach(axis, -end, end)
        self._points.data = {
            "x": points.X[:, 0],
            "y": points.X[:, 1],
            "colour": [(BLUE, ORANGE)[c] for c in points.y],
            "mark": [_MARKS[c] for c in points.y],
        }

    def show(self, run: LearningRun) -> None:
        """Show what the learner has learned."""
        end = float(self.plot.x_range.end)
        side = np.linspace(-end, end, _PIXELS)
        where = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        image = run.confidence(where).reshape(_PIXELS, _PIXELS).astype(np.float32)
        place = {"x": [-end], "y": [-end], "w": [2 * end], "h": [2 * end]}
        self._sure.data = {"image": [image], **place}
        ends = band = np.empty((0, 2))
        if run.curved and run.seen:
            sure = image.astype(float) - 0.5
            unsure = run.model.predict_std(where).reshape(_PIXELS, _PIXELS)
            ends = _zeros(side, sure)
            band = np.vstack([_zeros(side, sure - unsure), _zeros(side, sure + unsure)])
        if run.boundary is not None:
            weights, intercept = run.boundary
            along = np.array([-weights[1], weights[0]])
            ends = -intercept * weights + 3 * end * np.outer([-1, 1], along)
        self._line.data = {"x": ends[:, 0], "y": ends[:, 1]}
        self._band.data = {"x": band[:, 0], "y": band[:, 1]}
        at = run.points.X[[] if run.last is None else [run.last]]
        self._last.data = {"x": at[:, 0], "y": at[:, 1]}


def _zeros(side: FloatArray, values: FloatArray) -> FloatArray:
    """Return lines on which values on a square are 0, each with NaN behind it."""
    lines = contour_generator(side, side, values).lines(0.0)
    parts = [np.vstack([np.asarray(line), [[np.nan, np.nan]]]) for line in lines]
    return np.vstack([np.empty((0, 2)), *parts])


class DataTab:
    """The tab of one visitor.

    Parameters
    ----------
    state
        State that the tab shows at first.
    moved
        Called with the choices that have changed.
    """

    def __init__(self, state: State, moved: Callable[..., None]) -> None:
        self._moved = moved
        self._run: LearningRun | None = None
        self._playing, self._due, self._quiet = False, 0.0, False
        self.message, self.numbers = message(), Div(**wide())
        self.drawing = DataPlot()
        for click in (Tap, DoubleTap):  # the second of two quick ones is another kind
            self.drawing.plot.on_event(click, self._tap)
        self._wrong = ""
        self._points = own(np.empty((0, 2)), np.empty(0, np.int64), "no points yet")
        if state.learner not in LEARNERS:
            self._wrong = f"learner must be one of {', '.join(LEARNERS)}"
        if state.data in BUNDLED:
            self._points = BUNDLED[state.data][1]()
        elif state.data != _DRAWN:
            self._wrong = f"data must be one of {', '.join([*BUNDLED, _DRAWN])}"
        else:
            try:
                self._points = read_points(state.points)
            except ValueError as failure:
                self._wrong = str(failure)
        self._build(state)
        self.drawing.show_points(self._points)
        waits = "The learners are being prepared, once ..."
        say(self.message, self._wrong or waits, bool(self._wrong))

    def warn(self, text: str) -> None:
        """Show what is wrong with the address."""
        self._wrong = " ".join(filter(None, [text, self._wrong]))
        say(self.message, self._wrong, True)

    def _build(self, state: State) -> None:
        def button(label: str, pressed: Callable[[], None], **more: Any) -> Button:
            made = Button(label=label, **wide(**more))
            made.on_click(pressed)
            return made

        def take_first(count: int | None) -> None:
            self._take(self._points.X[:count], self._points.y[:count])

        sets = {name: label for name, (label, _) in BUNDLED.items()}
        sets[_DRAWN] = "your own points"
        self.data = choice("data", list(sets.items()))
        self.data.value = state.data if state.data in sets else _DRAWN
        self.data.on_change("value", self._take_data)
        labels = ["add to class 0", "add to class 1"]
        self.draws = RadioButtonGroup(labels=labels, active=0, **wide())
        title = "or a CSV file, the class in its last column"
        self.file = FileInput(title=title, accept=".csv,.txt", **wide())
        self.file.on_change("value", self._take_file)
        self.learner = choice("learner", list(LEARNERS))
        if state.learner in LEARNERS:
            self.learner.value = state.learner
        self.order = choice("seed of the order")
        self.order.value = str(state.order)
        for control in (self.learner, self.order):
            control.on_change("value", lambda attr, old, new: self._apply_choices())
        self.speed = choice("examples a second", list(_SPEEDS))
        self.speed.value = "5"
        self.play = button("Play", self._toggle, button_type="primary")
        step = button("Step", lambda: self._advance(1))
        undo = button("Undo", lambda: take_first(-1))
        clear = button("Clear", lambda: take_first(0))
        self.controls = column(
            self.data,
            self.draws,
            row(undo, clear, **wide()),
            self.file,
            self.learner,
            row(self.speed, self.order, **wide()),
            row(self.play, step, button("Restart", self._restart), **wide()),
            **wide(),
        )

    def prepared(self) -> None:
        """Start, once the learners are compiled."""
        self._restart()
        if self._wrong:  # nobody may have read it yet
            say(self.message, self._wrong, True)

    def _restart(self) -> None:
        self._playing, self.play.label = False, "Play"
        order = changed(State(), order=self.order.value).order
        self._run = LearningRun(self._points, str(self.learner.value), order)
        self.drawing.show_points(self._points)
        about = f"{len(self._points.y)} points: {self._points.about}."
        say(self.message, f"{about} {self._run.model}")
        self._show(self._run)

    def _take(self, X: FloatArray, y: IntArray) -> None:
        """Take points of the visitor."""
        try:
            self._points = own(X, y)
        except ValueError as failure:
            say(self.message, str(failure), True)
            return
        self._quiet = True
        self.data.value = _DRAWN
        self._quiet = False
        self._apply_choices()

    def _apply_choices(self) -> None:
        """Restart with other choices, and put them into the address."""
        drawn = self.data.value == _DRAWN
        points = write_points(self._points) if drawn else ""
        try:
            order = changed(State(), order=self.order.value).order
            if self._run is not None:
                self._restart()
        except (ValueError, TypeError) as failure:
            self.order.value = "0"
            say(self.message, str(failure), True)
            return
        try:
            changed(State(), points=points)
        except ValueError:
            points = ""
            say(self.message, "There are too many points for the address.")
        chosen = {"data": self.data.value, "learner": self.learner.value}
        self._moved(order=order, points=points, **chosen)

    def _tap(self, event: Any) -> None:
        if event.x is None or event.y is None:
            return
        end = self.drawing.plot.x_range.end
        point = np.clip([float(event.x), float(event.y)], -end, end).round(2)
        X = np.vstack([self._points.X, point])
        self._take(X, np.append(self._points.y, int(self.draws.active or 0)))

    def _take_data(self, attribute: str, old: str, new: str) -> None:
        if self._quiet:
            return
        if new in BUNDLED:
            self._points = BUNDLED[new][1]()
        else:
            self._points = own(self._points.X, self._points.y)
        self._apply_choices()

    def _take_file(self, attribute: str, old: str, new: str) -> None:
        try:
            points = read_csv(base64.b64decode(new, validate=True))
        except ValueError as failure:
            say(self.message, str(failure), True)
            return
        self._take(points.X, points.y)

    def _toggle(self) -> None:
        self._playing = not self._playing and self._run is not None
        self._due = time.monotonic()
        self.play.label = "Pause" if self._playing else "Play"

    def update(self) -> None:
        """Learn more examples while Play is on; called periodically."""
        count = int((time.monotonic() - self._due) * float(self.speed.value))
        if self._playing and count:
            self._due = time.monotonic()
            self._advance(min(count, 20))  # a server that is behind leaves steps out

    def _advance(self, count: int) -> None:
        if self._run is None:
            return
        if not len(self._points.y):
            say(self.message, "There is nothing to learn: click into the plot.")
            return
        self._run.step(count)
        self._show(self._run)

    def _show(self, run: LearningRun) -> None:
        self.drawing.show(run)
        shown = {
            "examples seen": str(run.seen),
            "mistakes so far": str(run.mistakes),
            "wrong now": f"{run.wrong} of {len(run.points.y)}",
        }
        if run.margin is not None:
            shown["margin of the boundary"] = f"{run.margin:.4g}"
        found = run.separable
        if found is not None:
            guess = "" if found.proven else " (not proven)"
            shown["separable"] = ("yes" if found.separable else "no") + guess
            if found.separable:
                bound = math.floor(found.mistake_bound)
                shown["largest margin, with intercept"] = f"{found.margin:.4g}"
                shown["perceptron: mistakes at most"] = f"{bound:,}"
        self.numbers.text = numbers(shown)
