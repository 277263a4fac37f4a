"""Bokeh charts of figures, with zoom and tooltips; the page has their labels."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np

from rosenblatt.core.figures import ABREAST, CurveStyle, FigureData, Series, styles
from rosenblatt.core.formulas import as_text
from rosenblatt.system.extras import missing

try:
    from bokeh import __version__ as bokeh_version
    from bokeh.document import Document
    from bokeh.models import (
        BasicTickFormatter,
        ColumnDataSource,
        FixedTicker,
        Glyph,
        HoverTool,
        Image,
        Line,
        LinearColorMapper,
        Range1d,
        Scatter,
        Segment,
        Step,
        Text,
        VArea,
    )
    from bokeh.palettes import RdBu11, interp_palette
    from bokeh.plotting import figure
    from bokeh.resources import Resources
except ImportError as failure:
    raise missing("bokeh", "a report") from failure

__all__ = ["GREY", "bokeh_script", "chart", "drawing", "empty_plot", "wipe_script"]

_MARGIN = 0.04  # of an axis, on both sides of the data
GREY = "#757b82"  # visible on white and on black
_FEW_DECADES = 100.0  # ratio of the ends of a logarithmic axis with ticks of its own
_COLOURS = interp_palette(RdBu11, 255)  # blue below zero, red above
_GAP = 0.15  # between pictures, which have the width 1
_NAME = 0.25  # height for the name of a picture


def bokeh_script() -> str:
    """Return all of BokehJS that the charts need, to be put into the page."""
    return "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)


def wipe_script() -> str:
    """Return a function that empties all canvases of an element, for new colours."""
    return files("rosenblatt.charts").joinpath("wipe.js").read_text(encoding="utf-8")


def _ends(values: Iterable[float], log: bool) -> tuple[float, float]:
    """Return the limits of an axis; a logarithmic one shows positive values.

    Examples
    --------
    >>> _ends([0.0, float("nan"), 1.0], log=False)
    (-0.04, 1.04)
    """
    known = np.array([v for v in values if math.isfinite(v) and (v > 0 or not log)])
    if not known.size:
        return (0.1, 1.0) if log else (0.0, 1.0)
    scaled = np.log10(known) if log else known
    low, high = float(scaled.min()), float(scaled.max())
    margin = _MARGIN * (high - low) or 0.5  # one value: in the middle of something
    ends = (low - margin, high + margin)
    return (10 ** ends[0], 10 ** ends[1]) if log else ends


def _range(ends: tuple[float, float]) -> Range1d:
    return Range1d(start=ends[0], end=ends[1])


def empty_plot(**options: Any) -> Any:
    """Return an empty plot; fingers and wheels move the page until a tool is chosen."""
    usual: dict[str, Any] = {"tools": "pan,box_zoom,wheel_zoom,reset"}
    usual |= {"active_drag": None, "active_scroll": None, "toolbar_location": "above"}
    plot: Any = figure(**usual | options)
    plot.toolbar.logo = None
    plot.outline_line_color = None
    # The page paints both; white before that would leave an edge on a dark page.
    plot.background_fill_color = plot.border_fill_color = None
    for axis in plot.axis:
        axis.axis_line_color = axis.major_tick_line_color = GREY
        axis.minor_tick_line_color = None
        axis.major_label_text_font_size = "13px"
    return plot


def _add_series(
    plot: Any, index: int, series: Series, style: CurveStyle, floor: float
) -> list[Any]:
    """Draw a series; all that belongs to it has its number as a name.

    A band that goes below ``floor`` ends there. Returns what was drawn.
    """
    columns: dict[str, Any] = {"x": list(series.x), "y": list(series.y)}
    if series.low is not None and series.high is not None:
        columns["low"] = [max(value, floor) for value in series.low]
        columns["high"] = [max(value, floor) for value in series.high]
    source = ColumnDataSource(columns)

    drawn: list[Any] = []

    def draw(glyph: Glyph) -> Any:
        # The methods of the plot make four more glyphs, for what is never selected.
        drawn.append(plot.add_glyph(source, glyph, name=str(index)))
        return drawn[-1]

    colour = style.colour
    if style.band == "area":
        area: dict[str, Any] = {"fill_color": colour, "fill_alpha": 0.1}
        if style.hatch:
            area |= {"hatch_pattern": style.hatch, "hatch_color": colour}
            area |= {"hatch_alpha": 0.3, "hatch_weight": 0.7, "hatch_scale": 12}
        draw(VArea(x="x", y1="low", y2="high", **area))
    if style.band == "bars":
        bars = {"x0": "x", "y0": "low", "x1": "x", "y1": "high"}
        draw(Segment(**bars, line_color=colour, line_width=1.5))
    seen = []
    if style.dash is not None:
        line = {"line_color": colour, "line_width": 2, "line_dash": style.dash}
        steps = Step(x="x", y="y", mode="center", **line) if style.steps else None
        seen.append(draw(steps or Line(x="x", y="y", **line)))
    if style.mark is not None:
        paint = {"line_color": colour, "fill_color": colour}
        seen.append(draw(Scatter(x="x", y="y", marker=style.mark, size=7, **paint)))
    rows = [("", as_text(series.name)), ("x", "@x{%.4g}"), ("y", "@y{%.4g}")]
    if style.band != "none":
        rows.append(("from, to", "@low{%.4g}, @high{%.4g}"))
    formats: dict[str, Any] = {f"@{name}": "printf" for name in columns}
    plot.add_tools(
        HoverTool(renderers=seen, tooltips=rows, formatters=formats, visible=False)
    )
    return drawn


def _limits(data: FigureData) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the limits of both axes."""
    xs = [x for series in data.series for x in series.x]
    ys = [y for s in data.series for y in (*s.y, *(s.low or ()), *(s.high or ()))]
    return _ends(xs, data.x_log), _ends(ys, data.y_log)


