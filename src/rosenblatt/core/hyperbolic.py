r"""The hyperbolic tangent and its slope, as vector instructions.

With :math:`e = \exp(-2|t|)`,

.. math:: \tanh t = \pm \frac{1 - e}{1 + e}, \qquad 1 - \tanh^2 t = \frac{4e}{(1+e)^2}.

The second keeps its digits where the tangent rounds to 1. Both are right to a few units
in the last place; beyond :math:`|t| = 350` they stay what they are there, so that a
weight's variance never vanishes.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rosenblatt.core.jit import inlined_as_written

__all__ = ["tanh_and_slope"]

_MOST = 350.0  # exp(-700) is still a normal number
# log(2) in two pieces, of which the first has so few digits that n times it is exact
_LOG2 = Fraction("0.693147180559945309417232121458176568")
_HIGH = math.floor(_LOG2 * 2**32) / 2**32
_LOW = float(_LOG2 - Fraction(_HIGH))
# Added to a number, it leaves the nearest whole number in the last digits of the sum.
_ROUND = 1.5 * 2.0**52
_E = tuple(1 / math.factorial(k) for k in range(1, 15))  # |r| < 0.35: to rounding


@inlined_as_written
def tanh_and_slope(t: float) -> tuple[float, float]:
    """Return tanh(t) and 1 - tanh(t)^2.

    Examples
    --------
    >>> tanh_and_slope(0.5)
    (0.46211715726000..., 0.78644773296592...)
    """
    z = -2.0 * min(abs(t), _MOST)
    shifted = z * (1.0 / math.log(2.0)) + _ROUND
    n = shifted - _ROUND
    r = (z - n * _HIGH) - n * _LOW
    # In pairs, and pairs of pairs: a chain of sums would wait for each of them.
    r2 = r * r
    r4 = r2 * r2
    p = (_E[0] + r * _E[1]) + r2 * (_E[2] + r * _E[3])
    q = (_E[4] + r * _E[5]) + r2 * (_E[6] + r * _E[7])
    s = (_E[8] + r * _E[9]) + r2 * (_E[10] + r * _E[11])
    p = r * (p + r4 * (q + r4 * (s + r4 * (_E[12] + r * _E[13]))))  # exp(r) - 1
    bits = np.float64(shifted).view(np.int64) << 52
    power = np.int64(bits + 0x3FF0000000000000).view(np.float64)  # 2**n
    less = power * p + (power - 1.0)  # e - 1, with all its digits
    e = power * p + power
    half = 1.0 / (1.0 + e)
    return math.copysign(-less * half, t), 4.0 * e * half * half
