"""Plot of errors against time, on one kind of axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from rosenblatt.core.types import FloatArray
from rosenblatt.lab.jobs.messages import Curve
from rosenblatt.lab.style import BLUE, GREEN, GREY, ORANGE, PURPLE, legend, plot

__all__ = ["ErrorPlot", "empty_columns", "reach"]

_ROLES = {  # colour and dashes
    "theory": (ORANGE, "dashed"),
    "asymptote": (GREY, "dotted"),
    "best": (GREEN, "dotdash"),
    "kept": (PURPLE, "solid"),
}
_ERRORS = ((0.0, 0.55), (0.01, 1.0))  # axis before the first errors: linear, log
_COLUMNS = ("alpha", "low", "median", "high")


def empty_columns(*names: str) -> ColumnDataSource:
    """Return empty columns of these names."""
    return ColumnDataSource({name: [] for name in names})


def reach(axis: Range1d, start: float, end: float) -> None:
    """Set the limits of an axis, also those of a reset."""
    axis.update(start=start, end=end, reset_start=start, reset_end=end)


class ErrorPlot:
    """Errors of a run and of theory, on linear or logarithmic axes."""

    def __init__(self, log: bool) -> None:
        kind = "log" if log else "linear"
        self.log = log
        self.run = empty_columns(*_COLUMNS)
        self.lines = {role: empty_columns("alpha", "error") for role in _ROLES}
        self.plot = plot(
            f"Learning curve: {kind} axes, error against examples per weight",
            height=380,
            x_axis_type=kind,
            y_axis_type=kind,
            x_axis_label="examples per weight \N{GREEK SMALL LETTER ALPHA}",
            y_axis_label="error",
            x_range=Range1d(0.1, 10.0),
            y_range=Range1d(*_ERRORS[log]),
        )
        band = {"x": "alpha", "source": self.run, "color": BLUE}
        self.plot.varea(
            y1="low", y2="high", fill_alpha=0.18, legend_label="90% of replicas", **band
        )
        self.plot.line(y="median", line_width=2.5, legend_label="median", **band)
        self.drawn = {}
        for role, (colour, dashes) in _ROLES.items():
            self.drawn[role] = self.plot.line(
                "alpha",
                "error",
                source=self.lines[role],
                color=colour,
                line_dash=dashes,
                line_width=2,
                legend_label=role,
            )
        legend(self.plot, "bottom_left" if log else "top_right")
        self.names = {
            role: next(
                item
                for item in self.plot.legend[0].items
                if item.renderers == [self.drawn[role]]
            )
            for role in _ROLES
        }
        self.names["kept"].visible = False

    def clear(self, first: float, last: float) -> None:
        """Show nothing, on a time axis of this length."""
        self.run.data = {name: [] for name in _COLUMNS}
        for role in _ROLES:
            if role != "kept":
                self.lines[role].data = {"alpha": [], "error": []}
                self.names[role].visible = False
        reach(self.plot.x_range, first if self.log else 0.0, last)
        reach(self.plot.y_range, *_ERRORS[self.log])
        self._low, self._high = np.inf, 0.0

    def _shown(self, alpha: FloatArray, *values: FloatArray) -> list[Any]:
        keep = np.isfinite(values[0])
        if self.log:
            keep &= (alpha > 0) & (values[0] > 0)
        return [array[keep] for array in (alpha, *values)]

    def _hold(self, low: FloatArray, high: FloatArray) -> None:
        """Extend the axis of errors to these values."""
        self._low = min(self._low, float(low.min(initial=np.inf)))
        self._high = max(self._high, float(high.max(initial=0.0)))
        if not self._high > 0:
            return
        bottom, rise = (0.7 * self._low, 1.4) if self.log else (0.0, 1.05)
        reach(self.plot.y_range, bottom, rise * self._high)

    def show_run(self, alpha: FloatArray, errors: FloatArray) -> None:
        """Show the middle and a band of all replicas."""
        levels = np.quantile(errors, [0.05, 0.5, 0.95], axis=0)
        shown = self._shown(alpha, *levels)
        self.run.data = dict(zip(_COLUMNS, shown, strict=True))
        self._hold(shown[1], shown[3])

    def keep(self, name: str) -> None:
        """Keep the median of the run beside later runs; without a name, remove it."""
        run = self.run.data if name else {"alpha": [], "median": []}
        self.lines["kept"].data = {"alpha": run["alpha"], "error": run["median"]}
        self.names["kept"].update(label={"value": name}, visible=bool(name))

    def show_line(self, line: Curve) -> None:
        """Show a curve of theory."""
        alpha, error = self._shown(line.alpha, line.error)
        self.lines[line.role].data = {"alpha": alpha, "error": error}
        if line.role != "asymptote":
            self._hold(error, error)
        self.names[line.role].label = {"value": line.name}
        self.names[line.role].visible = True
