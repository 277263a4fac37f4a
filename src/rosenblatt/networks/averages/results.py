r"""Averages over examples that the theory of committees needs.

With the error :math:`e = \sum_f c_f\, g(u_f)` over all fields :math:`u`, those of the
student first, they are :math:`\langle g'(u_i)\, e\, v \rangle` for fields v,
:math:`\langle g'(u_i)\, g'(u_k)\, e^2 \rangle` and
:math:`\langle g'(u_i)\, g'(u_k) \rangle`. By the lemma of Stein the first one needs
pairs of fields only,

.. math:: \langle g'(u_i)\, v\, g(u_k) \rangle = \frac{\langle u_i v \rangle}{C_{ii}}
    \langle g'(u_i)\, u_i\, g(u_k) \rangle + \left( \langle u_k v \rangle -
    \frac{\langle u_i v \rangle C_{ik}} {C_{ii}} \right) \langle g'(u_i)\, g'(u_k)
    \rangle.  \tag{1}

It is linear in the covariances of v: :math:`\langle g'(u_i)\, e\, v \rangle =
\sum_f G_{if} \langle u_f v \rangle` with a gradient G.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rosenblatt.core.types import FloatArray

__all__ = ["Averages", "Moments", "gradient"]


class Averages(NamedTuple):
    """Averages of a student's units with the error, for one Gram matrix."""

    gradient: FloatArray  # G, mean derivatives of g'(u_i) e by fields, (K, K + M)
    squares: FloatArray  # <g'(u_i) g'(u_k) e^2>, (K, K)
    slopes: FloatArray  # <g'(u_i) g'(u_k)>, (K, K)


class Moments(NamedTuple):
    """Averages of an activation over Gaussian fields of a given covariance."""

    products: Callable[[FloatArray], FloatArray]  # <g(u_1) g(u_2)> of all pairs
    averages: Callable[[FloatArray, FloatArray, int], Averages]
    accuracy: float  # absolute, of averages of order 1


def gradient(
    c: FloatArray, signs: FloatArray, lengths: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return G of eq. (1), summed over k, from <g'(u_i) u_i g(u_k)> and <g' g'>."""
    students = len(lengths)
    own = c.diagonal()[:students]
    over = np.divide(1.0, own, out=np.zeros_like(own), where=own > 0)
    cross = c[:students]
    along = (lengths @ signs - (slopes * cross) @ signs) * over
    result = slopes * signs
    result[:, :students] += np.diag(along)
    return np.asarray(result)
