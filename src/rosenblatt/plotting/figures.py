"""Drawing of the data of a figure, on axes or as bytes of files."""

from __future__ import annotations

import io
import math
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from PIL import Image  # matplotlib writes its pictures with it

from rosenblatt.core.figures import ABREAST, FigureData, style_of
from rosenblatt.core.formulas import as_mathtext

__all__ = ["draw", "label_ticks", "new_axes", "renderings"]

_SIZE = (6.4, 4.2)  # inches: readable in one column of print and on a phone
_DOTS = 160  # per inch
_DASHES = {"solid": "-", "dashed": "--", "dotted": ":", None: ""}
_MARKS = {"circle": "o", "x": "x", "square": "s", None: ""}
_GREY = "#555555"
_NAMES = 4  # in a legend that finds room beside the curves
_LINE = 0.22  # inches of a line of the legend
_SHORT = 1e3  # ratio of the ends of a logarithmic axis that has 2 and 5 beside 1
_DECADES = 1e-4, 1e5  # between which numbers are written without a power of ten
_FEW_TICKS = 4
_FEW_COLOURS = 256  # of a picture
_WHITE = 255  # which counting colours makes a little darker
_ROUNDING = 1e-9  # of a logarithm that should be whole
_RAISED = str.maketrans(
    "-0123456789",
    "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
)


def _style(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_GREY)
    axes.tick_params(which="both", colors=_GREY, labelcolor="black")
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _power(value: float, _position: float | None) -> str:
    """Return a power of ten as text, which is drawn faster than a formula."""
    return f"10{str(round(math.log10(value))).translate(_RAISED)}"


def _plain(value: float, position: float | None) -> str:
    """Return a number as text, without an exponent if it is neither large nor small."""
    if _DECADES[0] <= value < _DECADES[1]:
        return f"{value:g}"
    exponent = math.floor(math.log10(value) + _ROUNDING)
    factor = round(value / 10.0**exponent)
    power = _power(10.0**exponent, position)
    return power if factor == 1 else f"{factor}\u00b7{power}"


def label_ticks(axis: Axis) -> None:
    """Label a logarithmic axis: powers of ten, and numbers between if it is short.

    Even the shortest axis has three labels.
    """
    low, high = sorted(axis.get_view_interval())
    if high < _SHORT * low:
        subs = (2, 5) if high > 10 * low else tuple(range(2, 10))
        axis.set_minor_locator(LogLocator(subs=subs))
        if high < 2 * low:  # less than a factor of two has no such numbers
            axis.set_major_locator(MaxNLocator(_FEW_TICKS))
            axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(_plain)
        axis.set_minor_formatter(_plain)
    else:
        axis.set_major_formatter(_power)
        axis.set_minor_locator(NullLocator())  # there would be many, which take time


def _covers(axes: Axes, legend: Legend, data: FigureData) -> bool:
    """Return whether a legend lies on points of the series."""
    box = legend.get_window_extent()
    with np.errstate(invalid="ignore", divide="ignore"):  # zero on a logarithmic axis
        return any(
            box.contains(x, y)
            for one in data.series
            for x, y in axes.transData.transform(np.column_stack([one.x, one.y]))
        )


def _name(figure: Figure, axes: Axes, data: FigureData) -> None:
    """Write the legend: beside the curves, or below if there is no room for it."""
    names = len(axes.get_legend_handles_labels()[1])
    if names <= _NAMES:
        legend = axes.legend(framealpha=0.8, edgecolor="none")  # curves shine through
        figure.draw_without_rendering()  # which decides where it stands
        if not _covers(axes, legend, data):
            return
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + _LINE * -(-names // 2))
    axes.legend(frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.15))


