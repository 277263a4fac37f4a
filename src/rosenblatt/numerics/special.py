r"""Special functions: erf and tanh with their slopes, and quantiles of scaled normals.

The first two are made of vector instructions.

**The error function.** With :math:`x = |h| / \sqrt 2`,

.. math::
    \operatorname{erf} x = h\, P(h^2 - 1) \quad (x < 1), \qquad
    \operatorname{erf} x = 1 - e^{-x^2} F(k), \quad k = a / (x + 3) + b
    \quad (x \ge 1),   \tag{1}

where :math:`a, b` take x from 1 to 6 to the interval from 1 to -1. Both polynomials
interpolate at Chebyshev's points, and were computed with 90 digits: P errs by 1e-17 of
its value, F by 2e-17 after the product. The slope needs :math:`e^{-x^2}` anyway.

**The hyperbolic tangent.** With a whole number n and
:math:`|t| = r - n \tfrac12 \ln 2`, and polynomials :math:`E, O` of which one is even
and one odd,

.. math::
    e^{-2|t|} = 2^n\, \frac{E - O}{E + O}, \qquad
    \frac{O}{E} = \tanh r, \qquad |r| \le \tfrac14 \ln 2,   \tag{2}

so that with :math:`D = (E + O) + 2^n (E - O)` one division gives both,

.. math::
    \tanh |t| = \frac{(E + O) - 2^n (E - O)}{D}, \qquad
    1 - \tanh^2 t = \frac{2 \cdot 2^n (E - O)}{D}\, (1 + \tanh |t|).   \tag{3}

The second keeps its digits where the tangent rounds to 1. Both are right to a few units
in the last place. Beyond :math:`|t| = 350` they stay what they are there, so that a
weight's variance never vanishes.

**Normal numbers with an unknown scale**, and mixtures of such laws:

.. math:: w = (m + \sigma \xi)\, e^{s \eta}, \qquad \xi, \eta \sim N(0, 1).   \tag{4}

The integral over one of the two is Gauss-Hermite quadrature, that over the other is
known. Given :math:`\xi`, the law is log-normal: this is smooth where
:math:`s |m| > 2 \sigma`. Elsewhere the normal law given :math:`\eta` is. Bisection
finds quantiles.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from rosenblatt.compiling.jit import inlined_as_written
from rosenblatt.core.types import FloatArray

_SPLIT = math.sqrt(2)  # x = 1
_SLOPE = math.sqrt(2 / math.pi)  # of erf(h / sqrt(2)) at h = 0
_MOST_SQUARE = 1400.0  # of h^2: exp(-700) is still a normal number
# log(2) in two pieces: the first has so few digits that n times it is exact
_LOG_HIGH = 0.6931471803691238
_LOG_LOW = 1.9082149292705877e-10
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
    clipped = h2 if h2 < _MOST_SQUARE else _MOST_SQUARE
    shifted = _ROUND - clipped * (0.5 / math.log(2.0))
    n = shifted - _ROUND
    r = (-0.5 * clipped - n * _LOG_HIGH) - n * _LOG_LOW
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


_MOST = 350.0  # exp(-700) is still a normal number
# log(2) / 2 in two pieces: the first has so few digits that n times it is exact
_HALF_LOG = Fraction("0.693147180559945309417232121458176568") / 2
_HALF_HIGH = math.floor(_HALF_LOG * 2**33) / 2**33
_HALF_LOW = float(_HALF_LOG - Fraction(_HALF_HIGH))
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
    r = (size + n * _HALF_HIGH) + n * _HALF_LOW
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


_NODES, _MASSES = np.polynomial.hermite_e.hermegauss(31)
_MASSES = _MASSES / _MASSES.sum()
_HALVINGS = 45  # of a bracket: to rounding
_TINY = 1e-300  # instead of a deviation of 0
_WIDEST = 40.0  # s of eq. (4): larger factors would overflow
_NUMBERS = 2**15  # evaluated at a time, so that they stay in the cache


def central_interval(
    level: float,
    mean: FloatArray,
    deviation: FloatArray,
    log_deviation: FloatArray,
    shares: npt.ArrayLike = (1.0,),
) -> FloatArray:
    """Return the ends between which numbers are with a probability, as a last axis.

    Parameters
    ----------
    level
        The probability; half of the rest is on either side.
    mean, deviation, log_deviation
        Numbers m, sigma and s of eq. (4) for each law of the mixture, shape (laws,
        ...).
    shares
        Weights of the laws, which add up to 1.

    Examples
    --------
    >>> ends = central_interval(0.95, *np.array([[[1.0]], [[0.1]], [[0.0]]]))
    >>> ends.round(3)
    array([[0.804, 1.196]])
    """
    tail = 0.5 * (1.0 - level)
    if tail == 0.0:
        return np.broadcast_to([-np.inf, np.inf], (*mean.shape[1:], 2)).copy()
    # Neither factor of eq. (4) is outside of this, but for an eighth of the tail.
    reach = -ndtri(tail / 8.0)
    sigma, s = np.maximum(deviation, _TINY), np.minimum(log_deviation, _WIDEST)
    most = ((abs(mean) + reach * sigma) * np.exp(reach * s)).max(axis=0)
    laws = mean[..., None], sigma[..., None], s[..., None]  # the last axis: two ends
    both = np.stack([most, most], axis=-1)
    with np.errstate(all="ignore"):  # ndtr is 0 or 1 there, or not used
        return _quantiles(np.array([tail, 1.0 - tail]), laws, np.asarray(shares), both)


def _quantiles(
    p: FloatArray,
    laws: tuple[FloatArray, FloatArray, FloatArray],
    shares: FloatArray,
    most: FloatArray,
) -> FloatArray:
    """Return quantiles of a mixture, which are between -most and most."""
    low, high = -most, most
    nodes = _NODES.reshape(-1, *(1 for _ in laws[0].shape))
    few = max(1, _NUMBERS // (len(shares) * most.size))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        below = np.zeros(most.shape)
        for first in range(0, len(nodes), few):
            given = _below(middle, laws, nodes[first : first + few])
            mixed = np.tensordot(given, shares, axes=(1, 0))
            for mass, one in zip(_MASSES[first : first + few], mixed, strict=True):
                below += mass * one
        less = below < p
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return np.asarray(0.5 * (low + high))


def _below(
    w: FloatArray, laws: tuple[FloatArray, FloatArray, FloatArray], node: FloatArray
) -> FloatArray:
    """Return the probability that the sum is smaller, given one of two normal numbers.

    The first axis is that of the nodes, the second that of the laws.
    """
    mean, sigma, s = laws
    normal = ndtr((w * np.exp(-node * s) - mean) / sigma)
    given = mean + node * sigma
    apart = np.log(abs(w / given)) / s
    positive = np.where(w > 0.0, ndtr(apart), 0.0)
    negative = np.where(w < 0.0, ndtr(-apart), 1.0)
    log_normal = np.where(given > 0.0, positive, negative)
    return np.asarray(np.where(s * abs(mean) > 2.0 * sigma, log_normal, normal))
