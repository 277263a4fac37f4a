r"""One parameter near its target: eqs. (23) to (26), corrected and solved.

**Units.** Let :math:`s_0` be the point where :math:`f(s; w_0) = 0`, and there
:math:`f_0' = \partial_w f`, :math:`\kappa = \rho(s_0)\, |f_0' / \partial_s f|` with
:math:`\rho` the density of the inputs. (Several such points with the same :math:`f_0'`
add their :math:`\kappa`.) To first order in :math:`\delta w = w - w_0` an example is a
mistake with probability :math:`\kappa |\delta w|`, and then
:math:`\delta w \to \delta w - \eta |f_0'|\, \mathrm{sgn}\, \delta w`. So in the unit

.. math::
    x = \frac{\delta w}{\eta |f_0'|}: \qquad x \to x - \mathrm{sgn}\, x
    \quad\text{with probability } \eta\lambda |x|, \qquad
    \lambda = \kappa |f_0'| = \langle \delta(f_0)\, f_0'^2 \rangle,   \tag{1}

and the error is :math:`\eta \lambda |x|`. The paper's :math:`x` is ours times
:math:`|f_0'|`, its :math:`\hat L` ours times :math:`|f_0'|`, and it leaves out
:math:`\kappa`. Below, :math:`c = \eta_0 \lambda` is called scale.

**Eq. (24)**, with the bars and the support that it needs:

.. math::
    L F(x) = \sum_{\sigma = \pm 1} \theta(1 + \sigma x)\, |1 + \sigma x|\, F(x + \sigma)
        - |x| F(x) = 0, \qquad F(x) = 0 \text{ for } |x| > 1.   \tag{2}

For :math:`0 < x < 1` this is :math:`|x| F(x) = |x - 1| F(x - 1)`: every
:math:`h(x) / |x|` with :math:`h` of period 1 is a solution. The class :math:`u = x`
mod 1 never changes; with :math:`m(u)` its density at the start,

.. math:: F(u) = (1 - u)\, m(u), \qquad F(u - 1) = u\, m(u), \qquad 0 < u < 1,  \tag{3}

the triangle :math:`1 - |x|` if :math:`m = 1`. Where the gradient varies with the input,
steps differ by :math:`O(\eta)` at random and classes mix. (If it varies with
:math:`w` only, they move round, to the same effect for as long as positions are not
locked to a cycle.) Then only :math:`h = \text{const}` stays, and :math:`1 / |x|` cannot
be normalised: there is no equilibrium. The positions at successive mistakes are spread
evenly over :math:`|x| < 1`, but the time until the next one, :math:`1/|x|`, has no
mean. Renewal theory for such times, which are longer than T with the probability
:math:`(1 - e^{-T}) / T`, :math:`T = \eta \lambda n`, gives

.. math::
    \langle |x| \rangle = \frac{1}{E} - \frac{\pi^2}{6 E^3} + \dots, \qquad
    E = \int_0^T \frac{1 - e^{-t}}{t}\, dt = \ln T + \gamma + \dots:   \tag{4}

at a constant rate the mass collapses onto :math:`w_0`, slowly.

**Eqs. (25), (26)**, :math:`\eta = \eta_0 n^{-z}`, :math:`z < 1`. The corrected eq. (26)
is :math:`z (x F)' = c L G`. With :math:`F = 1 - |x|` and :math:`a = z / c`

.. math::
    G(x) = -a (1 - 2|x|) + S\, [1 - |x| - \delta(x)], \qquad
    S = \frac{2 z^2}{c (1 - z)}.   \tag{5}

The first term alone solves eq. (26); the second, a solution of :math:`L G = 0`, follows
from the next order, where each class must balance. In fact :math:`x` grows while
:math:`\eta` falls, so classes move, forth and back. They diffuse, :math:`\partial m /
\partial \log n = (z^2 / c)\, n^{z-1}\, (u (1 - u) m)''`, and end at :math:`u = 0` and
1, which is :math:`w_0`. Diffusion lasts for a finite time, so that from a spread-out
start at :math:`n_0`

.. math::
    \langle |x| \rangle = \tfrac13\, (1 + a n^{z-1})\,
        \exp[-S (n_0^{z-1} - n^{z-1})],   \tag{6}

up to squares of :math:`n_0^{z-1}/c`: even the limit depends on the start. The ratio of
moments does not. As :math:`d\langle x^2\rangle / d\log n = 2z \langle x^2\rangle + c
n^{1-z} \langle |x| - 2 x^2 \rangle`, with :math:`e = a n^{z-1}`

.. math::
    \langle x^2 \rangle / \langle |x| \rangle
        = \tfrac12\, (1 - e - e^2 / z + \dots)^{-1}.   \tag{7}

**Noise.** With probability p a label is wrong. Then a step is taken everywhere, not
only near :math:`s_0`, and on average (all derivatives with respect to w, at
:math:`w_0`)

.. math::
    \frac{d\delta w}{dn} = -\eta p\, \langle \mathrm{sgn}(f_0) f' \rangle
        - \eta \lambda_p\, \delta w, \qquad
    \lambda_p = \lambda + p\, \langle \mathrm{sgn}(f_0) f'' \rangle,   \tag{8}

with a variance :math:`\eta^2 p \langle f'^2 \rangle` per example. The first term must
vanish, or :math:`w_0` is no fixed point. If it does, :math:`\delta w / \sqrt\eta` is
Gaussian with the variance :math:`p \langle f'^2 \rangle / (2 \lambda_p)`; and for
:math:`\eta = \eta_0 / n` that of :math:`\delta w` is
:math:`\eta_0^2 p \langle f'^2 \rangle / ((2 \eta_0 \lambda_p - 1)\, n)` if
:math:`\eta_0 \lambda_p > 1/2`. The error is
:math:`p + (1 - 2p)\, \kappa \langle |\delta w| \rangle`. Mistakes that are not due to
noise make steps too: the variance, and the kurtosis from 3, grow by the factor

.. math::
    1 + (1 - 2p)\, \frac{\lambda |f_0'|}{p \langle f'^2 \rangle}
        \sqrt{\frac{2 \langle \delta w^2 \rangle}{\pi}},   \tag{9}

which is far from 1 unless :math:`\sqrt\eta` is small.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import csr_array
from scipy.special import exp1

from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray

__all__ = [
    "aging",
    "correction",
    "grid",
    "moment_ratio",
    "noisy_growth",
    "noisy_variance",
    "operator",
    "remembered",
    "stationary",
]


def grid(points: int, reach: int = 1) -> FloatArray:
    """Return the middles of the cells of -reach ... reach, with so many per unit."""
    cells = whole("reach", reach, low=1) * whole("points", points, low=1)
    return (np.arange(-cells, cells) + 0.5) / points


def operator(points: int, reach: int = 1) -> csr_array[np.float64]:
    """Return the operator of eq. (24), corrected, on a grid: eq. (2).

    A cell is mapped onto cells, so that nothing is approximated. Jumps never lead out.

    Examples
    --------
    >>> bool(np.all(operator(10).sum(axis=0) == 0))  # probability is kept
    True
    """
    x = grid(points, reach)
    rate, here = np.abs(x), np.arange(x.size)
    there = here - points * np.sign(x).astype(int)
    return csr_array(
        (
            np.concatenate([rate, -rate]),
            (np.concatenate([there, here]), np.concatenate([here, here])),
        )
    )


def stationary(classes: FloatArray) -> FloatArray:
    """Return the solution of eq. (24) for a density of x mod 1: eq. (3).

    Parameters
    ----------
    classes
        Density in the cells of 0 ... 1.

    Examples
    --------
    >>> stationary(np.ones(4))  # the triangle, on grid(4)
    array([0.125, 0.375, 0.625, 0.875, 0.875, 0.625, 0.375, 0.125])
    """
    u = grid(len(classes))[len(classes) :]
    return np.concatenate([u * classes, (1 - u) * classes])


def correction(x: FloatArray, exponent: float, scale: float) -> FloatArray:
    """Return G of eq. (25) away from 0, for the triangle: eq. (5).

    Examples
    --------
    >>> correction(np.array([0.5]), exponent=0.5, scale=2.0)
    array([0.25])
    """
    size = np.abs(x)
    a, s = exponent / scale, _released(exponent, scale)
    return np.where(size < 1, -a * (1 - 2 * size) + s * (1 - size), 0.0)


def _released(exponent: float, scale: float) -> float:
    """Return S of eq. (5)."""
    if not 0 <= exponent < 1:
        raise ValueError(f"exponent must be from 0 to below 1, got {exponent}")
    return 2 * exponent**2 / (scale * (1 - exponent))


def remembered(exponent: float, scale: float, first: float) -> float:
    """Return the limit of <|x|> after a spread-out start at a first n: eq. (6).

    Examples
    --------
    >>> round(3 * remembered(exponent=0.5, scale=1.0, first=400.0), 3)
    0.951
    """
    shrunk = _released(exponent, scale) * math.pow(first, exponent - 1)
    return math.exp(-shrunk) / 3


def moment_ratio(exponent: float, scale: float, n: float) -> float:
    """Return <x^2>/<|x|> late, for z < 1: eq. (7).

    Examples
    --------
    >>> round(moment_ratio(0.5, scale=2.0, n=1e6), 6)
    0.500125
    """
    e = exponent / scale * math.pow(n, exponent - 1)
    return 0.5 / (1 - e - e * e / exponent)


def aging(time: float) -> float:
    """Return <|x|> late, at eta lambda n = time, if the gradient varies: eq. (4).

    Examples
    --------
    >>> round(aging(1000.0), 4)
    0.1297
    """
    mean = float(exp1(time)) + math.log(time) + np.euler_gamma
    return 1 / mean - math.pi**2 / (6 * mean**3)


def noisy_growth(noise: float, share: float, variance: float) -> float:
    """Return by how much steps without noise widen the law with noise: eq. (9).

    Parameters
    ----------
    noise
        Probability p of a wrong label.
    share
        ``lambda |f0'| / <f'^2>``.
    variance
        Variance of dw.

    Examples
    --------
    >>> round(noisy_growth(0.2, 1 / math.sqrt(2 * math.pi), 1e-3), 4)
    1.0302
    """
    length = math.sqrt(2 * variance / math.pi)
    return 1 + (1 - 2 * noise) * share / noise * length


def noisy_variance(noise: float, gradient2: float, rate: float) -> float:
    """Return the variance of dw/eta^(1/2) at a constant rate, with noise: eq. (8).

    Parameters
    ----------
    noise
        Probability p of a wrong label.
    gradient2
        Mean square of f' over the inputs.
    rate
        The rate of return, lambda_p.

    Examples
    --------
    >>> round(noisy_variance(0.2, 1.0, 1 / math.sqrt(2 * math.pi)), 4)
    0.2507
    """
    return noise * gradient2 / (2 * rate)
