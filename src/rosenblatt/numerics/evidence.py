r"""Evidence of one label for a Bayesian learner: its probability and derivatives.

**Two classes.** The learner believes that the field is Gaussian,
:math:`\mathcal N(h, v)`, and that a label is the field's sign, wrong with probability
:math:`k`. With :math:`u = y h / \sqrt v` the label had the probability

.. math::
    Z = k + (1 - 2k)\, \Phi(u),   \tag{1}

and every learner that keeps a mean and a variance moves along its two derivatives,

.. math::
    \partial_h \ln Z = \frac{y F}{\sqrt v}, \qquad
    -\partial_h^2 \ln Z = \frac{F (u + F)}{v}, \qquad
    F = \frac{(1 - 2k)\, \phi(u)}{Z}.   \tag{2}

(1) is :cite:t:`winther1997`, eq. (7). A boundary that is itself blurred by Gaussian
noise of variance :math:`\sigma^2` is a larger :math:`v`.

**From a table**, for loops over every example. With :math:`a = |u|` the ratio

.. math:: L(a) = \phi(a) / \Phi(-a)   \tag{3}

is smooth and between a and a + 1, so that a cubic in each of a few cells gives it to
``ACCURACY`` in relative terms. With :math:`\phi(a)` it gives :math:`\Phi(u)` on
both sides without cancellation. With c = 1 - 2k,

.. math::
    L Z = k L + c\, \phi \quad (u \le 0), \qquad
    L Z = (1 - k) L - c\, \phi \quad (u > 0),   \tag{4}

so that one division gives :math:`c\, \phi / Z`. The density is a power of 2 from
two small tables, and a polynomial. A call of ``exp`` takes longer, and everything else
waits for it. The table ends at ``REACH``; beyond, and for a logarithm, there is
:func:`evidence`.

**Several classes.** Each has a field of its own, believed to be
:math:`\mathcal N(h_c, a_c)`, and the largest, blurred, is the label. A blur that is
logistic makes it

.. math::
    P_c = \frac{e^{\ell_c}}{\sum_d e^{\ell_d}}, \qquad
    \ell_c = r_c h_c, \qquad r_c = \frac{1}{\sqrt{w + \pi a_c / 8}},   \tag{5}

where r takes account of the uncertainty (MacKay, 1992), and :math:`w = 1` is the
logistic law itself. With probability :math:`k` a label is one of the :math:`K - 1`
wrong ones, so that a label y has

.. math::
    Z = k' + (1 - k - k') P_y, \qquad k' = \frac{k}{K - 1}.   \tag{6}

With r held fixed, the belief about each field moves along

.. math::
    \partial_{h_c} \ln Z = t\, r_c\, (\delta_{cy} - P_c), \qquad
    -\partial^2_{h_c} \ln Z \approx t\, r_c^2\, P_c (1 - P_c), \qquad
    t = 1 - \frac{k'}{Z},   \tag{7}

where the approximation, exact for :math:`k = 0`, is never negative.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr

from rosenblatt.compiling.jit import inlined
from rosenblatt.compiling.pointers import pointer_to
from rosenblatt.core import Evidence
from rosenblatt.core.gaussian import normal_density
from rosenblatt.core.types import FloatArray

LEAST_VARIANCE = 1e-200  # of a field: its square root can be divided by
_FAR = -35.0  # beyond it erfc underflows; the series is then right to 945/u^10


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


# From here on 1 - F (u + F) = 1/u^2 - 6/u^4 + 50/u^6 to 518/u^6 < 4e-8.
_FARTHER = -50.0


class Chance(NamedTuple):
    """Logarithm of a label's probability, its slope, and the variance that is left."""

    log: FloatArray
    pull: FloatArray  # F
    left: FloatArray  # 1 - F (u + F), the share of the variance that is left


def pull(u: FloatArray, noise: float) -> FloatArray:
    """Return F of eq. (2) for many u.

    Examples
    --------
    >>> pull(np.array([-100.0, 0.0]), 0.0)
    array([100.009998  ,   0.79788456])
    """
    if noise == 0:
        return np.asarray(math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2)))
    clear = 1 - 2 * noise
    return np.asarray(clear * normal_density(u) / (noise + clear * ndtr(u)))


def chance(u: FloatArray, noise: float) -> Chance:
    """Return eqs. (1) and (2) for many u, accurate however unlikely the labels are.

    Examples
    --------
    >>> chance(np.array([-1000.0, 0.0]), 0.0).left
    array([9.99994...e-07, 3.63380228e-01])
    """
    u = np.asarray(u, dtype=np.float64)
    f = pull(u, noise)
    left = 1 - f * (u + f)
    if noise == 0:
        far = 1 / np.minimum(u, _FARTHER) ** 2
        left = np.where(u < _FARTHER, far * (1 - far * (6 - 50 * far)), left)
        return Chance(np.asarray(log_ndtr(u)), f, left)
    return Chance(np.log(noise + (1 - 2 * noise) * ndtr(u)), f, left)


