"""Numbers with standard errors, from independent samples."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.papers.claims import Measurement

__all__ = ["average", "ratio"]


def average(samples: FloatArray, *, correlation: float = 0.0) -> Measurement:
    """Return the mean of samples, with its standard error.

    Parameters
    ----------
    samples
        At least two numbers.
    correlation
        Of each with the next, if they are one after the other; with the ones further on
        it is taken to be the powers of that.

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
