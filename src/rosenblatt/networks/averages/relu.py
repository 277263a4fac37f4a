r"""Gaussian averages of rectified fields.

With the angle :math:`\theta` between two fields, :math:`\cos\theta = c / \sqrt{a b}`,

.. math:: \langle u_+ v_+ \rangle = \frac{\sqrt{a b}}{2 \pi}
    \left[ \sin\theta + (\pi - \theta) \cos\theta \right],  \qquad
    \langle \theta(u)\, \theta(v) \rangle = \frac{\pi - \theta}{2 \pi}.  \tag{1}

Averages over four fields are in :mod:`rosenblatt.networks.averages.orthants`. All are
closed forms but for one integral in one dimension. Beyond the Gram matrices, where
errors of integration and differences lead, all averages are continued linearly.
"""

from __future__ import annotations

import functools
from itertools import combinations_with_replacement as pairs
from typing import NamedTuple

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.networks.averages.orthants import moments
from rosenblatt.networks.averages.results import Averages, gradient
from rosenblatt.networks.gram import shortfall, triangular

__all__ = ["averages", "products"]


def _angles(c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return products of lengths, and angles."""
    d = np.diagonal(c, axis1=-2, axis2=-1)
    scale = np.sqrt(d[..., :, None] * d[..., None, :])
    cosine = np.divide(c, scale, out=np.zeros_like(c), where=scale > 0)
    return scale, np.arccos(np.clip(cosine, -1, 1))


def _products(c: FloatArray, scale: FloatArray, angle: FloatArray) -> FloatArray:
    return np.asarray((scale * np.sin(angle) + (np.pi - angle) * c) / (2 * np.pi))


def products(c: FloatArray) -> FloatArray:
    """Return eq. (1) for all pairs of fields; leading axes are kept."""
    return _products(c, *_angles(c))


class _Terms(NamedTuple):
    """All i <= k of the student and a <= b of all fields."""

    rows: IntArray  # i, k, a, b
    first: IntArray  # i
    second: IntArray  # k
    one: IntArray  # a
    other: IntArray  # b
    times: FloatArray  # how often a pair a, b is counted


@functools.lru_cache(64)
def _terms(students: int, fields: int) -> _Terms:
    """Return the averages that are needed."""
    units, others = list(pairs(range(students), 2)), list(pairs(range(fields), 2))
    rows = np.array([(*unit, *other) for unit in units for other in others])
    (first, second), (one, other) = np.transpose(units), np.transpose(others)
    return _Terms(rows, first, second, one, other, np.where(one == other, 1.0, 2.0))


def _squares(c: FloatArray, signs: FloatArray, students: int) -> FloatArray:
    """Return the averages of two slopes and the squared error, of a Gram matrix."""
    terms = _terms(students, len(c))
    found, squares = np.empty(len(terms.rows)), np.empty((students, students))
    moments(triangular(c)[terms.rows], found)
    weights = signs[terms.one] * signs[terms.other] * terms.times
    sums = found.reshape(-1, weights.size) @ weights
    squares[terms.first, terms.second] = squares[terms.second, terms.first] = sums
    return squares


def averages(c: FloatArray, signs: FloatArray, students: int) -> Averages:
    """Return the averages of the error with these signs, for the first fields."""
    scale, angle = _angles(c)
    slopes = (np.pi - angle[:students]) / (2 * np.pi)
    # <g'(u_i) u_i g(u_f)> is <g(u_i) g(u_f)> here
    field = gradient(c, signs, _products(c, scale, angle)[:students], slopes)
    beyond, within = shortfall(c), c
    if beyond > 0:
        within = c + beyond * np.eye(len(c))
    squares = _squares(within, signs, students)
    if beyond > 0:
        further = _squares(within + beyond * np.eye(len(c)), signs, students)
        squares = 2 * squares - further
    return Averages(field, squares, slopes[:, :students])
