"""Drawings of a figure: PNG, PDF and Bokeh chart."""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.charts.charts import chart
from rosenblatt.core.figures import FigureData
from rosenblatt.plotting import renderings

__all__ = ["Drawing", "draw"]


@dataclass(frozen=True)
class Drawing:
    """A figure as PNG, as PDF, and as JSON for BokehJS."""

    png: bytes
    pdf: bytes
    chart: str


def draw(data: FigureData) -> Drawing:
    """Draw a figure in all forms.

    Examples
    --------
    >>> from rosenblatt.core.figures import Series
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> draw(FigureData("An error", "It falls.", "time", "error", (line,))).png[1:4]
    b'PNG'
    """
    return Drawing(*renderings(data), chart(data))
