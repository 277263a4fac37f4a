"""Numbers with standard errors, from independent samples."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement

__all__ = ["average", "power_law", "ratio"]


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
