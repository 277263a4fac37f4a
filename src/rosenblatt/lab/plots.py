"""Plots of the first tab: errors, students in the plane, replicas, papers' figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.layouts import column
from bokeh.models import Arrow, Div, Label, Legend, NormalHead, Range1d, Span

from rosenblatt.charts.charts import GREY, drawing
from rosenblatt.core.figures import FigureData
from rosenblatt.core.formulas import as_html, as_text
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.job import Curve
from rosenblatt.lab.widgets import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    columns,
    legend,
    plot,
    reach,
    wide,
)

_ROLES = {  # colour and dashes
    "theory": (ORANGE, "dashed"),
    "best": (GREEN, "dotdash"),
    "kept": (PURPLE, "solid"),
}
_BINS = 24
_ALIKE = 1e-9  # relative difference of errors that are the same
_SPREAD = 0.05  # relative half width of their bar
_WIDE, _HIGH, _LOW = 2.3, 1.3, -0.12  # of the plane, in lengths of the teacher


class ErrorPlot:
    """Errors of a run and of theory, up to a last time."""

    def __init__(self, log: bool, first: float, last: float) -> None:
        kind = "log" if log else "linear"
        self._log, self._low, self._high = log, np.inf, 0.0
        self._run = columns("alpha", "low", "median", "high")
        self._lines = {role: columns("alpha", "error") for role in _ROLES}
        self.plot = plot(
            f"Learning curve: {kind} axes, error against examples per weight",
            height=380,
            x_axis_type=kind,
            y_axis_type=kind,
            x_axis_label="examples per weight \N{GREEK SMALL LETTER ALPHA}",
            y_axis_label="error",
            x_range=Range1d(first if log else 0.0, last),
            y_range=Range1d(0.01, 1.0) if log else Range1d(0.0, 0.55),
        )
        band = {"x": "alpha", "source": self._run, "color": BLUE}
        self.plot.varea(
            y1="low", y2="high", fill_alpha=0.18, legend_label="90% of replicas", **band
        )
        self.plot.line(y="median", line_width=2.5, legend_label="median", **band)
        self._names = {}
        for role, (colour, dash) in _ROLES.items():
            line = {"source": self._lines[role], "line_width": 2}
            self.plot.line(
                "alpha",
                "error",
                color=colour,
                line_dash=dash,
                legend_label=role,
                **line,
            )
            self._names[role] = self.plot.legend[0].items[-1]
            self._names[role].visible = False
        legend(self.plot, "bottom_left" if log else "top_right")

    def _show(self, source: Any, alpha: FloatArray, **values: FloatArray) -> None:
        """Show columns, and extend the axis of errors to them."""
        first = next(iter(values.values()))
        kept = np.isfinite(first) & ((alpha > 0) & (first > 0) | (not self._log))
        source.data = {k: v[kept] for k, v in {"alpha": alpha, **values}.items()}
        for shown in values.values():
            self._low = min(self._low, float(shown[kept].min(initial=np.inf)))
            self._high = max(self._high, float(shown[kept].max(initial=0.0)))
        if self._high > 0:
            low, rise = (0.7 * self._low, 1.4) if self._log else (0.0, 1.05)
            reach(self.plot.y_range, low, rise * self._high)

    def show_run(self, alpha: FloatArray, errors: FloatArray) -> None:
        """Show the median and a band of all replicas."""
        low, median, high = np.quantile(errors, [0.05, 0.5, 0.95], axis=0)
        self._show(self._run, alpha, low=low, median=median, high=high)

    def show_line(self, line: Curve) -> None:
        """Show another curve."""
        self._show(self._lines[line.role], line.alpha, error=line.error)
        self._names[line.role].update(label={"value": line.name}, visible=True)

    def drop(self) -> None:
        """Remove the curve that was kept."""
        self._lines["kept"].data = {"alpha": [], "error": []}
        self._names["kept"].visible = False


class Plane:
    """Students in the plane of the teacher and what is orthogonal to it."""

    def __init__(self) -> None:
        self._path = columns("along", "across")
        self._ends = columns("x", "y")
        self.plot = plot(
            "The students in the plane: across is the part at a right angle to the "
            "teacher",
            height=260,
            aspect_ratio=_WIDE / _HIGH,  # angles are as they are, on any screen
            min_width=300,
            min_border=0,
            tools="",
            toolbar_location=None,
            frame_align=False,  # not with the histogram, which has axes and a title
            x_range=Range1d(-_WIDE / 2, _WIDE / 2),
            y_range=Range1d(_LOW, _LOW + _HIGH),
        )
        words = {"text_font": self.plot.title.text_font, "text_font_size": "12px"}
        for x, y, text, more in (
            (-_WIDE / 2, 1.08, "Student and teacher", {"text_font_style": "bold"}),
            (_WIDE / 2, -0.11, "along the teacher", {"text_align": "right"}),
            (-_WIDE / 2 + 0.08, 0.2, "across the teacher", {"angle": np.pi / 2}),
        ):
            self.plot.add_layout(Label(x=x, y=y, text=text, **words, **more))
        turn = np.linspace(0, np.pi, 100)
        self.plot.line(np.cos(turn), np.sin(turn), color=GREY, line_dash="dotted")
        head = NormalHead(size=9, fill_color=GREY, line_color=GREY)
        ends = {"x_start": 0, "y_start": 0, "x_end": 1, "y_end": 0}
        self.plot.add_layout(Arrow(end=head, line_width=2, line_color=GREY, **ends))
        self.plot.scatter(
            "x", "y", source=self._ends, size=4, color=BLUE, fill_alpha=0.35
        )
        self.plot.line("along", "across", source=self._path, color=ORANGE, line_width=2)
        self.plot.axis.visible = self.plot.grid.visible = False

    def show(self, angle: FloatArray, norm: FloatArray) -> None:
        """Show the path of the mean weights, and the last weights of all replicas."""
        scale = max(float(norm.max()), 1e-300)
        x, y = norm * np.cos(angle) / scale, norm * np.sin(angle) / scale
        self._path.data = {"along": x.mean(axis=0), "across": y.mean(axis=0)}
        self._ends.data = {"x": x[:, -1], "y": y[:, -1]}


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
        width = _SPREAD * (high or 1.0)
        low, high, count = high - width, high + width, 1
    tops, edges = np.histogram(errors, bins=count, range=(low, high))
    return tops.astype(float), edges


class Histogram:
    """Errors of all replicas at the last time, beside theory."""

    def __init__(self) -> None:
        self._source = columns("left", "right", "top")
        self._mark = Span(
            dimension="height", line_color=ORANGE, line_dash="dashed", line_width=2
        )
        self.plot = plot(
            "Histogram of the replicas' errors",
            height=260,
            min_width=300,
            tools="reset",
            title="Replicas",
            x_axis_label="error",
            y_axis_label="replicas",
            x_range=Range1d(0.0, 0.5),
            y_range=Range1d(0.0, 1.0),
        )
        self.plot.add_layout(self._mark)
        sides = {"left": "left", "right": "right", "top": "top", "bottom": 0}
        self.plot.quad(**sides, source=self._source, color=BLUE, fill_alpha=0.6)
        self.plot.xaxis.ticker.desired_num_ticks = 4  # labels may be long

    def show(self, alpha: float, errors: FloatArray, theory: float | None) -> None:
        """Show the errors at a time, and that of theory."""
        tops, edges = _bars(errors)
        self._source.data = {"left": edges[:-1], "right": edges[1:], "top": tops}
        margin = 0.05 * (edges[-1] - edges[0])
        reach(self.plot.x_range, float(edges[0] - margin), float(edges[-1] + margin))
        reach(self.plot.y_range, 0.0, 1.1 * float(tops.max()))
        self.plot.title.text = f"{errors.size} replicas at \u03b1 = {alpha:.4g}"
        self._mark.update(location=theory or 0.0, visible=theory is not None)


def paper_figure(data: FigureData) -> Any:
    """Return a figure of a paper, with its title, legend and caption."""
    found = drawing(data)
    found.sizing_mode, found.height = "stretch_width", 380 + 26 * len(data.series)
    found.html_attributes = {"role": "img", "aria-label": as_text(data.title)}
    found.toolbar.autohide = True
    if data.series:
        found.xaxis.axis_label = as_text(data.x_label)
        items = [
            (as_text(series.name), list(found.select({"name": str(index)})))
            for index, series in enumerate(data.series)
        ]
        found.add_layout(Legend(items=items), "below")
        legend(found, "top_left")
    title = f"<strong>{as_html(data.title)}</strong><p>{as_html(data.y_label)}</p>"
    caption = Div(text=as_html(data.caption), **wide())
    return column(Div(text=title, **wide()), found, caption, **wide())
