"""Series of figures: lines, and points with error bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.core.figures import Role, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement

__all__ = ["components", "joined", "line", "measured", "points", "sampled"]


def line(
    name: str, x: npt.ArrayLike, y: npt.ArrayLike, role: Role = "theory"
) -> Series:
    """Return a curve that joins its points.

    Examples
    --------
    >>> line("twice", np.array([1.0, 2.0]), [2, 4]).y
    (2.0, 4.0)
    """
    return Series(name, np.asarray(x).tolist(), np.asarray(y).tolist(), role)


def points(
    name: str,
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    error: npt.ArrayLike | None = None,
    role: Role = "simulation",
) -> Series:
    """Return points, with error bars of this length to each side.

    Examples
    --------
    >>> points("counted", [1, 2], [3.0, 4.0], error=[0.5, 1.0]).high
    (3.5, 5.0)
    """
    middle = np.asarray(y)
    bars = None if error is None else np.asarray(error)
    return Series(
        name,
        np.asarray(x).tolist(),
        middle.tolist(),
        role,
        low=None if bars is None else (middle - bars).tolist(),
        high=None if bars is None else (middle + bars).tolist(),
        shape="points",
    )


def measured(name: str, x: npt.ArrayLike, found: Sequence[Measurement]) -> Series:
    """Return measurements as points, with their standard errors.

    Examples
    --------
    >>> measured("counted", [10], [Measurement(1.0, 0.25)]).low
    (0.75,)
    """
    return points(name, x, [m.value for m in found], [m.stderr for m in found])


def sampled(
    name: str, x: npt.ArrayLike, samples: FloatArray, *, errors: float = 1.0
) -> Series:
    """Return means over rows as points, with some standard errors to each side.

    Examples
    --------
    >>> sampled("mean of two", [10], np.array([[1.0], [3.0]])).low
    (1.0,)
    """
    error = errors * samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
    return points(name, x, samples.mean(axis=0), error)


def components(result: xr.Dataset, name: str) -> list[tuple[FloatArray, FloatArray]]:
    """Return times and values of every entry of a variable, for the first replica.

    Examples
    --------
    >>> both = np.array([[[1.0, 2.0], [3.0, 4.0]]])
    >>> axes = ("replica", "alpha", "student")
    >>> result = xr.Dataset({"Q": (axes, both)}, coords={"alpha": [0.0, 5.0]})
    >>> [values.tolist() for _, values in components(result, "Q")]
    [[1.0, 3.0], [2.0, 4.0]]
    """
    values = result[name].values[0].reshape(result.sizes["alpha"], -1)
    return [(result["alpha"].values, column) for column in values.T]


def joined(
    name: str,
    curves: Iterable[tuple[Iterable[float], Iterable[float]]],
    role: Role = "theory",
) -> Series:
    """Return several curves as one series; a NaN separates each from the next.

    Examples
    --------
    >>> joined("two", [([1, 2], [1, 1]), ([1, 2], [2, 2])]).x
    (1.0, 2.0, nan, 1.0, 2.0, nan)
    """
    x: list[float] = []
    y: list[float] = []
    for some_x, some_y in curves:
        x += [*some_x, math.nan]
        y += [*some_y, math.nan]
    return Series(name, x, y, role)
