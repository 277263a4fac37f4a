r"""The normalised perceptron rule without noise.

With the angle :math:`\theta = \arccos R`, :cite:t:`barkai1995`, eq. (4) reads

.. math::
    \frac{d\theta}{d\alpha} = -\frac{\eta \sin\theta}{\sqrt{2\pi}}
        + \frac{\eta^2\, \theta \cot\theta}{2\pi}.  \tag{1}
"""

from __future__ import annotations

import math

from scipy.optimize import brentq

__all__ = ["asymptote", "drift", "fixed_point", "plain_drift"]


def drift(angle: float, rate: float) -> float:
    """Return eq. (1), the derivative of the angle.

    Examples
    --------
    >>> drift(math.pi / 2, 1.0)  # at a right angle there is no way to get worse
    -0.3989...
    """
    turn = rate * math.sin(angle) / math.sqrt(2 * math.pi)
    return -turn + rate**2 * angle / math.tan(angle) / (2 * math.pi)


def plain_drift(angle: float, norm: float, rate: float) -> tuple[float, float]:
    """Return the derivatives of angle and norm without normalisation.

    The angle follows eq. (1) with the rate ``rate / norm``.

    Examples
    --------
    >>> plain_drift(math.pi / 2, 1.0, 1.0)
    (-0.3989..., -0.1489...)
    """
    gain = rate * (1 - math.cos(angle)) / math.sqrt(2 * math.pi)
    growth = -gain + rate**2 * angle / (2 * math.pi * norm)
    return drift(angle, rate / norm), growth


def fixed_point(rate: float) -> float:
    """Return the angle at which eq. (1) comes to rest for a constant rate.

    Examples
    --------
    >>> fixed_point(1e-3) / 1e-3 * math.sqrt(2 * math.pi)
    0.99999...
    """
    return float(brentq(drift, 1e-12 * rate, math.pi / 2, args=(rate,), xtol=1e-300))


def asymptote(scale: float) -> float:
    r"""Return the limit of alpha times the error for the rate ``scale / alpha``.

    With :math:`\eta_0` = scale / sqrt(2 pi) > 1 it is
    :math:`\eta_0^2 / \pi (\eta_0 - 1)`, :cite:t:`barkai1995`, eq. (6).

    Examples
    --------
    >>> asymptote(2 * math.sqrt(2 * math.pi)) == 4 / math.pi
    True
    """
    eta0 = scale / math.sqrt(2 * math.pi)
    if eta0 <= 1:
        raise ValueError(
            f"scale must be above sqrt(2 pi), where the error falls as 1/alpha, "
            f"got {scale}"
        )
    return eta0**2 / (eta0 - 1) / math.pi
