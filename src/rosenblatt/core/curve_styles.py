"""Colours and marks of curves, the same for print and screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rosenblatt.core.figures import FigureData, Role, Series

ABREAST = 5  # pictures in a row

# Blue, vermilion, green, purple, orange, black, sky blue: colour-blind readers tell
# them apart (Okabe and Ito, 2008).
BLACK = "#000000"  # a dark page shows it as white
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    BLACK,
    "#56B4E9",
)

_HATCHES = ("", "/", "\\", ".")
Dash = Literal["solid", "dashed", "dotted"]
Mark = Literal["circle", "x", "square"]

_DASHES: dict[Role, Dash] = {
    "simulation": "solid",
    "theory": "dashed",
    "published": "dotted",
}
_MARKS: dict[Role, Mark] = {
    "simulation": "circle",
    "theory": "x",
    "published": "square",
}


@dataclass(frozen=True)
class CurveStyle:
    """Style of a series, in print and on screen.

    Parameters
    ----------
    colour
        As ``#rrggbb``.
    dash
        Dashes of the line, None without a line.
    mark
        At its points, None if they have none.
    steps
        Whether the line is a histogram's.
    band
        Drawing from ``low`` to ``high``.
    hatch
        Pattern of an area, by which areas that overlap differ; empty for none.
    """

    colour: str
    dash: Dash | None
    mark: Mark | None
    steps: bool
    band: Literal["none", "area", "bars"]
    hatch: str


def style_of(series: Series, index: int) -> CurveStyle:
    """Return the style of a series, the ``index``-th of a figure.

    Examples
    --------
    >>> style_of(Series("a line", x=[1, 2], y=[3, 4], role="theory"), 1)
    ... # doctest: +NORMALIZE_WHITESPACE
    CurveStyle(colour='#D55E00', dash='dashed', mark=None, steps=False, band='none',
    hatch='/')
    """
    points = series.shape == "points"
    alone = len(series.x) == 1  # one point makes no line
    mark = _MARKS[series.role] if points else "circle" if alone else None
    band: Literal["none", "area", "bars"] = "none"
    if series.low is not None:
        band = "bars" if points else "area"
    return CurveStyle(
        colour=COLOURS[index % len(COLOURS)],
        dash=None if points else _DASHES[series.role],
        mark=mark,
        steps=series.shape == "steps",
        band=band,
        hatch=_HATCHES[index % len(_HATCHES)],
    )


def styles(data: FigureData) -> list[tuple[Series, CurveStyle]]:
    """Return the series of a figure, each with its style."""
    return [
        (series, style_of(series, index)) for index, series in enumerate(data.series)
    ]
