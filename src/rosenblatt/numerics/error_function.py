r"""The error function and its slope, as vector instructions.

With :math:`x = |h| / \sqrt 2`,

.. math::
    \operatorname{erf} x = h\, P(h^2 - 1) \quad (x < 1), \qquad
    \operatorname{erf} x = 1 - e^{-x^2} F(k), \quad k = a / (x + 3) + b
    \quad (x \ge 1),   \tag{1}

where :math:`a, b` take x from 1 to 6 to the interval from 1 to -1. Both polynomials
interpolate at Chebyshev's points, and were computed with 90 digits: P errs by 1e-17 of
its value, F by 2e-17 after the product. The slope needs :math:`e^{-x^2}` anyway.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling.jit import inlined_as_written

__all__ = ["erf_and_slope"]

_SPLIT = math.sqrt(2)  # x = 1
_SLOPE = math.sqrt(2 / math.pi)  # of erf(h / sqrt(2)) at h = 0
_MOST = 1400.0  # of h^2: exp(-700) is still a normal number
# log(2) in two pieces: the first has so few digits that n times it is exact
_HIGH = 0.6931471803691238
_LOW = 1.9082149292705877e-10
# Added to a number, it leaves the nearest whole number in the last digits of the sum.
_ROUND = 1.5 * 2.0**52
# Taylor coefficients of exp: the next term is 4e-18 where |r| < log(2) / 2.
_E = tuple(1 / math.factorial(k) for k in range(14))
_NEAREST, _FARTHEST, _SHIFT = 1.0, 6.0, 3.0
_A = 2 / (1 / (_NEAREST + _SHIFT) - 1 / (_FARTHEST + _SHIFT))
_B = 1 - _A / (_NEAREST + _SHIFT)
_NEAR = (
    0.6826894921370859,
    -0.0993740215493996,
    0.014037835032264223,
    -0.0016160823385889247,
    0.0001538078560572098,
    -1.2400651434746723e-05,
    8.650622482763369e-07,
    -5.311481554795331e-08,
    2.9102757955167137e-09,
    -1.4391263177170662e-10,
    6.5133374707363585e-12,
    -2.691666467781966e-13,
)
_FAR = (
    0.2079832913334296,
    0.15436117429436919,
    0.04969844540332147,
    0.012713147695692019,
    0.0024793146982473643,
    0.0003316029605777715,
    1.9563576238573082e-05,
    -2.4255574763708175e-06,
    -5.541074433626894e-07,
    4.526707950217438e-09,
    1.1310218672783174e-08,
    2.638095087100808e-10,
    -2.3584037253219613e-10,
    -6.045731534600504e-12,
)


@inlined_as_written
def erf_and_slope(h: float) -> tuple[float, float]:
    """Return erf(h / sqrt(2)) and its slope, eq. (1).

    Examples
    --------
    >>> erf_and_slope(1.0)
    (0.68268949213708..., 0.48394144903828...)
    """
    size = abs(h)
    h2 = h * h
    clipped = h2 if h2 < _MOST else _MOST
    shifted = _ROUND - clipped * (0.5 / math.log(2.0))
    n = shifted - _ROUND
    r = (-0.5 * clipped - n * _HIGH) - n * _LOW
    e = _E[9] + r * (_E[10] + r * (_E[11] + r * (_E[12] + r * _E[13])))
    e = _E[4] + r * (_E[5] + r * (_E[6] + r * (_E[7] + r * (_E[8] + r * e))))
    e = 1.0 + r * (1.0 + r * (_E[2] + r * (_E[3] + r * e)))
    # times 2**n: n is added to the exponent
    bits = np.float64(shifted).view(np.int64) << 52
    e = np.int64(np.float64(e).view(np.int64) + bits).view(np.float64)
    k = h2 - 1.0
    near = _NEAR[8] + k * (_NEAR[9] + k * (_NEAR[10] + k * _NEAR[11]))
    near = _NEAR[4] + k * (_NEAR[5] + k * (_NEAR[6] + k * (_NEAR[7] + k * near)))
    near = _NEAR[0] + k * (_NEAR[1] + k * (_NEAR[2] + k * (_NEAR[3] + k * near)))
    k = _A / (size * math.sqrt(0.5) + _SHIFT) + _B
    far = _FAR[9] + k * (_FAR[10] + k * (_FAR[11] + k * (_FAR[12] + k * _FAR[13])))
    far = _FAR[5] + k * (_FAR[6] + k * (_FAR[7] + k * (_FAR[8] + k * far)))
    far = _FAR[1] + k * (_FAR[2] + k * (_FAR[3] + k * (_FAR[4] + k * far)))
    far = 1.0 - e * (_FAR[0] + k * far)
    value = size * near if size < _SPLIT else far
    return math.copysign(value, h), _SLOPE * e
