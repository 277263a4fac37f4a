r"""The probability of a label given an uncertain field, and its derivatives.

If a field is Gaussian with mean :math:`m` and variance :math:`s`, and a label is the
field's sign, flipped with probability :math:`k`, then with :math:`u = y m / \sqrt s`

.. math::
    p = k + (1 - 2k) \Phi(u), \qquad
    F = \frac{d \log p}{du} = \frac{(1 - 2k) \phi(u)}{p}, \qquad
    -\frac{d^2 \log p}{du^2} = F (u + F).   \tag{1}
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr

from rosenblatt.core.gaussian import normal_density
from rosenblatt.core.types import FloatArray

__all__ = ["Chance", "chance", "pull"]

_FAR = -50.0  # from here on 1 - F (u + F) = 1/u^2 - 6/u^4 + 50/u^6 to 518/u^6 < 4e-8


class Chance(NamedTuple):
    """Logarithm of a label's probability, its slope, and the variance that is left."""

    log: FloatArray
    pull: FloatArray  # F
    left: FloatArray  # 1 - F (u + F), the share of the variance that is left


def pull(u: FloatArray, noise: float) -> FloatArray:
    """Return F of eq. (1).

    Examples
    --------
    >>> pull(np.array([-100.0, 0.0]), 0.0)
    array([100.009998  ,   0.79788456])
    """
    if noise == 0:
        return np.asarray(math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2)))
    clear = 1 - 2 * noise
    return np.asarray(clear * normal_density(u) / (noise + clear * ndtr(u)))


def chance(u: FloatArray, noise: float) -> Chance:
    """Return eq. (1), accurate however unlikely the label is.

    Examples
    --------
    >>> chance(np.array([-1000.0, 0.0]), 0.0).left
    array([9.99994...e-07, 3.63380228e-01])
    """
    u = np.asarray(u, dtype=np.float64)
    f = pull(u, noise)
    left = 1 - f * (u + f)
    if noise == 0:
        far = 1 / np.minimum(u, _FAR) ** 2
        left = np.where(u < _FAR, far * (1 - far * (6 - 50 * far)), left)
        return Chance(np.asarray(log_ndtr(u)), f, left)
    return Chance(np.log(noise + (1 - 2 * noise) * ndtr(u)), f, left)
