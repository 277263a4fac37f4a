"""Drawings of learning curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from rosenblatt.core.figures import FigureData, Role, Series
from rosenblatt.system.extras import missing

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError as failure:
    raise missing("matplotlib", "drawing") from failure

from rosenblatt.plotting.figures import draw

__all__ = ["ERROR", "EXAMPLES", "LIMIT", "learning_curve"]

EXAMPLES = r"examples per weight $\alpha$"
ERROR = r"error $\epsilon_g$"
LIMIT = r"$N \to \infty$"
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


def _series(dataset: xr.Dataset, label: str | None) -> list[Series]:
    """Return the curves of a result."""
    if "schedule" in dataset.dims:
        return _classes(dataset)
    size = dataset.attrs.get("dim", np.inf)
    name = f"$N = {size:g}$" if np.isfinite(size) else LIMIT
    if _time(dataset) == "example":
        name = dataset.attrs.get("machine", "").partition("(")[0]
    return [_curve(dataset, name if label is None else label)]


def learning_curve(
    dataset: xr.Dataset | Mapping[str, xr.Dataset],
    theory: xr.Dataset | None = None,
    *,
    ax: Axes | None = None,
    label: str | None = None,
) -> Figure:
    """Return a drawing of the error against the number of examples.

    Parameters
    ----------
    dataset
        A result of :func:`rosenblatt.simulate`, ``simulate_machine`` or
        ``simulate_classes``, or several results, each with the name of its curve. From
        20 replicas on, the median and a band that holds 90% of them are drawn; fewer
        are drawn as lines. Each schedule has a curve.
    theory
        A result of :func:`rosenblatt.solve` to draw beside it.
    ax
        Axes to draw into; by default those of a new figure.
    label
        Name of the curve, and of its theory, in the legend; TeX between dollar signs is
        allowed.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curve = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 10, 100])
    >>> learning_curve(curve).axes[0].get_xscale()
    'log'
    >>> both = learning_curve({"one": curve, "two": curve})
    >>> [text.get_text() for text in both.axes[0].get_legend().get_texts()]
    ['one', 'two']
    """
    if isinstance(dataset, Mapping) and not isinstance(dataset, xr.Dataset):
        if label is not None:
            raise ValueError("label must be None where several results have names")
        runs: list[tuple[str | None, xr.Dataset]] = [*dataset.items()]
    else:
        runs = [(label, dataset)]
    if not runs:
        raise ValueError("dataset must have at least one result, got none")
    times = {_time(run) for _, run in runs}
    if len(times) > 1:
        raise ValueError(f"results must have one kind of time, got {sorted(times)}")
    series = [one for name, run in runs for one in _series(run, name)]
    if theory is not None:
        name = f"theory, {LIMIT}" if label is None else f"{label}, theory"
        series.append(_curve(theory, name))
    data = FigureData(
        title="",
        caption="",
        x_label="examples" if times == {"example"} else EXAMPLES,
        y_label=ERROR,
        series=tuple(series),
        x_log=True,
        y_log=True,
    )
    return draw(data, ax)