def _draw_pictures(figure: Figure, data: FigureData) -> None:
    """Show pictures side by side, about as many in a row as there are rows."""
    columns = min(len(data.pictures), ABREAST)
    panels = figure.subplots(
        -(-len(data.pictures) // columns), columns, squeeze=False
    ).ravel()
    for axes in panels:
        axes.set_axis_off()
    for axes, picture in zip(panels, data.pictures, strict=False):
        pixels = np.array(picture.pixels)
        largest = float(np.abs(pixels).max()) or 1.0
        # Red and blue of equal lightness, white for zero.
        axes.imshow(
            pixels, cmap="RdBu_r", vmin=-largest, vmax=largest, interpolation="nearest"
        )
        axes.set_title(picture.name, fontsize="small")
    figure.suptitle(data.title, x=0.01, ha="left", fontsize="medium")


def _new_figure() -> Figure:
    return Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")


def new_axes(ax: Axes | None) -> tuple[Figure, Axes]:
    """Return the given axes, or new ones, and their figure."""
    if ax is not None:
        return cast(Figure, ax.get_figure()), ax
    figure = _new_figure()
    return figure, figure.add_subplot()


def draw(data: FigureData, ax: Axes | None = None) -> Figure:
    """Return a drawing of the data of a figure.

    Parameters
    ----------
    data
        Figure to draw.
    ax
        Axes to draw curves into, for a figure of your own; by default a new figure.

    Examples
    --------
    >>> from rosenblatt.core.figures import Series
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> drawing = draw(FigureData("An error", "It falls.", "time", "error", (line,)))
    >>> [text.get_text() for text in drawing.axes[0].get_legend().get_texts()]
    ['error']
    """
    if ax is not None:
        _draw_curves(ax, data)
        ax.legend(framealpha=0.8, edgecolor="none")
        return new_axes(ax)[0]
    if data.pictures:
        figure = _new_figure()
        _draw_pictures(figure, data)
        return figure
    figure, axes = new_axes(None)
    _style(axes)
    _draw_curves(axes, data)
    _name(figure, axes, data)
    return figure


def _draw_curves(axes: Axes, data: FigureData) -> None:
    """Draw the series of a figure; colours go on where those of the axes ended."""
    before = len(axes.get_legend_handles_labels()[1])
    for index, series in enumerate(data.series, before):
        curve = style_of(series, index)
        style: dict[str, Any] = {
            "color": curve.colour,
            "label": as_mathtext(series.name),
            "linewidth": 1.6,
            "marker": _MARKS[curve.mark],
            "linestyle": _DASHES[curve.dash],
        }
        band = np.array([series.low, series.high]) if curve.band != "none" else None
        if curve.dash is None:
            bars = None if band is None else np.abs(band - np.array(series.y))
            axes.errorbar(series.x, series.y, yerr=bars, **style)
            continue
        if band is not None:
            axes.fill_between(
                series.x,
                *band,
                facecolor=(curve.colour, 0.15),
                edgecolor=(curve.colour, 0.5),
                hatch=3 * curve.hatch,
                linewidth=0.4,
            )
        drawstyle = "steps-mid" if curve.steps else "default"
        axes.plot(series.x, series.y, drawstyle=drawstyle, **style)
    axes.set(
        xscale="log" if data.x_log else "linear",
        yscale="log" if data.y_log else "linear",
        xlabel=data.x_label,
        ylabel=data.y_label,
    )
    for axis, log in ((axes.xaxis, data.x_log), (axes.yaxis, data.y_log)):
        if log:
            label_ticks(axis)
    axes.set_title(as_mathtext(data.title), loc="left", fontsize="medium")


def renderings(data: FigureData) -> tuple[bytes, bytes]:
    r"""Return a drawing as PNG and as PDF, with one layout.

    Examples
    --------
    >>> from rosenblatt.core.figures import Series
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> data = FigureData("An error", "It falls.", "time", "error", (line,))
    >>> [file[:4] for file in renderings(data)]
    [b'\x89PNG', b'%PDF']
    """
    figure = draw(data)
    canvas: Any = FigureCanvasAgg(figure)  # of which matplotlib does not say the types
    canvas.draw()
    figure.set_layout_engine(None)  # everything stays where it is
    return _png(canvas), _pdf(figure)


def _png(canvas: Any) -> bytes:
    """Return a PNG with a palette, a third of the size."""
    pixels = np.asarray(canvas.buffer_rgba())[..., :3]
    few = Image.fromarray(np.ascontiguousarray(pixels)).quantize(
        _FEW_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )
    palette = few.getpalette() or []
    few.putpalette([_WHITE if value >= _WHITE - 1 else value for value in palette])
    file = io.BytesIO()
    few.save(file, format="png")
    return file.getvalue()


def _pdf(figure: Figure) -> bytes:
    # Dates and versions would make every file different.
    unsaid = dict.fromkeys(("CreationDate", "Creator", "Producer"))
    file = io.BytesIO()
    canvas: Any = FigureCanvasPdf(figure)
    canvas.print_pdf(file, metadata=unsaid)
    return file.getvalue()
