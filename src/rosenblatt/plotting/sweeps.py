"""Drawings of sweeps: lines for one axis, a heat map for two."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.plotting.curves import ERROR, EXAMPLES
from rosenblatt.plotting.figures import draw, label_ticks, new_axes

__all__ = ["sweep_plot"]

_LABELS = {
    "alpha": EXAMPLES,
    "error": ERROR,
    "example": "examples",
    "teacher.noise": "label noise $p$",
    "dim": "weights $N$",
}
_DECADE = 10.0  # ratio of the ends from which positive numbers have a logarithmic axis
_MANY = 7  # lines, as many as there are colours


def _logarithmic(values: Any) -> bool:
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    return bool(known.size and known.min() > 0 and known.max() >= _DECADE * known.min())


def _label(name: str) -> str:
    return _LABELS.get(name, name)


def _text(tick: Any) -> str:
    return f"{tick:.4g}" if isinstance(tick, float) else str(tick)


def _lines(found: xr.DataArray, x: str, value: str, ax: Axes | None) -> Figure:
    """Draw a line for each value of the other axis."""
    rows = {_label(value): found}
    for other in (str(name) for name in found.dims if name != x):
        ticks = found[other].values.tolist()
        rows = {f"{_label(other)} = {_text(t)}": found.sel({other: t}) for t in ticks}
    across = found[x].values.tolist()
    series = tuple(
        Series(name, across, row.values.tolist(), "simulation")
        for name, row in rows.items()
    )
    logs = _logarithmic(across), _logarithmic(found)
    return draw(FigureData("", "", _label(x), _label(value), series, *logs), ax)


def _map(found: xr.DataArray, x: str, value: str, ax: Axes | None) -> Figure:
    """Draw colours over two axes; each cell is one experiment."""
    (y,) = (str(name) for name in found.dims if name != x)
    figure, axes = new_axes(ax)
    shown = found.transpose(y, x)
    log = _logarithmic(shown)
    mesh = axes.imshow(
        shown.values,
        origin="lower",
        aspect="auto",
        cmap="cividis",  # the same for colour-blind readers, and in grey
        norm=LogNorm() if log else None,
    )
    for axis, name in ((axes.xaxis, x), (axes.yaxis, y)):
        texts = [_text(tick) for tick in found[name].values.tolist()]
        step = -(-len(texts) // 8)  # as many as there is room for
        axis.set_ticks(range(0, len(texts), step), texts[::step])
        axis.set_label_text(_label(name))
    bar = figure.colorbar(mesh, ax=axes, label=_label(value))
    if log:
        label_ticks(bar.ax.yaxis)
    return figure


def sweep_plot(
    dataset: xr.Dataset,
    x: str | None = None,
    *,
    value: str = "error",
    kind: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Return a drawing of a sweep: lines or a heat map of one of its variables.

    Of several replicas the median is drawn. At most two dimensions may be left: select
    others first, with ``dataset.sel(alpha=100)`` say.

    Parameters
    ----------
    dataset
        A result of :func:`rosenblatt.sweep` or :func:`rosenblatt.open_sweep`.
    x
        The dimension along the horizontal axis; by default ``alpha`` if there is one,
        else the last.
    value
        The variable that is drawn.
    kind
        ``"lines"`` or ``"map"``; by default lines, and a map if there would be more
        than seven.
    ax
        Axes to draw into; by default those of a new figure.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curves = rb.sweep(
    ...     "solve", {"rule": rb.rules.Hebb(), "schedule": rb.schedules.Constant(),
    ...               "teacher": rb.teachers.Sign(), "alpha": [1, 10, 100]},
    ...     axes={"teacher.noise": [0.0, 0.1]}, cores=0)
    >>> lines = sweep_plot(curves).axes[0].lines
    >>> [line.get_label() for line in lines]
    ['label noise $p$ = 0', 'label noise $p$ = 0.1']
    """
    if value not in dataset:
        known = ", ".join(map(str, dataset))
        raise ValueError(f"value must be one of {known}, got {value!r}")
    found = dataset[value]
    if "replica" in found.dims:
        found = found.median("replica")
    found = found.squeeze()
    names = [str(name) for name in found.dims]
    if not 1 <= len(names) <= 2:
        raise ValueError(
            f"{value!r} must have one or two dimensions beside replicas, got {names}: "
            "select values of the others first"
        )
    if x is None:
        x = "alpha" if "alpha" in names else names[-1]
    if x not in names:
        raise ValueError(f"x must be one of {', '.join(names)}, got {x!r}")
    lines = found.size // found.sizes[x]
    can = {
        "lines": lines <= _MANY and np.issubdtype(found[x].dtype, np.number),
        "map": len(names) == 2,
    }
    chosen = kind or ("lines" if can["lines"] else "map")
    if not can.get(chosen):
        raise ValueError(
            f'kind must be "lines" (at most {_MANY}, over numbers) or "map" (of two '
            f"dimensions), got {chosen!r} for {lines} x {found.sizes[x]} values"
        )
    return (_lines if chosen == "lines" else _map)(found, x, value, ax)
