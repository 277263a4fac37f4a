"""Figures of papers as they are, to zoom into."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from bokeh.layouts import column, row
from bokeh.models import Div, Legend
from bokeh.palettes import RdBu11

from rosenblatt.charts.charts import add_series, limits, set_ticks
from rosenblatt.charts.labels import as_html, as_text
from rosenblatt.core.curve_styles import styles
from rosenblatt.core.figures import FigureData, Picture
from rosenblatt.lab.style import legend, plot, wide

__all__ = ["draw", "show"]


_PLOT, _ENTRY = 380, 26  # heights of a plot and of an entry of its legend


def _curves(data: FigureData) -> Any:
    found = plot(
        as_text(data.title),
        height=_PLOT + _ENTRY * len(data.series),
        x_axis_type="log" if data.x_log else "linear",
        y_axis_type="log" if data.y_log else "linear",
        x_axis_label=as_text(data.x_label),
    )
    floor = limits(data)[1][0] if data.y_log else -math.inf
    items = [
        (as_text(series.name), add_series(found, index, series, style, floor))
        for index, (series, style) in enumerate(styles(data))
    ]
    set_ticks(found, data)
    found.add_layout(Legend(items=items), "below")
    legend(found, "top_left")
    found.legend.spacing = 8
    return found


def _picture(picture: Picture) -> Any:
    pixels = np.array(picture.pixels)
    most = float(np.abs(pixels).max()) or 1.0
    found = plot(
        picture.name,
        height=175,
        tools="save",
        title=as_text(picture.name),
        x_range=(0, pixels.shape[1]),
        y_range=(pixels.shape[0], 0),
    )
    found.sizing_mode, found.width = "fixed", 165  # two fit on a phone
    height, width = pixels.shape
    palette = RdBu11  # red above zero, blue below
    colours = np.interp(pixels, [-most, most], [0, len(palette) - 1]).round()
    found.image([colours], x=0, y=0, dw=width, dh=height, palette=palette)
    found.axis.visible = found.grid.visible = False
    return found


def draw(data: FigureData) -> Any:
    """Return a figure of a paper, with its title and caption."""
    title = Div(text=f"<strong>{as_html(data.title)}</strong>", **wide())
    caption = Div(text=as_html(data.caption), **wide())
    if data.pictures:
        shown = row(
            *map(_picture, data.pictures),
            styles={"flex-wrap": "wrap"},
            sizing_mode="stretch_width",
        )
    else:
        title.text += f"<p>{as_html(data.y_label)}</p>"  # a canvas has no formulas
        shown = _curves(data)
    return column(title, shown, caption, sizing_mode="stretch_width")


def show(place: Any, data: FigureData) -> None:
    """Show a figure in a column; the lines of one that is there already grow."""
    # One point is no line yet.
    lines = [[series.name, len(series.x) > 1] for series in data.series]
    if not lines or not place.children or place.tags != lines:
        place.children, place.tags = [draw(data)], lines
        return
    for index, series in enumerate(data.series):
        for line in place.select({"name": str(index)}):
            line.data_source.data = {"x": series.x, "y": series.y}
