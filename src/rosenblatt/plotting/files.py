"""Drawings as files."""

from __future__ import annotations

import io
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, TICKLEFT
from matplotlib.ticker import NullFormatter, NullLocator
from matplotlib.transforms import Transform
from PIL import Image  # matplotlib writes its pictures with it

from rosenblatt.core.figures import FigureData
from rosenblatt.plotting.drawing import GREY, draw

__all__ = ["render", "renderings"]

_FEW_COLOURS = 256  # of a picture
_WHITE = 255  # which counting colours makes a little darker
_TICK, _TICK_WIDTH = 2, 0.6  # points, as those of matplotlib between powers of ten


def render(data: FigureData, form: Literal["pdf", "png"]) -> bytes:
    """Return a drawing as the bytes of a file, the same at every call.

    Examples
    --------
    >>> from rosenblatt.core.figures import Series
    >>> line = Series("error", x=[1, 10], y=[0.5, 0.1], role="theory")
    >>> render(FigureData("An error", "It falls.", "time", "error", (line,)), "pdf")[:4]
    b'%PDF'
    """
    return renderings(data)[("png", "pdf").index(form)]


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
    for axes in figure.axes:
        _freeze_ticks(axes)
    canvas: Any = FigureCanvasAgg(figure)  # of which matplotlib does not say the types
    canvas.draw()
    figure.set_layout_engine(None)  # everything stays where it is
    return _png(canvas), _pdf(figure)


def _freeze_ticks(axes: Axes) -> None:
    """Draw the ticks without numbers as one collection, which is much faster."""
    sides: tuple[tuple[Axis, Transform, Any], ...] = (
        (axes.xaxis, axes.get_xaxis_transform(), TICKDOWN),
        (axes.yaxis, axes.get_yaxis_transform(), TICKLEFT),
    )
    for axis, transform, mark in sides:
        if not isinstance(axis.get_minor_formatter(), NullFormatter):
            continue
        low, high = sorted(axis.get_view_interval())
        ticks = axis.get_minorticklocs()
        places = [ticks[(low <= ticks) & (ticks <= high)]]
        places.insert(axis is axes.xaxis, np.zeros_like(places[0]))
        axis.set_minor_locator(NullLocator())
        axes.add_artist(
            Line2D(
                *places,
                linestyle="",
                marker=mark,
                markersize=_TICK,
                markeredgewidth=_TICK_WIDTH,
                color=GREY,
                transform=transform,
                clip_on=False,
                in_layout=False,
            )
        )


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
