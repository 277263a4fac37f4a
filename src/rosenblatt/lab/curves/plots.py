"""Plots of a learning curve: errors, weights in the plane, a histogram."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import (
    Arrow,
    Label,
    NormalHead,
    PrintfTickFormatter,
    Range1d,
    Span,
)

from rosenblatt.core.types import FloatArray
from rosenblatt.lab.curves.error_plot import ErrorPlot, empty_columns, reach
from rosenblatt.lab.jobs.messages import Curve, Run
from rosenblatt.lab.style import BLUE, GREY, ORANGE, plot

__all__ = ["CurvePlots"]

_BINS = 24
_ALIKE = 1e-9  # relative difference of errors that are the same
_SPREAD = 0.05  # relative half width of their bar
_WIDE, _HIGH, _LOW = 2.3, 1.3, -0.12  # of the plane, in lengths of the teacher


def _bars(errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the heights and edges of a histogram; equal errors are one narrow bar.

    Examples
    --------
    >>> _bars(np.array([0.1, 0.1]))
    (array([2.]), array([0.095, 0.105]))
    """
    low, high = float(errors.min()), float(errors.max())
    count = min(_BINS, max(1, int(np.sqrt(errors.size)) * 2))
    if high - low <= _ALIKE * high:
        low, high, count = high - _SPREAD * high, high + _SPREAD * high, 1
        if high == 0.0:
            low, high = -_SPREAD, _SPREAD
    tops, edges = np.histogram(errors, bins=count, range=(low, high))
    return tops.astype(float), edges


class CurvePlots:
    """All drawings of a run, fed with messages of its job."""

    def __init__(self) -> None:
        self.errors = {"logarithmic": ErrorPlot(True), "linear": ErrorPlot(False)}
        self.plane = self._plane()
        self.histogram = self._histogram()
        self._theory: Curve | None = None

    def _plane(self) -> Any:
        self._way = empty_columns("along", "across")
        self._ends = empty_columns("x", "y")
        self._student = empty_columns("x0", "y0", "x", "y")
        found = plot(
            "The students in the plane: across is the part at a right angle to the "
            "teacher",
            height=260,
            aspect_ratio=_WIDE / _HIGH,  # angles are as they are, on any screen
            tools="",
            toolbar_location=None,
            frame_align=False,  # not with the histogram, which has axes and a title
            x_range=Range1d(-_WIDE / 2, _WIDE / 2),
            y_range=Range1d(_LOW, _LOW + _HIGH),
        )
        # Nothing but the plane takes room: its ratio is that of the whole then.
        found.min_border = found.min_border_right = 0
        found.add_layout(
            Label(
                x=-_WIDE / 2,
                y=_LOW + _HIGH,
                text="Student and teacher",
                text_baseline="top",
                text_font_size=found.title.text_font_size,
                text_color=found.title.text_color,
                text_font=found.title.text_font,
                text_font_style="bold",
            )
        )
        turn = np.linspace(0, np.pi, 100)
        found.line(np.cos(turn), np.sin(turn), color="#c4c9d0", line_dash="dotted")
        head = NormalHead(size=9, fill_color=GREY, line_color=GREY)
        found.add_layout(
            Arrow(
                end=head,
                x_end=1,
                y_end=0,
                x_start=0,
                y_start=0,
                line_width=2,
                line_color=GREY,
            )
        )
        right = {"text_align": "right"}
        words = {"text_font_size": "12px", "text_font": found.title.text_font}
        found.add_layout(
            Label(x=_WIDE / 2, y=-0.11, text="along the teacher", **right, **words)
        )
        across = {"angle": np.pi / 2, "text": "across the teacher"}
        found.add_layout(Label(x=-_WIDE / 2 + 0.08, y=0.2, **across, **words))
        dots = {"source": self._ends, "color": BLUE}
        found.scatter("x", "y", size=4, fill_alpha=0.35, line_color=None, **dots)
        found.line("along", "across", source=self._way, color=ORANGE, line_width=1.5)
        found.segment(
            "x0", "y0", "x", "y", source=self._student, color=BLUE, line_width=3
        )
        found.scatter("x", "y", source=self._student, color=BLUE, size=8)
        found.axis.visible = False
        found.grid.visible = False
        return found

    def _histogram(self) -> Any:
        self._bars = empty_columns("left", "right", "top")
        found = plot(
            "Histogram of the replicas' errors",
            height=260,
            tools="reset,save",
            title="Replicas",
            x_axis_label="error",
            y_axis_label="replicas",
            x_range=Range1d(0.0, 0.5),
            y_range=Range1d(0.0, 1.0),
        )
        self._mark = Span(
            dimension="height", line_color=ORANGE, line_dash="dashed", line_width=2
        )
        self._mark.visible = False
        found.add_layout(self._mark)
        found.quad(
            left="left",
            right="right",
            bottom=0,
            top="top",
            source=self._bars,
            fill_color=BLUE,
            fill_alpha=0.6,
            line_color=BLUE,
        )
        found.xaxis.ticker.desired_num_ticks = 4  # labels may be long
        found.xaxis.formatter = PrintfTickFormatter(format="%.4g")
        return found

    def clear(self, first: float, last: float) -> None:
        """Show nothing."""
        self._theory = None
        self._mark.visible = False
        for drawing in self.errors.values():
            drawing.clear(first, last)
        for source in (self._way, self._ends, self._student, self._bars):
            source.data = {name: [] for name in source.data}

    def keep(self, name: str) -> None:
        """Keep the curve of this run to compare others with it; drop it if no name."""
        for drawing in self.errors.values():
            drawing.keep(name)

    def show_line(self, line: Curve) -> None:
        """Show a curve of theory."""
        if line.role == "theory":
            self._theory = line
        for drawing in self.errors.values():
            drawing.show_line(line)

    def show_run(self, run: Run) -> None:
        """Show a run as far as it is."""
        result = run.result
        alpha = np.asarray(result["alpha"].values)
        errors = np.asarray(result["error"].values)
        for drawing in self.errors.values():
            drawing.show_run(alpha, errors)
        self._show_students(
            np.asarray(result["angle"].values), np.asarray(result["norm"].values)
        )
        last = errors[:, -1]
        tops, edges = _bars(last)
        self._bars.data = {"left": edges[:-1], "right": edges[1:], "top": tops}
        room = 0.05 * (edges[-1] - edges[0])
        reach(self.histogram.x_range, float(edges[0] - room), float(edges[-1] + room))
        reach(self.histogram.y_range, 0.0, 1.1 * float(tops.max()))
        self.histogram.title.text = f"{last.size} replicas at \u03b1 = {alpha[-1]:.4g}"
        self._show_mark(float(alpha[-1]))

    def _show_mark(self, alpha: float) -> None:
        if self._theory is not None:
            self._mark.location = float(
                np.interp(alpha, self._theory.alpha, self._theory.error)
            )
            self._mark.visible = True

    def _show_students(self, angle: FloatArray, norm: FloatArray) -> None:
        """Show the path of the mean weights, and the last weights of all replicas."""
        x, y = norm * np.cos(angle), norm * np.sin(angle)
        longest = max(float(norm.max()), 1e-300)
        way_x, way_y = x.mean(axis=0) / longest, y.mean(axis=0) / longest
        self._way.data = {"along": way_x, "across": way_y}
        self._ends.data = {"x": x[:, -1] / longest, "y": y[:, -1] / longest}
        self._student.data = {
            "x0": [0.0],
            "y0": [0.0],
            "x": way_x[-1:],
            "y": way_y[-1:],
        }
