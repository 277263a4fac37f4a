"""Numbers with standard errors from independent samples, and the series that show them.

Series are lines, points with error bars, and lines with bands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rosenblatt.core.figures import Role, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement

__all__ = [
    "average",
    "band",
    "exponent",
    "joined",
    "line",
    "median",
    "points",
    "power_law",
    "power_of_size",
    "ratio",
    "sampled",
]


def average(samples: FloatArray, *, correlation: float = 0.0) -> Measurement:
    """Return the mean of samples, with its standard error.

    Parameters
    ----------
    samples
        At least two numbers.
    correlation
        Correlation of each sample with the next, if they are in a sequence. With later
        samples it is taken to be the powers of that.

    Examples
    --------
    >>> average(np.array([1.0, 2.0, 3.0]))
    Measurement(value=2.0, stderr=0.577...)
    """
    values = np.ravel(samples)
    if values.size < 2:
        raise ValueError(f"samples must be at least two, got {values.size}")
    # What the variance of a mean grows by if correlations fall off geometrically.
    growth = (1 + correlation) / (1 - correlation)
    error = values.std(ddof=1) * math.sqrt(growth / values.size)
    return Measurement(float(values.mean()), float(error))


def ratio(above: FloatArray, below: FloatArray) -> Measurement:
    """Return a ratio of two means over the same replicas, with its standard error.

    The error is that of the linearised ratio, good if that of ``below`` is small.

    Examples
    --------
    >>> ratio(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    Measurement(value=2.0, stderr=0.0)
    """
    value = float(np.mean(above) / np.mean(below))
    rest = average((above - value * below) / np.mean(below))
    return Measurement(value, rest.stderr)


def median(samples: FloatArray) -> Measurement:
    """Return the median, with half the distance of the ranks one deviation away.

    Examples
    --------
    >>> median(np.array([5.0, 1.0, 2.0, 3.0, 9.0]))
    Measurement(value=3.0, stderr=1.5)
    """
    ordered = np.sort(np.ravel(samples))
    middle, reach = ordered.size / 2, math.sqrt(ordered.size) / 2
    low = ordered[math.floor(middle - reach)]
    high = ordered[math.ceil(middle + reach) - 1]
    return Measurement(float(np.median(ordered)), float(high - low) / 2)


def power_law(x: FloatArray, samples: FloatArray) -> Measurement:
    r"""Return the exponent b of a mean that grows as ``x**b``, with its standard error.

    It is the slope of the straight line through the logarithms of the means, all points
    counting alike. The logarithm of a mean of n replicas has the bias minus their
    relative variance over 2n. It matters for the slope where it changes with x. Leaving
    out one replica at a time (the jackknife) gives this bias, which is subtracted, and
    the error, whatever the correlations along x. The curvature of a law that is not a
    power remains.

    Parameters
    ----------
    x
        At least two positive numbers, not all the same.
    samples
        One row per independent replica, at least two; one column per x. Their means
        must be positive, also without any one of the replicas.

    Examples
    --------
    >>> x = np.array([1.0, 10.0, 100.0])
    >>> found = power_law(x, np.array([2 / x, 3 / x]))
    >>> round(found.value, 12), found.stderr < 1e-12
    (-1.0, True)
    """
    rows, count = np.asarray(samples, dtype=np.float64), len(samples)
    if rows.ndim != 2 or count < 2 or rows.shape[1] != np.size(x):
        raise ValueError(
            "samples must have at least two rows and one column per x, got shape "
            f"{rows.shape} for {np.size(x)} values of x"
        )
    if np.min(x) <= 0 or np.ptp(x) == 0:
        raise ValueError(f"x must be positive and not all the same, got {x}")
    total = rows.sum(axis=0)
    without = (total - rows) / (count - 1)
    if not (without > 0).all():
        raise ValueError("samples must have positive means, also without one replica")
    centred = np.log(x) - np.mean(np.log(x))
    weights = centred / (centred @ centred)
    slopes = np.log(without) @ weights
    value = count * (np.log(total / count) @ weights) - (count - 1) * slopes.mean()
    error = math.sqrt((count - 1) * slopes.var())
    return Measurement(float(value), error)


def power_of_size(
    sizes: Sequence[int], samples: int, measure: Callable[[int, int], float]
) -> Measurement:
    """Return the power of the size in the mean of a number, over samples of each size.

    Examples
    --------
    >>> found = power_of_size([10, 100], 3, lambda size, sample: (sample + 1) / size)
    >>> round(found.value, 12)
    -1.0
    """
    rows = [[measure(size, sample) for size in sizes] for sample in range(samples)]
    return power_law(np.array(sizes, dtype=float), np.array(rows))


def exponent(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the exponent b of the power law ``x**b`` that is closest to exact numbers.

    Examples
    --------
    >>> round(exponent([1, 10, 100], [2, 20, 200]), 12)
    1.0
    """
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


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


def band(
    name: str,
    x: npt.ArrayLike,
    samples: FloatArray,
    *,
    share: float = 0.9,
    mean: bool = False,
) -> Series:
    """Return medians, or means, over rows as a line, with a band of a share of them.

    Examples
    --------
    >>> band("three", [10], np.array([[1.0], [2.0], [6.0]]), share=0.5).high
    (4.0,)
    """
    ends = [(1 - share) / 2, 0.5, (1 + share) / 2]
    low, middle, high = np.quantile(samples, ends, axis=0)
    if mean:
        middle = np.mean(samples, axis=0)
    times = np.asarray(x, dtype=np.float64).tolist()
    given = {"low": low.tolist(), "high": high.tolist()}
    return Series(name, times, middle.tolist(), "simulation", **given)


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