def _curves(data: FigureData) -> Any:
    x_ends, y_ends = _limits(data)
    plot = empty_plot(
        sizing_mode="stretch_both",
        x_axis_type="log" if data.x_log else "linear",
        y_axis_type="log" if data.y_log else "linear",
        x_range=_range(x_ends),
        y_range=_range(y_ends),
    )
    floor = y_ends[0] if data.y_log else -math.inf
    for index, (series, style) in enumerate(styles(data)):
        _add_series(plot, index, series, style, floor)
    plot.grid.grid_line_color = "#dddddd"
    _set_ticks(plot, data)
    return plot


def _set_ticks(plot: Any, data: FigureData) -> None:
    """Set ticks at 1, 2, 5, 10, ... on logarithmic axes of less than two decades."""
    x_ends, y_ends = _limits(data)
    for axis, grid, ends, log in (
        (plot.xaxis[0], plot.xgrid[0], x_ends, data.x_log),
        (plot.yaxis[0], plot.ygrid[0], y_ends, data.y_log),
    ):
        if log and ends[1] < _FEW_DECADES * ends[0]:
            axis.ticker = grid.ticker = FixedTicker(ticks=_ticks(ends))
            axis.formatter = BasicTickFormatter()


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Return 1, 2, 5, 10, ... on both sides of an axis and a decade beyond.

    Bokeh's own are equally far apart, and overlap at the upper end.

    Examples
    --------
    >>> [tick for tick in _ticks((3.0, 30.0)) if 3 <= tick <= 30]
    [5.0, 10.0, 20.0]
    """
    first, last = (math.floor(math.log10(end)) for end in ends)
    powers = range(first - 1, last + 2)
    return [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]


def _pictures(data: FigureData) -> Any:
    """Return pictures side by side in one chart, each with a scale of its own."""
    rows = -(-len(data.pictures) // ABREAST)
    columns = min(len(data.pictures), ABREAST)
    width, height = 1 + _GAP, 1 + _GAP + _NAME
    plot = empty_plot(
        sizing_mode="stretch_both",
        x_range=_range((-_GAP, columns * width)),
        y_range=_range((-rows * height, _GAP)),
        match_aspect=True,
    )
    plot.axis.visible = plot.grid.visible = False
    for index, picture in enumerate(data.pictures):
        row, column = divmod(index, ABREAST)
        left, top = column * width, -row * height - _NAME
        pixels = np.array(picture.pixels)
        largest = float(np.abs(pixels).max()) or 1.0
        colours = LinearColorMapper(palette=_COLOURS, low=-largest, high=largest)
        below = {"image": [pixels[::-1]]}  # rows are counted from there
        shown = plot.add_glyph(
            ColumnDataSource(below),
            Image(x=left, y=top - 1, dw=1, dh=1, color_mapper=colours),
        )
        name = {"x": [left], "y": [top + 0.04], "text": [picture.name]}
        plot.add_glyph(ColumnDataSource(name), Text(text_font_size="13px"))
        rows_shown = [("", as_text(picture.name)), ("value", "@image{0.0000}")]
        plot.add_tools(HoverTool(renderers=[shown], tooltips=rows_shown, visible=False))
    return plot


def drawing(data: FigureData) -> Any:
    """Return a figure as a plot of Bokeh; names and labels are for the page to add."""
    return _pictures(data) if data.pictures else _curves(data)


def chart(data: FigureData) -> str:
    """Return a chart as JSON that BokehJS understands.

    Examples
    --------
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> made = json.loads(chart(FigureData("t", "c", "time", "error", (line,))))
    >>> sorted(made)
    ['doc', 'root_id', 'target_id', 'version']
    """
    plot = drawing(data)
    document = Document(title="")
    document.add_root(plot)
    # What ``bokeh.embed.json_item`` gives, which checks the same over and over.
    item = {
        "target_id": None,
        "root_id": plot.id,
        "doc": document.to_json(deferred=False),
        "version": bokeh_version,
    }
    text = json.dumps(item, separators=(",", ":"), allow_nan=False)
    # Bokeh counts models from the start of the process: make the names the same at
    # every call, and different for charts on one page.
    own = hashlib.sha256(repr(data).encode()).hexdigest()[:8]
    names: dict[str, str] = {}
    return re.sub(
        r'"p[0-9]{4,}"',
        lambda found: names.setdefault(found[0], f'"{own}-{len(names)}"'),
        text,
    )
