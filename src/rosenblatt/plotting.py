"""Figures for print and screen: the only module that knows matplotlib.

Everything goes through matplotlib's objects, nothing through the state of pyplot: it
works without a screen and in several threads.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from PIL import Image  # matplotlib writes its pictures with it

from rosenblatt.core.figures import FigureData, Role, Series
from rosenblatt.core.looks import ABREAST, looks

__all__ = ["draw", "learning_curve", "render", "renderings"]

_SIZE = (6.4, 4.2)  # inches: readable in one column of print and on a phone
_DOTS = 160  # per inch
_DASHES = {"solid": "-", "dashed": "--", "dotted": ":", None: ""}
_MARKS = {"circle": "o", "x": "x", "square": "s", None: ""}
_FEW_COLOURS = 256  # of a picture
_GREY = "#555555"
_NAMES = 4  # in a legend that finds room beside the curves
_LINE = 0.22  # inches of a line of the legend
_SHORT = 100.0  # ratio of the ends of a logarithmic axis without powers of ten
_FEW = 20  # replicas below which a 5-95% band is drawn from less than one on each side


def _style(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_GREY)
    axes.tick_params(which="both", colors=_GREY, labelcolor="black")
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _plain(axis: Axis) -> None:
    """Write numbers on a logarithmic axis that is too short for powers of ten."""
    low, high = sorted(axis.get_view_interval())
    if high < _SHORT * low:
        subs = (2, 5) if high > 10 * low else (2, 3, 4, 6)
        axis.set_minor_locator(LogLocator(subs=subs))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("{x:g}")


def _name(figure: Figure, axes: Axes) -> None:
    """Say what the curves are: beside them, or below if there are many."""
    names = len(axes.get_legend_handles_labels()[1])
    if names <= _NAMES:
        axes.legend(framealpha=0.8, edgecolor="none")  # curves shine through
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


def draw(data: FigureData) -> Figure:
    """Return a drawing of what a figure shows.

    Examples
    --------
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> drawing = draw(FigureData("An error", "It falls.", "time", "error", (line,)))
    >>> [text.get_text() for text in drawing.axes[0].get_legend().get_texts()]
    ['error']
    """
    figure = Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")
    if data.pictures:
        _draw_pictures(figure, data)
        return figure
    axes = figure.add_subplot()
    _style(axes)
    for series, look in looks(data):
        style: dict[str, Any] = {
            "color": look.colour,
            "label": series.name,
            "linewidth": 1.6,
            "marker": _MARKS[look.mark],
            "linestyle": _DASHES[look.dash],
        }
        band = np.array([series.low, series.high]) if look.band != "none" else None
        if look.dash is None:
            bars = None if band is None else np.abs(band - np.array(series.y))
            axes.errorbar(series.x, series.y, yerr=bars, **style)
            continue
        if band is not None:
            axes.fill_between(
                series.x, *band, color=look.colour, alpha=0.2, linewidth=0
            )
        drawstyle = "steps-mid" if look.steps else "default"
        axes.plot(series.x, series.y, drawstyle=drawstyle, **style)
    axes.set(
        xscale="log" if data.x_log else "linear",
        yscale="log" if data.y_log else "linear",
        xlabel=data.x_label,
        ylabel=data.y_label,
    )
    for axis, log in ((axes.xaxis, data.x_log), (axes.yaxis, data.y_log)):
        if log:
            _plain(axis)
    axes.set_title(data.title, loc="left", fontsize="medium")
    _name(figure, axes)
    return figure


def render(data: FigureData, form: Literal["pdf", "png"]) -> bytes:
    """Return a drawing as the bytes of a file, the same at every call.

    Examples
    --------
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> render(FigureData("An error", "It falls.", "time", "error", (line,)), "pdf")[:4]
    b'%PDF'
    """
    return _saved(draw(data), form)


def renderings(data: FigureData) -> tuple[bytes, bytes]:
    r"""Return a drawing as PNG and as PDF; where things go is worked out once.

    Examples
    --------
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> data = FigureData("An error", "It falls.", "time", "error", (line,))
    >>> [file[:4] for file in renderings(data)]
    [b'\x89PNG', b'%PDF']
    """
    figure = draw(data)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return _saved(figure, "png"), _saved(figure, "pdf")


def _saved(figure: Figure, form: str) -> bytes:
    # Dates and versions would make every file different.
    unsaid = ("CreationDate", "Creator", "Producer") if form == "pdf" else ("Software",)
    file = io.BytesIO()
    figure.savefig(file, format=form, metadata=dict.fromkeys(unsaid))
    return _smaller(file) if form == "png" else file.getvalue()


def _smaller(file: io.BytesIO) -> bytes:
    """Return a picture of few colours, which is all that a drawing needs: a third."""
    smaller = io.BytesIO()
    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(_FEW_COLOURS, dither=Image.Dither.NONE)
        few.save(smaller, format="png")
    return smaller.getvalue()


def _time(result: xr.Dataset) -> str:
    """Return what a result counts time by: examples of machines, alpha of others."""
    return "example" if "example" in result.dims else "alpha"


def _curve(result: xr.Dataset, name: str) -> Series:
    """Return the median of a result and its band, or the lines of a few replicas."""
    time = _time(result)
    when, errors = result[time].values, result["error"].values
    seen = when > 0  # which a logarithmic axis can show
    if not seen.any():
        raise ValueError(f"dataset must have a positive {time}, got none")
    times, errors = when[seen].tolist(), errors[:, seen]
    role: Role = "theory" if result.attrs.get("engine") == "theory" else "simulation"
    if len(errors) == 1:
        return Series(name, times, errors[0].tolist(), role)
    if len(errors) < _FEW:
        # One series, in one colour; what is not a number parts the lines.
        gaps = np.pad(errors, ((0, 0), (0, 1)), constant_values=np.nan)
        lines = ([*times, np.nan] * len(errors), gaps.ravel().tolist())
        return Series(f"{name}, {len(errors)} replicas", *lines, role)
    low, middle, high = np.quantile(errors, [0.05, 0.5, 0.95], axis=0).tolist()
    label = f"{name}, median and 5-95% of {len(errors)}"
    return Series(label, times, middle, role, low=low, high=high)


def _classes(result: xr.Dataset) -> list[Series]:
    """Return a curve for each schedule, and the least error there can be."""
    names = [str(name) for name in result["schedule"].values]
    first, *others = (_curve(result.sel(schedule=name), name) for name in names)
    # what the bands are is said once
    rest = zip(others, names[1:], strict=True)
    series = [first, *(replace(curve, name=name) for curve, name in rest)]
    if "bayes_error" in result.attrs:
        times, least = series[0].x, result.attrs["bayes_error"]
        ends = [np.nanmin(times), np.nanmax(times)]
        series.append(Series("Bayes", ends, [least, least], "theory"))
    return series


def learning_curve(dataset: xr.Dataset, theory: xr.Dataset | None = None) -> Figure:
    """Return a drawing of the error against the number of examples.

    Parameters
    ----------
    dataset
        A result of :func:`rosenblatt.simulate`, ``simulate_machine`` or
        ``simulate_classes``: from 20 replicas on as the median and a band that holds
        90% of them, fewer as lines; one curve for each schedule.
    theory
        A result of :func:`rosenblatt.solve` to draw beside it.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curve = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 10, 100])
    >>> learning_curve(curve).axes[0].get_xscale()
    'log'
    """
    size = dataset.attrs.get("dim", np.inf)
    name = f"N = {size:g}" if np.isfinite(size) else "N to infinity"
    label = r"examples per dimension $\alpha$"
    if _time(dataset) == "example":
        name, label = dataset.attrs.get("machine", "").partition("(")[0], "examples"
    several = "schedule" in dataset.dims
    series = _classes(dataset) if several else [_curve(dataset, name)]
    if theory is not None:
        series.append(_curve(theory, "theory, N to infinity"))
    return draw(
        FigureData(
            title="",
            caption="",
            x_label=label,
            y_label=r"error $\epsilon_g$",
            series=tuple(series),
            x_log=True,
            y_log=True,
        )
    )
