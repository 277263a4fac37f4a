r"""Bayesian on-line learning, spherical prior, with the true noise assumed.

Then :math:`R^2 = Q = q`, and with the information of one label about the field

.. math::
    I(q) = E_v \sum_y \frac{[(1 - 2k) \phi(v)]^2}{k + (1 - 2k) \Phi(y v)},
    \qquad v \sim \mathcal N(0, q / (1 - q)),   \tag{1}

the curve is :math:`dq/d\alpha = (1 - q)\, I(q)` (from :cite:t:`winther1997`, eqs. 7-9).
The product of the Gaussian measure and one factor :math:`\phi(v)` is a Gaussian of
variance :math:`q`. Both labels contribute the same:

.. math::
    I(q) = \sqrt{1 - q}\, J(q), \qquad
    J(q) = \frac{2 (1 - 2k)^2}{\sqrt{2\pi}}
        \int Dt\, \frac{\phi(\sqrt q\, t)}{k + (1 - 2k) \Phi(\sqrt q\, t)},   \tag{2}

where :math:`J` is smooth up to :math:`q = 1`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from rosenblatt.core.gaussian import nodes, normal_density
from rosenblatt.core.types import FloatArray

__all__ = ["drift", "information", "sharpness"]


def sharpness(q: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return J of eq. (2), for one or many q.

    Examples
    --------
    >>> float(sharpness(0.0))  # 2 / pi
    0.63661977236...
    """
    t, weight = nodes([])
    v = np.sqrt(q)[..., None] * t
    clear = 1 - 2 * noise
    chance = noise + clear * ndtr(v)
    mean = (normal_density(v) / chance) @ weight
    return np.asarray(2 * clear**2 / math.sqrt(2 * math.pi) * mean)


def information(q: float, noise: float = 0.0) -> float:
    """Return eq. (1).

    Examples
    --------
    >>> information(0.0)  # 2 / pi
    0.63661977236...
    """
    return math.sqrt(1 - q) * float(sharpness(q, noise))


def drift(q: float, noise: float = 0.0) -> float:
    """Return the derivative of q with respect to alpha.

    Examples
    --------
    >>> drift(0.0)  # 2 / pi
    0.63661977236...
    """
    return (1 - q) * information(q, noise)
