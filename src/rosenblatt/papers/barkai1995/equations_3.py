r"""Equations of section 3 as printed, and functions that test them.

Exact results, and the corrected equations, are in
:mod:`rosenblatt.theory.closed.noisy_perceptron` and
:mod:`rosenblatt.theory.closed.shifted_perceptron`, whose symbols are used here too.

Where :math:`W_0` is the limit of the regular rule, the student returns to it at the
rate :math:`\eta \lambda`. In the special cases (i) to (iii),
:math:`\lambda = (1 - 2p) \phi_0 - p s q_0`, with :math:`s q_0 = 0` in the first and the
last. With :math:`\eta = \kappa / \alpha` the squared length :math:`x` of the student's
part across the teacher obeys
:math:`dx/d\alpha = -2 \eta \lambda x + \eta^2 [p + (1 - 2p) E]`,
:math:`E = \phi_0 \sqrt{2x / \pi}`, so that

.. math::
    x = \frac{X}{\alpha} \left[1 + \frac{(1 - 2p) \phi_0\, \kappa^2}
        {2 \kappa \lambda - 3/2} \sqrt{\frac{2}{\pi X \alpha}} + O(1/\alpha)\right],
    \qquad X = \frac{\kappa^2 p}{2 \kappa \lambda - 1}.   \tag{1}

At finite N there are N - 2 such directions. The one of the mean differs. Noise and
error count it :math:`1 + v^2` times, and its rate of return is
:math:`\eta (\lambda + \phi_0 v^2)`, so that it counts like

.. math::
    g = (1 + v^2)^2 \frac{2 \kappa \lambda - 1}{2 \kappa (\lambda + \phi_0 v^2) - 1}
    \tag{2}

of the others. The variance of :math:`x` over its squared mean is 2/N. So the mean of
its root, and the error, are smaller by :math:`(5/4 - g/2) / N`, which is 3/(4N) for
:math:`v = 0`. The shifted rule has the same rate of return in all directions, and its
noise does not contain the mean: there :math:`g = 1 + v^2`.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import RULE
from rosenblatt.rules import Shifted
from rosenblatt.schedules import Power
from rosenblatt.streams import Gaussian
from rosenblatt.theory.closed.noisy_perceptron import bias, density

__all__ = [
    "LEARNED",
    "inputs",
    "known",
    "printed_excess",
    "printed_residual",
    "printed_shift",
    "printed_wedge",
    "schedule",
    "shrink",
    "special_excess",
]

LEARNED = Shifted(RULE)  # eqs. (10) and (12), T from running averages


def known(overlap: float) -> Shifted:
    """Return eq. (10) with T of eq. (13)."""
    return Shifted.known(RULE, overlap)


def schedule(
    scale: float, overlap: float, exponent: float = 1.0, offset: float = 0.0
) -> Power:
    """Return the rate ``eta0 sqrt(pi/2) exp(q0^2/2) (alpha + offset)^-z``."""
    unit = math.sqrt(math.pi / 2) * math.exp(overlap**2 / 2)
    return Power(scale * unit, exponent, offset)


def printed_wedge(overlap: float, mean_overlap: float, teacher_overlap: float) -> float:
    """Return the bracket of eq. (8), for given R, q and q0.

    Examples
    --------
    >>> round(printed_wedge(math.cos(1.0), 0.0, 0.0) * math.pi, 12)
    1.0
    """
    r, q, q0 = overlap, mean_overlap, teacher_overlap
    side = math.sqrt(1 - r * r)

    def tail(y: float, sign: float) -> float:
        weight = math.exp(-0.5 * y * y) / math.sqrt(2 * math.pi)
        return weight * float(ndtr(-sign * (q0 + r * y) / side))

    below = quad(tail, -np.inf, -q, args=(-1.0,), epsabs=1e-12)[0]
    above = quad(tail, -q, np.inf, args=(1.0,), epsabs=1e-12)[0]
    return float(below + above)


def printed_excess(stream: Gaussian) -> float:
    """Return the second term of eq. (9), over p.

    Examples
    --------
    >>> printed_excess(Gaussian(mean=2, overlap=-1)) < 0  # below the smallest error
    True
    """
    q0, v = stream.center
    return bias(q0) * v / (1 + v * v)


def printed_shift(overlap: float) -> float:
    """Return the component of T - U along the teacher, eq. (13)."""
    return 2 * density(overlap) / bias(overlap)


def printed_residual(rate: float, noise: float, overlap: float) -> float:
    """Return the second term of eq. (15).

    Examples
    --------
    >>> round(printed_residual(0.02, 0.1, 1.0), 5)
    0.01241
    """
    tail = math.exp(-0.25 * overlap**2)
    return math.sqrt(rate * noise) * tail / math.pow(2 * math.pi**3, 0.25)


def special_excess(
    noise: float, stream: Gaussian, scale: float, alpha: float, dim: int
) -> float:
    """Return the mean error above p of the regular rule in the special cases.

    The rate is ``scale / alpha``.
    """
    q0, v = stream.center
    clear = (1 - 2 * noise) * density(q0)
    pull = clear - noise * q0 * bias(q0)
    first = scale**2 * noise / (2 * scale * pull - 1)
    second = clear * scale**2 / (2 * scale * pull - 1.5)
    side2 = first / alpha * (1 + second * math.sqrt(2 / (math.pi * first * alpha)))
    stiff = pull + density(q0) * v**2
    counts = (1 + v**2) ** 2 * (2 * scale * pull - 1) / (2 * scale * stiff - 1)
    return clear * math.sqrt(2 * side2 / math.pi) * shrink(dim, counts)


def shrink(dim: int, counts: float) -> float:
    """Return the factor by which a finite N changes an error above p.

    ``counts`` is g, how much the direction of the mean counts, relative to others.
    """
    return 1 - (1.25 - 0.5 * counts) / dim


def inputs(
    rng: np.random.Generator, examples: int, noise: float, stream: Gaussian
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs along and across the teacher (towards the mean), and labels."""
    along, across = stream.center
    b = along + rng.standard_normal(examples)
    c = across + rng.standard_normal(examples)
    flipped = rng.random(examples) < noise
    return b, c, np.sign(b) * np.where(flipped, -1.0, 1.0)
