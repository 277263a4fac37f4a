"""Probability that a student's decision differs from its teacher's.

The decisions are the signs of two sums over many fields, and their average has no
closed form. It is taken over a fixed set of points, the multiples of square roots of
primes, as Richtmyer (1951) proposed. Measured: they err by less than 0.003.
"""

from __future__ import annotations

import functools

import numpy as np
from scipy.special import ndtri

from rosenblatt.committees.committee import Committee
from rosenblatt.core.types import FloatArray

__all__ = ["disagreement"]

_POINTS = 1 << 13


@functools.cache
def _normals(count: int) -> FloatArray:
    """Return points whose coordinates are normal, (point, count)."""
    primes = [n for n in range(2, 12 * count + 9) if all(n % k for k in range(2, n))]
    roots = np.sqrt(primes[:count])
    uniform = np.outer(np.arange(1, _POINTS + 1), roots) % 1.0
    return np.asarray(ndtri(uniform))


def disagreement(
    committee: Committee, covariance: FloatArray, outputs: FloatArray
) -> FloatArray:
    """Return the probability of two different signs, for each covariance of fields.

    The student's fields come first. ``outputs`` are the student's output weights.

    Examples
    --------
    >>> from rosenblatt.rules import Erf
    >>> one = Committee(Erf(), 1, 1)
    >>> found = disagreement(one, np.eye(2), np.ones(1))  # independent decisions
    >>> bool(abs(found - 0.5) < 0.003)
    True
    """
    students, count = committee.units[0], sum(committee.units)
    normals, weights = _normals(count), committee.teacher_weights
    found = np.empty(covariance.shape[:-2])
    for place in np.ndindex(found.shape):
        values, vectors = np.linalg.eigh(covariance[place])
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        units = committee.evaluate(normals @ root.T)[0]
        own = units[:, :students] @ outputs[place]
        found[place] = np.mean((own > 0) != (units[:, students:] @ weights > 0))
    return found
