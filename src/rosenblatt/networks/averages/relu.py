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
import itertools
from itertools import combinations_with_replacement as pairs

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.networks.averages.orthants import moments
from rosenblatt.networks.averages.results import Averages, gradient
from rosenblatt.networks.gram import factor, shortfall

__all__ = ["averages", "products"]


def _angles(c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return products of lengths, and angles."""
    d = np.diagonal(c, axis1=-2, axis2=-1)
    scale = np.sqrt(d[..., :, None] * d[..., None, :])
    cosine = np.divide(c, scale, out=np.zeros_like(c), where=scale > 0)
    return scale, np.arccos(np.clip(cosine, -1, 1))


def products(c: FloatArray) -> FloatArray:
    """Return eq. (1) for all pairs of fields; leading axes are kept."""
    scale, angle = _angles(c)
    return np.asarray((scale * np.sin(angle) + (np.pi - angle) * c) / (2 * np.pi))


@functools.lru_cache(64)
def _terms(students: int, fields: int) -> IntArray:
    """Return all i <= k of the student and a <= b, in rows."""
    every = itertools.product(
        pairs(range(students), 2),
        pairs(range(fields), 2),
    )
    return np.array([(*one, *other) for one, other in every])


def _squares(c: FloatArray, signs: FloatArray, students: int) -> FloatArray:
    """Return the averages of two slopes and the squared error, of a Gram matrix."""
    terms = _terms(students, len(c))
    i, k, a, b = terms.T
    found = np.empty(len(terms))
    moments(factor("overlaps", c)[terms], found)
    found *= signs[a] * signs[b] * np.where(a == b, 1, 2)
    squares = np.zeros((students, students))
    np.add.at(squares, (i, k), found)
    squares.T[np.triu_indices(students)] = squares[np.triu_indices(students)]
    return squares


def averages(c: FloatArray, signs: FloatArray, students: int) -> Averages:
    """Return the averages of the error with these signs, for the first fields."""
    slopes = (np.pi - _angles(c)[1][:students]) / (2 * np.pi)
    # <g'(u_i) u_i g(u_f)> is <g(u_i) g(u_f)> here
    field = gradient(c, signs, products(c)[:students], slopes)
    beyond, one = shortfall(c), np.eye(len(c))
    squares = _squares(c + beyond * one, signs, students)
    if beyond > 0:
        squares = 2 * squares - _squares(c + 2 * beyond * one, signs, students)
    return Averages(field, squares, slopes[:, :students])
