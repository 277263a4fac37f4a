r"""The hyperbolic tangent and its slope, as vector instructions.

With a whole number n and :math:`|t| = r - n \tfrac12 \ln 2`, and polynomials
:math:`E, O` of which one is even and one odd,

.. math::
    e^{-2|t|} = 2^n\, \frac{E - O}{E + O}, \qquad
    \frac{O}{E} = \tanh r, \qquad |r| \le \tfrac14 \ln 2,   \tag{1}

so that with :math:`D = (E + O) + 2^n (E - O)` one division gives both,

.. math::
    \tanh |t| = \frac{(E + O) - 2^n (E - O)}{D}, \qquad
    1 - \tanh^2 t = \frac{2 \cdot 2^n (E - O)}{D}\, (1 + \tanh |t|).   \tag{2}

The second keeps its digits where the tangent rounds to 1. Both are right to a few units
in the last place. Beyond :math:`|t| = 350` they stay what they are there, so that a
weight's variance never vanishes.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rosenblatt.compiling.jit import inlined_as_written

__all__ = ["tanh_and_slope"]

_MOST = 350.0  # exp(-700) is still a normal number
# log(2) / 2 in two pieces: the first has so few digits that n times it is exact
_STEP = Fraction("0.693147180559945309417232121458176568") / 2
_HIGH = math.floor(_STEP * 2**33) / 2**33
_LOW = float(_STEP - Fraction(_HIGH))
# Added to a number, it leaves the nearest whole number in the last digits of the sum.
_ROUND = 1.5 * 2.0**52
# The approximant of Pade of exp(2 r) has a numerator E + O of degree 6 and errs by
# 2e-19 there: its coefficients, of which those of even powers make E.
_ORDER = 6
_P = tuple(
    2**k
    * math.comb(_ORDER, k)
    * math.factorial(2 * _ORDER - k)
    / math.factorial(2 * _ORDER)
    for k in range(_ORDER + 1)
)


@inlined_as_written
def tanh_and_slope(t: float) -> tuple[float, float]:
    """Return tanh(t) and 1 - tanh(t)^2.

    Examples
    --------
    >>> tanh_and_slope(0.5)
    (0.46211715726000..., 0.78644773296592...)
    """
    size = min(abs(t), _MOST)
    shifted = _ROUND - size * (2.0 / math.log(2.0))
    n = shifted - _ROUND
    r = (size + n * _HIGH) + n * _LOW
    r2 = r * r
    even = 1.0 + r2 * (_P[2] + r2 * (_P[4] + r2 * _P[6]))
    odd = r * (_P[1] + r2 * (_P[3] + r2 * _P[5]))
    whole = even + odd
    # times 2**n: n is added to the exponent, which keeps the multipliers free
    bits = np.float64(shifted).view(np.int64) << 52
    part = np.int64(np.float64(even - odd).view(np.int64) + bits).view(np.float64)
    inverse = 1.0 / (whole + part)
    # For n = 0 the difference is 2 O, with all its digits.
    mean = (odd + odd if n == 0.0 else whole - part) * inverse
    share = part * inverse
    return math.copysign(mean, t), (share + share) * (1.0 + mean)
