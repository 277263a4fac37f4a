"""Drawings of learning curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr

from rosenblatt.core.figures import FigureData, Role, Series
from rosenblatt.system.extras import missing

try:
    from matplotlib.figure import Figure
except ImportError as failure:
    raise missing("matplotlib", "drawing") from failure

from rosenblatt.plotting.drawing import draw

__all__ = ["learning_curve"]

_FEW = 20  # replicas below which a 5-95% band is drawn from less than one on each side


def _time(result: xr.Dataset) -> str:
    """Return the coordinate of time: examples for machines, else alpha."""
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
