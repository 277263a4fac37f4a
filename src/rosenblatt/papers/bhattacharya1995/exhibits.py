"""Curves and tables that both cases share."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import xarray as xr

from rosenblatt.core.figures import FigureData, Series, TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.bhattacharya1995.problems import GAINS, Problem, run
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.series import line, points

__all__ = [
    "BAND",
    "curves",
    "inside",
    "median",
    "misclassification",
    "shares",
]

BAND = (0.05, 0.5, 0.95)
_LABELS = (
    "eta1 = 1/t",
    "eta2 = t^-0.51",
    "eta3 = 1/mistakes",
    r"eta4 = $\mathrm{mistakes}^{-0.51}$",
)


def shares(result: xr.Dataset, example: int | None = None) -> FloatArray:
    """Return a(t) in percent, (replica, gain); by default at the end."""
    at = result.isel(example=-1) if example is None else result.sel(example=example)
    return np.asarray(100 * at["test_error"].values)


def median(values: FloatArray) -> Measurement:
    """Return the median, with half the width of its interval of 68%."""
    ordered, middle = np.sort(values), len(values) / 2
    half = math.sqrt(len(values)) / 2
    low, high = (ordered[round(middle + side)] for side in (-half, half))
    return Measurement(float(np.median(ordered)), float(high - low) / 2)


def inside(problem: Problem, result: xr.Dataset) -> list[bool]:
    """Return whether each published value lies in the band of simulated ones."""
    low, _, high = np.quantile(shares(result), BAND, axis=0)
    return [
        bool(a <= value <= b)
        for a, value, b in zip(low, problem.table, high, strict=True)
    ]


def _cells(problem: Problem, result: xr.Dataset) -> list[tuple[str | float, ...]]:
    """Return four rows of a table, one for each gain."""
    low, middle, high = np.quantile(shares(result), BAND, axis=0).round(3).tolist()
    exact = 100 * result["error"].isel(example=-1).median("replica").values
    best = 100 * problem.stream.bayes_error
    said = ["yes" if found else "no" for found in inside(problem, result)]
    return [
        (
            problem.name, gain, problem.table[k], middle[k], low[k], high[k], said[k],
            round(float(exact[k]), 3), problem.bayes, float(f"{best:.4g}"),
        )
        for k, gain in enumerate(GAINS)
    ]  # fmt: skip


def misclassification(
    title: str, outside: str, problems: Iterable[Problem], quick: bool
) -> TableData:
    """Return a published table beside the distributions that its numbers come from.

    All but the first columns are in percent.
    """
    rows = [row for problem in problems for row in _cells(problem, run(problem, quick))]
    return TableData(
        title,
        "Published values are single runs. The band holds 90% of simulated runs, so "
        f"that {outside}.",
        (
            "problem", "gain", "published", "median", "5%", "95%", "inside",
            "median of exact errors", "Bayes published", "Bayes exact",
        ),
        tuple(rows),
    )  # fmt: skip


def curves(
    title: str,
    caption: str,
    y_label: str,
    values: xr.DataArray,
    level: tuple[str, float] | None,
    published: tuple[float, ...] | None,
) -> FigureData:
    """Return medians and bands against t for the four gains."""
    t = values["example"].values.astype(float).tolist()
    low, middle, high = values.quantile(BAND, "replica").values
    series = [
        Series(name, t, middle[k], "simulation", low=low[k], high=high[k])
        for k, name in enumerate(_LABELS)
    ]
    if level is not None:
        name, height = level
        series.append(line(name, [t[0], t[-1]], [height, height]))
    if published is not None:
        # a little apart, for all to be seen
        at = [t[-1] * apart for apart in (1.3, 1.6, 2.0, 2.5, 3.2)]
        series.append(points("table", at, published, role="published"))
    return FigureData(
        title=title,
        caption=caption,
        x_label=r"examples $t$",
        y_label=y_label,
        series=tuple(series),
        x_log=True,
        y_log=bool(low.min() < high.max() / 20),  # else its ticks are hard to read
    )
