"""Figures of papers as they are, to zoom into."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.layouts import column, row
from bokeh.models import ColumnDataSource, Div, Whisker
from bokeh.palettes import RdBu11

from rosenblatt.core.curve_styles import COLOURS
from rosenblatt.core.figures import FigureData, Picture, Series
from rosenblatt.web.style import legend, plain, plot, wide

__all__ = ["draw", "show"]

_DASHES = {"simulation": "solid", "theory": "dashed", "published": "dotted"}


def _points(found: Any, series: Series, colour: str, name: str) -> None:
    source = ColumnDataSource({"x": series.x, "y": series.y})
    found.scatter(
        "x", "y", source=source, color=colour, size=6, fill_alpha=0.7, legend_label=name
    )
    if series.low is not None and series.high is not None:
        source.add(series.low, "low")
        source.add(series.high, "high")
        found.add_layout(
            Whisker(
                base="x", lower="low", upper="high", source=source, line_color=colour
            )
        )


def _steps(found: Any, series: Series, colour: str, name: str) -> None:
    found.step(
        series.x, series.y, mode="center", color=colour, line_width=2, legend_label=name
    )


def _line(found: Any, series: Series, colour: str, name: str) -> None:
    if series.low is not None and series.high is not None:
        found.varea(series.x, series.low, series.high, color=colour, fill_alpha=0.15)
    found.line(
        series.x,
        series.y,
        color=colour,
        line_width=2,
        line_dash=_DASHES[series.role],
        legend_label=name,
        name=series.name,
    )


_SHAPES = {"points": _points, "steps": _steps, "line": _line}


def _curves(data: FigureData) -> Any:
    found = plot(
        data.title,
        height=440,
        x_axis_type="log" if data.x_log else "linear",
        y_axis_type="log" if data.y_log else "linear",
        x_axis_label=plain(data.x_label),
        y_axis_label=plain(data.y_label),
        title=plain(data.title),
    )
    for i, series in enumerate(data.series):
        colour = COLOURS[i % len(COLOURS)]
        _SHAPES[series.shape](found, series, colour, plain(series.name))
    legend(found, "top_left")
    found.add_layout(found.legend[0], "below")
    found.legend.ncols, found.legend.spacing = 2, 8
    return found


def _picture(picture: Picture) -> Any:
    pixels = np.array(picture.pixels)
    most = float(np.abs(pixels).max()) or 1.0
    found = plot(
        picture.name,
        height=190,
        tools="save",
        title=plain(picture.name),
        x_range=(0, pixels.shape[1]),
        y_range=(pixels.shape[0], 0),
    )
    found.sizing_mode, found.width = "fixed", 180
    height, width = pixels.shape
    palette = RdBu11  # red above zero, blue below
    colours = np.interp(pixels, [-most, most], [0, len(palette) - 1]).round()
    found.image([colours], x=0, y=0, dw=width, dh=height, palette=palette)
    found.axis.visible = found.grid.visible = False
    return found


def draw(data: FigureData) -> Any:
    """Return a figure of a paper with its caption."""
    caption = Div(
        text=plain(data.caption),
        render_as_text=True,
        **wide(),
    )
    if data.pictures:
        shown = row(
            *map(_picture, data.pictures),
            styles={"flex-wrap": "wrap"},
            sizing_mode="stretch_width",
        )
    else:
        shown = _curves(data)
    return column(shown, caption, sizing_mode="stretch_width")


def show(place: Any, data: FigureData) -> None:
    """Show a figure in a column; the lines of one that is there already grow."""
    lines = [place.select_one({"name": series.name}) for series in data.series]
    if not data.series or None in lines:
        place.children = [draw(data)]
        return
    for line, series in zip(lines, data.series, strict=True):
        line.data_source.data = {"x": series.x, "y": series.y}
