r"""The on-line AdaTron without noise.

Inside the wedge of mistakes, :math:`\langle v^2 \rangle = (\theta - \sin\theta
\cos\theta) / \pi` and :math:`-\langle v r \rangle = \sin^2\theta / \pi`, so that

.. math::
    \frac{d\theta}{d\alpha} = -\frac{\eta \sin^2\theta}{\pi}
        + \frac{\eta^2 \cot\theta}{2\pi} (\theta - \sin\theta \cos\theta),
    \qquad
    \frac{d \ln Q}{d\alpha} = \frac{\eta^2 - 2\eta}{\pi}
        (\theta - \sin\theta \cos\theta).   \tag{1}
"""

from __future__ import annotations

import math

__all__ = ["adatron_drift"]


def _segment(arc: float) -> float:
    """Return arc - sin(arc), without cancellation for small arcs."""
    if arc > 0.5:
        return arc - math.sin(arc)
    term, total = arc**3 / 6, 0.0
    for k in range(2, 12):  # the next term is below 0.5^25 / 25!
        total += term
        term *= -(arc**2) / ((2 * k) * (2 * k + 1))
    return total


def adatron_drift(angle: float, rate: float) -> tuple[float, float]:
    """Return eq. (1), the derivatives of the angle and of log Q.

    Examples
    --------
    >>> adatron_drift(math.pi / 2, 1.0)
    (-0.3183..., -0.5)
    """
    sine, cosine = math.sin(angle), math.cos(angle)
    wedge = _segment(2 * angle) / (2 * math.pi)
    turn = -rate * sine**2 / math.pi + 0.5 * rate**2 * cosine / sine * wedge
    return turn, (rate**2 - 2 * rate) * wedge
