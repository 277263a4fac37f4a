"""Plot of a data set, and of the boundary of a learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper, Range1d

from rosenblatt.core.types import FloatArray
from rosenblatt.lab.data.learner import LearningRun
from rosenblatt.lab.data.points import Points
from rosenblatt.lab.style import BLUE, GREY, ORANGE, plot

__all__ = ["CLASSES", "DataPlot"]

CLASSES = (BLUE, ORANGE)
_MARKS = ("circle", "triangle")  # not by colour alone
_PIXELS = 48  # of the background, in each direction
_LEAST = 1.6  # how far axes reach at least
_OPAQUE = 88  # of 255: the background where the learner is sure; else the page shows
_SHADES = [
    f"{colour}{round(_OPAQUE * abs(sure)):02x}"
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
            tools="tap,reset,save",
            x_range=Range1d(-2, 2),
            y_range=Range1d(-2, 2),
            title="Click to add a point",
            x_axis_label="first feature",
            y_axis_label="second feature",
        )
        self._sure = ColumnDataSource({"image": [], "x": [], "y": [], "w": [], "h": []})
        self._points = ColumnDataSource({"x": [], "y": [], "colour": [], "mark": []})
        self._last = ColumnDataSource({"x": [], "y": []})
        self._line = ColumnDataSource({"x": [], "y": []})
        self.plot.image(
            "image",
            "x",
            "y",
            "w",
            "h",
            source=self._sure,
            color_mapper=LinearColorMapper(palette=_SHADES, low=0.0, high=1.0),
            level="image",
        )
        self.plot.line("x", "y", source=self._line, color=GREY, line_width=2.5)
        self.plot.scatter(
            "x",
            "y",
            marker="mark",
            source=self._points,
            size=8,
            fill_color="colour",
            fill_alpha=0.85,
            line_color="#ffffff",
            # a click is for new points: it selects nothing
            nonselection_fill_alpha=0.85,
            nonselection_fill_color="colour",
            nonselection_line_color="#ffffff",
        )
        self.plot.scatter(
            "x", "y", source=self._last, size=18, fill_color=None, line_color=GREY
        )
        self.plot.grid.visible = False

    def show_points(self, points: Points) -> None:
        """Show other points, with axes that hold them all."""
        reach = 1.1 * max(_LEAST, float(np.abs(points.X).max(initial=0.0)))
        for axis in (self.plot.x_range, self.plot.y_range):
            axis.start, axis.end = -reach, reach
            axis.reset_start, axis.reset_end = -reach, reach
        self._points.data = {
            "x": points.X[:, 0],
            "y": points.X[:, 1],
            "colour": [CLASSES[c] for c in points.y],
            "mark": [_MARKS[c] for c in points.y],
        }

    def show(self, run: LearningRun) -> None:
        """Show what the learner has learned."""
        reach = float(self.plot.x_range.end)
        side = np.linspace(-reach, reach, _PIXELS)
        where = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        image = run.confidence(where).reshape(_PIXELS, _PIXELS).astype(np.float32)
        corner, width = [-reach], [2 * reach]
        self._sure.data = {
            "image": [image],
            "x": corner,
            "y": corner,
            "w": width,
            "h": width,
        }
        x, y = _segment(run.boundary, 3 * reach)
        self._line.data = {"x": x, "y": y}
        at: Any = [] if run.last is None else run.points.X[[run.last]]
        self._last.data = {"x": [p[0] for p in at], "y": [p[1] for p in at]}


def _segment(
    boundary: tuple[FloatArray, float] | None, length: float
) -> tuple[list[float], list[float]]:
    """Return two points of the line where the field is zero, far out."""
    if boundary is None:
        return [], []
    (a, b), intercept = boundary
    foot = -intercept * np.array([a, b])
    ends = [foot + side * length * np.array([-b, a]) for side in (-1, 1)]
    return [float(e[0]) for e in ends], [float(e[1]) for e in ends]
