"""Figures and tables as data, independent of how they are drawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

__all__ = [
    "ABREAST",
    "BLACK",
    "COLOURS",
    "CurveStyle",
    "FigureData",
    "Picture",
    "Role",
    "Series",
    "Shape",
    "TableData",
    "comma_separated",
    "style_of",
    "styles",
]

Role = Literal["simulation", "theory", "published"]
Shape = Literal["line", "points", "steps"]
Cell = str | float | int | None


def _floats(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


@dataclass(frozen=True)
class Series:
    """One curve, with a band around it if it has one.

    Parameters
    ----------
    name, role
        Name in the legend; ``"simulation"``, ``"theory"`` or ``"published"``.
    x, y
        The points; kept as tuples.
    low, high
        Ends of the band at each point, error bars if the shape is points; both or
        neither.
    shape
        ``"line"`` joins the points, ``"points"`` does not, ``"steps"`` draws a
        histogram whose bins have the points in their middle.

    Examples
    --------
    >>> Series("a line", x=[1, 2], y=[3, 4], role="theory").y
    (3.0, 4.0)
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    role: Role
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    shape: Shape = "line"

    def __post_init__(self) -> None:
        if self.shape not in get_args(Shape):
            raise ValueError(
                f"shape of series {self.name!r} must be one of "
                f"{', '.join(get_args(Shape))}, got {self.shape!r}"
            )
        if (self.low is None) != (self.high is None):
            raise ValueError(f"series {self.name!r} must have both low and high")
        for field in ("x", "y", "low", "high"):
            values = getattr(self, field)
            if values is None:
                continue
            object.__setattr__(self, field, _floats(values))
            if len(values) != len(self.x) or len(values) == 0:
                raise ValueError(
                    f"{field} of series {self.name!r} must have one number per point "
                    f"and at least one, got {len(values)} for {len(self.x)} points"
                )


@dataclass(frozen=True)
class Picture:
    """Numbers in rows and columns, shown as colours: blue below zero, red above.

    Parameters
    ----------
    name
        Title that stands above it.
    pixels
        The numbers, row by row; kept as tuples.

    Examples
    --------
    >>> Picture("a square", [[0, 1], [1, 0]]).pixels
    ((0.0, 1.0), (1.0, 0.0))
    """

    name: str
    pixels: Sequence[Sequence[float]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pixels", tuple(_floats(row) for row in self.pixels))
        widths = {len(row) for row in self.pixels}
        if len(widths) != 1 or widths == {0}:
            raise ValueError(
                f"pixels of picture {self.name!r} must be rows of one length, "
                f"got lengths {sorted(widths)}"
            )


@dataclass(frozen=True)
class FigureData:
    """All that a figure shows: curves, or pictures.

    Parameters
    ----------
    title, caption
        A few words, and what a reader has to know, in plain text.
    x_label, y_label
        Labels of the axes; TeX between dollar signs is allowed.
    series
        The curves, the most important first; none if there are pictures.
    x_log, y_log
        Whether an axis is logarithmic.
    pictures
        Shown side by side, each with a scale of its own, instead of curves.

    Examples
    --------
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> FigureData("An error", "It falls.", "time", "error", (line,)).rows()[1]
    ('error', 'theory', 1.0, 0.5, None, None)
    """

    title: str
    caption: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_log: bool = False
    y_log: bool = False
    pictures: tuple[Picture, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.series) == bool(self.pictures):
            raise ValueError(
                f"figure {self.title!r} must have at least one series, or else pictures"
            )
        names = [series.name for series in self.series]
        names += [picture.name for picture in self.pictures]
        if len(set(names)) < len(names):
            raise ValueError(f"series must have different names, got {names}")

    def rows(self) -> list[tuple[Cell, ...]]:
        """Return a heading and one row per point, or per pixel."""
        if self.pictures:
            pixels: list[tuple[Cell, ...]] = [
                (picture.name, row, column, value)
                for picture in self.pictures
                for row, values in enumerate(picture.pixels)
                for column, value in enumerate(values)
            ]
            return [("picture", "row", "column", "value"), *pixels]
        rows: list[tuple[Cell, ...]] = [("series", "role", "x", "y", "low", "high")]
        for s in self.series:
            nothing = (None,) * len(s.x)
            points = zip(s.x, s.y, s.low or nothing, s.high or nothing, strict=True)
            rows += [(s.name, s.role, *point) for point in points]
        return rows


@dataclass(frozen=True)
class TableData:
    """All that a table shows.

    Examples
    --------
    >>> TableData("Errors", "At time 1.", ("rule", "error"), (("Hebb", 0.3),)).rows()
    [('rule', 'error'), ('Hebb', 0.3)]
    """

    title: str
    caption: str
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.cells:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"rows of table {self.title!r} must have {len(self.columns)} "
                    f"cells, got {row}"
                )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Return a heading and the rows."""
        return [self.columns, *self.cells]


def comma_separated(data: FigureData | TableData) -> bytes:
    """Return the data as CSV, with all digits."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(data.rows())
    return file.getvalue().encode()


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
