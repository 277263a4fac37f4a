r"""Bayesian on-line learning, spherical prior, with the true noise assumed.

Then :math:`R^2 = Q = q`, and with the information of one label about the field

.. math::
    I(q) = E_v \sum_y \frac{[(1 - 2k) \phi(v)]^2}{k + (1 - 2k) \Phi(y v)},
    \qquad v \sim \mathcal N(0, q / (1 - q)),   \tag{1}

the curve is :math:`dq/d\alpha = (1 - q)\, I(q)` (from :cite:t:`winther1997`, eqs. 7-9).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import log_ndtr

from rosenblatt.core.gaussian import layer, nodes

__all__ = ["drift", "information"]


def information(q: float, noise: float = 0.0) -> float:
    """Return eq. (1).

    Examples
    --------
    >>> information(0.0)  # 2 / pi
    0.63661977236...
    """
    spread = math.sqrt(q / (1 - q))
    # The integrand has features of width 1 in v, which is spread * z.
    z, weight = nodes(list(layer(0.0, 1 / spread)) if spread > 0 else [])
    v = spread * z
    clear = 1 - 2 * noise
    total = 0.0
    for y in (1.0, -1.0):
        log_chance = np.logaddexp(
            math.log(noise) if noise > 0 else -np.inf,
            math.log(clear) + log_ndtr(y * v) if clear > 0 else -np.inf,
        )
        log_density = -0.5 * v * v - 0.5 * math.log(2 * math.pi)
        total += float(weight @ np.exp(2 * log_density - log_chance)) * clear**2
    return total


def drift(q: float, noise: float = 0.0) -> float:
    """Return the derivative of q with respect to alpha.

    Examples
    --------
    >>> drift(0.0)  # 2 / pi
    0.63661977236...
    """
    return (1 - q) * information(q, noise)
