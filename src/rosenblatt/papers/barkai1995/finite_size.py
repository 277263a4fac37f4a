r"""Terms that eq. (4) neglects: the mean of R at finite N, and its spread.

After a mistake :math:`W' = (W + (\eta/N)\, \sigma_0 S) / |\cdot|`. In the plane of
student and teacher an input at a mistake has a Rayleigh radius :math:`r` and a uniform
direction :math:`\varphi` inside the wedge. For :math:`\sigma_0 = 1`,
:math:`W \cdot S = -r \sin\varphi` and :math:`W_0 \cdot S = r \sin(\theta - \varphi)`.
With :math:`b = |W_0 \cdot S|`, :math:`h = |W \cdot S|` and :math:`\langle\cdot\rangle`
including the probability :math:`\theta/\pi` of a mistake,

.. math::
    \langle h \rangle = \langle b \rangle &= (1 - R) / \sqrt{2\pi}, &
    \langle h^2 \rangle &= (\theta - R \sin\theta) / \pi, \\
    \langle (b + R h)^2 \rangle &= \sin^2\theta\, (\theta + R \sin\theta) / \pi, &
    \langle b h \rangle &= (\sin\theta - \theta R) / \pi.

The change of R expanded in 1/N, with :math:`A = \eta^2 - 2 \eta h`, is

.. math::
    \Delta R = \frac1N \left[\eta (b + R h) - \tfrac12 \eta^2 R\right]
        + \frac1{N^2} \left[\tfrac38 R A^2 - \tfrac12 \eta b A\right] + \dots,

where what :math:`|S|^2` adds averages out. Let :math:`f` be the right side of eq. (4),
:math:`D` the mean square of the first bracket and :math:`g` the mean of the second.
Then the mean is :math:`R + m/N` and the variance :math:`V/N`, up to smaller terms, with

.. math::
    \dot R = f, \qquad \dot V = 2 f' V + D - f^2, \qquad
    \dot m = f' m + \tfrac12 f'' V + g - \tfrac12 f f',   \tag{1}

the last term because one example takes the time 1/N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from rosenblatt.core.types import FloatArray

__all__ = ["Expansion", "expansion"]

_UNIT = math.sqrt(2 * math.pi)


class Expansion(NamedTuple):
    """Mean and variance of R: ``overlap + shift / N`` and ``variance / N``."""

    overlap: FloatArray
    variance: FloatArray
    shift: FloatArray


def _derivatives(state: FloatArray, rate: float) -> list[float]:
    """Return eq. (1)."""
    overlap, variance, shift = (float(value) for value in state)
    angle, sine = math.acos(overlap), math.sqrt((1 - overlap) * (1 + overlap))
    field = (1 - overlap) / _UNIT  # of <h> and <b>
    square = (angle - overlap * sine) / math.pi
    product = (sine - angle * overlap) / math.pi
    across = sine**2 * (angle + overlap * sine) / math.pi
    wrong = angle / math.pi

    f = rate * sine**2 / _UNIT - 0.5 * rate**2 * overlap * wrong
    slope = -2 * rate * overlap / _UNIT
    slope -= 0.5 * rate**2 * (angle - overlap / sine) / math.pi
    curvature = -2 * rate / _UNIT + 0.5 * rate**2 / math.pi * (1 / sine + 1 / sine**3)
    noise = rate**2 * across - rate**3 * overlap * sine**2 / _UNIT
    noise += 0.25 * rate**4 * overlap**2 * wrong
    a_squared = rate**4 * wrong - 4 * rate**3 * field + 4 * rate**2 * square
    a_times_b = rate**2 * field - 2 * rate * product
    g = 0.375 * overlap * a_squared - 0.5 * rate * a_times_b
    return [
        f,
        2 * slope * variance + noise - f**2,
        slope * shift + 0.5 * curvature * variance + g - 0.5 * f * slope,
    ]


def expansion(rate: float, overlap: float, alpha: Sequence[float]) -> Expansion:
    """Return eq. (1), integrated from a sharp first overlap at a constant rate.

    Examples
    --------
    >>> at_one = expansion(1.0, 0.0, [1.0])
    >>> [round(float(values[0]), 4) for values in at_one]
    [0.3435, 0.2045, 0.1168]
    """
    found = solve_ivp(
        lambda _, state: _derivatives(state, rate),
        (0.0, alpha[-1]),
        [overlap, 0.0, 0.0],
        t_eval=alpha,
        rtol=1e-9,
        atol=1e-10,
    )
    return Expansion(*(np.asarray(values) for values in found.y))