REACH = 16.0  # in standard deviations; with inputs of many columns 8 is not rare
_CELLS = 32  # to a standard deviation
# A cubic through values and slopes errs by width^4 / 384 times the fourth derivative,
# which is below 0.04 times L: 1e-10. The density below errs by 4e-11.
ACCURACY = 2e-10
# The density is 2^-(whole + part / _PARTS) times exp(-r) with r below log(2) / _PARTS,
# which four terms give to r^5 / 120: 4e-11.
_BITS = 5
_PARTS = 2**_BITS
_WHOLE = 2.0 ** -np.arange(REACH * REACH / 2 / math.log(2.0) + 1)
_PART = 2.0 ** (-np.arange(_PARTS) / _PARTS) / math.sqrt(2.0 * math.pi)


def _cubics() -> FloatArray:
    """Return the coefficients of all cells' cubics, one power after the other."""
    a = np.arange(int(REACH) * _CELLS + 1) / _CELLS
    ratio = math.sqrt(2.0 / math.pi) / erfcx(a / math.sqrt(2.0))
    slope = ratio * (ratio - a) / _CELLS  # of eq. (3), to a cell
    low, high, first, last = ratio[:-1], ratio[1:], slope[:-1], slope[1:]
    bend = 3.0 * (high - low) - 2.0 * first - last
    twist = 2.0 * (low - high) + first + last
    return np.concatenate([low, first, bend, twist])


_TABLE = _cubics()
_ALL = int(REACH) * _CELLS


@inlined
def ratio_and_density(a: float, square: float, noise: float) -> tuple[float, float]:
    r"""Return L(a) and :math:`(1 - 2k) \phi(a)`, for a from 0 up to ``REACH``.

    The density needs the ``square`` of a only, which may be known before a is.
    """
    # Pointers to constants: loops that call this become loops of vectors.
    cubic, part, power_of_2 = pointer_to(_TABLE), pointer_to(_PART), pointer_to(_WHOLE)
    place = a * _CELLS
    cell, t = int(place), place - np.floor(place)
    ratio = cubic[cell] + t * (
        cubic[_ALL + cell] + t * (cubic[2 * _ALL + cell] + t * cubic[3 * _ALL + cell])
    )
    power = square * (0.5 * _PARTS / math.log(2.0))
    step = int(power)
    r = (power - np.floor(power)) * (math.log(2.0) / _PARTS)
    left = (1.0 - r) + (r * r) * ((0.5 - r * (1.0 / 6.0)) + (r * r) * (1.0 / 24.0))
    clear = 1.0 - 2.0 * noise
    density = left * (clear * part[step & (_PARTS - 1)] * power_of_2[step >> _BITS])
    return ratio, density


@inlined
def tabulated(u: float, noise: float) -> tuple[float, float]:
    r"""Return :math:`Z = k + (1 - 2k) \Phi(u)` and :math:`(1 - 2k) \phi(u) / Z`.

    For :math:`|u|` below ``REACH``.

    Examples
    --------
    >>> tabulated(0.0, 0.0)
    (0.5, 0.797884...)
    """
    ratio, density = ratio_and_density(abs(u), u * u, noise)
    whole = (1.0 - noise) * ratio - density if u > 0.0 else noise * ratio + density
    return whole / ratio, density * ratio / whole  # eq. (4)


@inlined
def certainty(variance: float, label_variance: float) -> float:
    """Return r of eq. (5); 0 where nothing is known of a step."""
    blurred = label_variance + 0.125 * math.pi * variance
    return 1.0 / math.sqrt(blurred) if blurred > 0.0 else 0.0


@inlined
def class_chances(
    fields: FloatArray,
    variances: FloatArray,
    label_variance: float,
    noise: float,
    chances: FloatArray,
) -> None:
    """Write the probability of each class, eq. (5), and with noise that of eq. (6).

    ``chances`` has two rows: without and with noise.
    """
    count = fields.size
    top = -math.inf
    for c in range(count):
        chances[0, c] = certainty(variances[c], label_variance) * fields[c]
        top = max(top, chances[0, c])
    total = 0.0
    for c in range(count):
        chances[0, c] = math.exp(chances[0, c] - top)
        total += chances[0, c]
    other = noise / (count - 1.0)
    for c in range(count):
        chances[0, c] /= total
        chances[1, c] = other + (1.0 - noise - other) * chances[0, c]


@inlined
def class_evidence(
    variances: FloatArray,
    label_variance: float,
    code: int,
    noise: float,
    chances: FloatArray,
    slopes: FloatArray,
    curvatures: FloatArray,
) -> None:
    """Write eq. (7) for each class.

    Examples
    --------
    >>> chances, slopes, curvatures = np.zeros((2, 3)), np.zeros(3), np.zeros(3)
    >>> class_chances(np.zeros(3), np.zeros(3), 1.0, 0.0, chances)
    >>> class_evidence(np.zeros(3), 1.0, 0, 0.0, chances, slopes, curvatures)
    >>> slopes.round(3), curvatures.round(3)
    (array([ 0.667, -0.333, -0.333]), array([0.222, 0.222, 0.222]))
    """
    other = noise / (slopes.size - 1.0)
    # a class that cannot be has the smallest probability there is
    z = max(chances[1, code], 2.2e-308)
    t = 1.0 - other / z
    for c in range(slopes.size):
        r = certainty(variances[c], label_variance)
        p = chances[0, c]
        slopes[c] = t * r * ((1.0 if c == code else 0.0) - p)
        curvatures[c] = t * r * r * p * (1.0 - p)
