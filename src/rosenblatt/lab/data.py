"""The second tab: points of two classes, and a learner that sees them one by one."""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
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

from rosenblatt.charts.charts import GREY
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.lab.points import (
    BUNDLED,
    DRAWN,
    LEARNERS,
    READY,
    LearningRun,
    Points,
    own,
    read_csv,
    read_points,
    write_points,
)
from rosenblatt.lab.state import State, changed
from rosenblatt.lab.widgets import (
    BLUE,
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

_SPEEDS = ("1", "5", "20", "100")  # examples a second
_PIXELS = 48  # of the background, in each direction
_MARKS = ("circle", "triangle")  # not by colour alone
_SHADES = [  # opaque where the learner is sure; elsewhere the page shows
    f"{colour}{round(88 * sure):02x}"
    for colour, half in ((BLUE, np.linspace(1, 0, 32)), (ORANGE, np.linspace(0, 1, 32)))
    for sure in half
]


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
        line, band = np.empty((0, 2)), np.empty((0, 2))
        if run.seen:
            line = _zeros(side, run.field(where))
        if run.seen and run.curved:
            sure, unsure = run.confidence(where) - 0.5, run.model.predict_std(where)
            band = np.vstack([_zeros(side, sure - unsure), _zeros(side, sure + unsure)])
        self._line.data = {"x": line[:, 0], "y": line[:, 1]}
        self._band.data = {"x": band[:, 0], "y": band[:, 1]}
        at = run.points.X[[] if run.last is None else [run.last]]
        self._last.data = {"x": at[:, 0], "y": at[:, 1]}


def _zeros(side: FloatArray, values: FloatArray) -> FloatArray:
    """Return lines on which values on a square are 0, each with NaN behind it."""
    square = values.reshape(len(side), len(side))
    lines = contour_generator(side, side, square).lines(0.0)
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
    wrong
        What is wrong with the address, to be shown at first.
    """

    def __init__(self, state: State, moved: Callable[..., None], wrong: str) -> None:
        self._moved, self._wrong = moved, wrong
        self._run: LearningRun | None = None
        self._playing, self._due, self._quiet = False, 0.0, False
        self.message, self.numbers = message(), Div(**wide())
        self.drawing = DataPlot()
        for click in (Tap, DoubleTap):  # the second of two quick ones is another kind
            self.drawing.plot.on_event(click, self._tap)
        self._points = self._chosen(state.data, state.points)
        self._build(state)
        self.drawing.show_points(self._points)
        say(self.message, wrong or "Compiling the learners, once ...", bool(wrong))

    def _chosen(self, data: str, points: str) -> Points:
        return read_points(points) if data == DRAWN else BUNDLED[data][1]()

    def _build(self, state: State) -> None:
        def button(label: str, pressed: Callable[[], None], **more: Any) -> Button:
            made = Button(label=label, **wide(**more))
            made.on_click(pressed)
            return made

        def menu(title: str, options: Any, value: str, taken: Any) -> Any:
            made = choice(title, options)
            made.value = value
            made.on_change("value", lambda attribute, old, new: taken(new))
            return made

        def take_first(count: int | None) -> None:
            self._take(self._points.X[:count], self._points.y[:count])

        sets = [(name, label) for name, (label, _) in BUNDLED.items()]
        sets.append((DRAWN, "your own points"))
        self.data = menu("data", sets, state.data, self._take_data)
        labels = ["add to class 0", "add to class 1"]
        self.draws = RadioButtonGroup(labels=labels, active=0, **wide())
        title = "or a CSV file, the class in its last column"
        file = FileInput(title=title, accept=".csv,.txt", **wide())
        file.on_change("value", self._take_file)
        self.learner = menu("learner", list(LEARNERS), state.learner, self._apply)
        self.order = menu("seed of the order", [], str(state.order), self._apply)
        self.speed = menu("examples a second", list(_SPEEDS), "5", lambda new: None)
        self.play = button("Play", self._toggle, button_type="primary")
        step = button("Step", lambda: self._advance(1))
        undo = button("Undo", lambda: take_first(-1))
        clear = button("Clear", lambda: take_first(0))
        restart = button("Restart", self._restart)
        self.controls = column(
            self.data,
            self.draws,
            row(undo, clear, **wide()),
            file,
            self.learner,
            row(self.speed, self.order, **wide()),
            row(self.play, step, restart, **wide()),
            **wide(),
        )

    def _restart(self) -> None:
        self._playing, self.play.label = False, "Play"
        order = changed(State(), order=self.order.value).order
        self._run = LearningRun(self._points, str(self.learner.value), order)
        self.drawing.show_points(self._points)
        about = f"{len(self._points.y)} points: {self._points.about}. {self._run.model}"
        say(self.message, self._wrong or about, bool(self._wrong))
        self._wrong = ""  # shown until the next change
        self._show(self._run)

    def _take(self, X: FloatArray, y: IntArray, about: str = "your points") -> None:
        """Take points of the visitor."""
        try:
            self._points = own(X, y, about)
        except ValueError as failure:
            say(self.message, str(failure), True)
            return
        self._quiet = True
        self.data.value = DRAWN
        self._quiet = False
        self._apply()

    def _apply(self, new: str = "") -> None:
        """Restart with other choices, and put them into the address."""
        data, learner = self.data.value, self.learner.value
        points = write_points(self._points) if data == DRAWN else ""
        try:
            order = changed(State(), order=self.order.value).order
        except ValueError as failure:
            self.order.value = "0"
            say(self.message, str(failure), True)
            return
        if self._run is not None:
            self._restart()
        try:
            changed(State(), points=points)
        except ValueError:
            points = ""
            say(self.message, "There are too many points for the address.")
        self._moved(order=order, points=points, data=data, learner=learner)

    def _tap(self, event: Any) -> None:
        if event.x is None or event.y is None:
            return
        end = self.drawing.plot.x_range.end
        point = np.clip([float(event.x), float(event.y)], -end, end).round(2)
        X = np.vstack([self._points.X, point])
        self._take(X, np.append(self._points.y, int(self.draws.active or 0)))

    def _take_data(self, new: str) -> None:
        if self._quiet:
            return
        if new == DRAWN:  # those that are shown, to be changed
            self._points = own(self._points.X, self._points.y)
        else:
            self._points = self._chosen(new, "")
        self._apply()

    def _take_file(self, attribute: str, old: str, new: str) -> None:
        try:
            points = read_csv(base64.b64decode(new, validate=True))
        except ValueError as failure:
            say(self.message, str(failure), True)
            return
        self._take(*points)

    def _toggle(self) -> None:
        self._playing = not self._playing and self._run is not None
        self._due = time.monotonic()
        self.play.label = "Pause" if self._playing else "Play"

    def update(self) -> None:
        """Start once the learners are compiled, and learn while Play is on."""
        if self._run is None and READY.is_set():
            self._restart()
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
