r"""Evidence of one label for a Bayesian learner.

The learner believes that the field is Gaussian, :math:`\mathcal N(h, v)`, and that a
label is the field's sign, wrong with probability :math:`k`. With
:math:`u = y h / \sqrt v` the label had the probability

.. math::
    Z = k + (1 - 2k)\, \Phi(u),   \tag{1}

and every learner that keeps a mean and a variance moves along its two derivatives,

.. math::
    \partial_h \ln Z = \frac{y F}{\sqrt v}, \qquad
    -\partial_h^2 \ln Z = \frac{F (u + F)}{v}, \qquad
    F = \frac{(1 - 2k)\, \phi(u)}{Z}.   \tag{2}

(1) is :cite:t:`winther1997`, eq. (7). A boundary that is itself blurred by Gaussian
noise of variance :math:`\sigma^2` is a larger :math:`v`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rosenblatt.compiling.jit import inlined

__all__ = ["LEAST_VARIANCE", "Evidence", "evidence"]

LEAST_VARIANCE = 1e-200  # of a field: its square root can be divided by
_FAR = -35.0  # beyond it erfc underflows; the series is then right to 945/u^10


class Evidence(NamedTuple):
    """Log-probability of one label, and its derivatives by the field's mean h."""

    log_probability: float  # ln Z
    slope: float  # of ln Z in h
    curvature: float  # minus the second derivative; negative only where k > 0


@inlined
def evidence(mean: float, variance: float, label: float, noise: float) -> Evidence:
    """Return eqs. (1) and (2), accurate in relative terms however unlikely the label.

    Examples
    --------
    >>> evidence(0.0, 1.0, 1.0, 0.0)
    Evidence(log_probability=-0.693147..., slope=0.797884..., curvature=0.636619...)
    """
    spread = math.sqrt(variance)
    u = label * mean / spread
    if noise == 0.0 and u < _FAR:
        v = 1.0 / (u * u)
        small = v * (1.0 - v * (3.0 - v * (15.0 - v * 105.0)))
        factor = -u / (1.0 - small)  # Mills' ratio
        bend = factor * factor * small  # since factor + u = factor * small
        log_chance = -0.5 * (u * u + math.log(2.0 * math.pi)) - math.log(factor)
    else:
        clear = 1.0 - 2.0 * noise
        chance = noise + clear * 0.5 * math.erfc(-u * math.sqrt(0.5))
        density = math.exp(-0.5 * u * u) / math.sqrt(2.0 * math.pi)
        factor = clear * density / chance
        bend = factor * (u + factor)
        log_chance = math.log(chance)
    return Evidence(log_chance, label * factor / spread, bend / variance)
