r"""Quantiles of normal numbers with an unknown scale, and of mixtures of such laws.

.. math:: w = (m + \sigma \xi)\, e^{s \eta}, \qquad \xi, \eta \sim N(0, 1).   \tag{1}

The integral over one of the two is Gauss-Hermite quadrature, that over the other is
known. Given :math:`\xi`, the law is log-normal: this is smooth where
:math:`s |m| > 2 \sigma`. Elsewhere the normal law given :math:`\eta` is. Bisection
finds quantiles.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from rosenblatt.core.types import FloatArray

__all__ = ["central_interval"]

_NODES, _MASSES = np.polynomial.hermite_e.hermegauss(31)
_MASSES = _MASSES / _MASSES.sum()
_HALVINGS = 45  # of a bracket: to rounding
_TINY = 1e-300  # instead of a deviation of 0
_WIDEST = 40.0  # s of eq. (1): larger factors would overflow
_NUMBERS = 2**15  # evaluated at a time, so that they stay in the cache


def central_interval(
    level: float,
    mean: FloatArray,
    deviation: FloatArray,
    log_deviation: FloatArray,
    shares: npt.ArrayLike = (1.0,),
) -> FloatArray:
    """Return the ends between which numbers are with a probability, as a last axis.

    Parameters
    ----------
    level
        The probability; half of the rest is on either side.
    mean, deviation, log_deviation
        Numbers m, sigma and s of eq. (1) for each law of the mixture, shape (laws,
        ...).
    shares
        Weights of the laws, which add up to 1.

    Examples
    --------
    >>> ends = central_interval(0.95, *np.array([[[1.0]], [[0.1]], [[0.0]]]))
    >>> ends.round(3)
    array([[0.804, 1.196]])
    """
    tail = 0.5 * (1.0 - level)
    if tail == 0.0:
        return np.broadcast_to([-np.inf, np.inf], (*mean.shape[1:], 2)).copy()
    # Neither factor of eq. (1) is outside of this, but for an eighth of the tail.
    reach = -ndtri(tail / 8.0)
    sigma, s = np.maximum(deviation, _TINY), np.minimum(log_deviation, _WIDEST)
    most = ((abs(mean) + reach * sigma) * np.exp(reach * s)).max(axis=0)
    laws = mean[..., None], sigma[..., None], s[..., None]  # the last axis: two ends
    both = np.stack([most, most], axis=-1)
    with np.errstate(all="ignore"):  # ndtr is 0 or 1 there, or not used
        return _quantiles(np.array([tail, 1.0 - tail]), laws, np.asarray(shares), both)


def _quantiles(
    p: FloatArray,
    laws: tuple[FloatArray, FloatArray, FloatArray],
    shares: FloatArray,
    most: FloatArray,
) -> FloatArray:
    """Return quantiles of a mixture, which are between -most and most."""
    low, high = -most, most
    nodes = _NODES.reshape(-1, *(1 for _ in laws[0].shape))
    few = max(1, _NUMBERS // (len(shares) * most.size))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        below = np.zeros(most.shape)
        for first in range(0, len(nodes), few):
            given = _below(middle, laws, nodes[first : first + few])
            mixed = np.tensordot(given, shares, axes=(1, 0))
            for mass, one in zip(_MASSES[first : first + few], mixed, strict=True):
                below += mass * one
        less = below < p
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return np.asarray(0.5 * (low + high))


def _below(
    w: FloatArray, laws: tuple[FloatArray, FloatArray, FloatArray], node: FloatArray
) -> FloatArray:
    """Return the probability of smaller numbers, given one of the two normal ones.

    The first axis is that of the nodes, the second that of the laws.
    """
    mean, sigma, s = laws
    normal = ndtr((w * np.exp(-node * s) - mean) / sigma)
    given = mean + node * sigma
    apart = np.log(abs(w / given)) / s
    positive = np.where(w > 0.0, ndtr(apart), 0.0)
    negative = np.where(w < 0.0, ndtr(-apart), 1.0)
    log_normal = np.where(given > 0.0, positive, negative)
    return np.asarray(np.where(s * abs(mean) > 2.0 * sigma, log_normal, normal))
