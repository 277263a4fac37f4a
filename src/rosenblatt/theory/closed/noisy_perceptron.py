r"""The normalised perceptron rule with label noise and biased inputs.

Inputs are Gaussian around :math:`U`, with :math:`q_0 = U \cdot W_0`, :math:`u = |U|`
and :math:`v = \sqrt{u^2 - q_0^2}`; labels are wrong with probability :math:`p`. The
student is a unit vector :math:`W` with :math:`R = W \cdot W_0` and
:math:`q = U \cdot W`. We write :math:`e(x) = \mathrm{erf}(x / \sqrt 2)`,
:math:`\phi(x)` for the normal density, :math:`s = e(q_0)`, :math:`\phi_0 = \phi(q_0)`.

**Drift.** A mistake adds :math:`\sigma S = (\sigma - \mathrm{sgn}\, W \cdot S) S / 2`,
all other examples make this zero, and Gaussian integration by parts gives its mean,

.. math::
    \langle \epsilon \sigma S \rangle = A U + C W_0 - \phi(q) W, \qquad
    A = \tfrac12 [(1 - 2p) s - e(q)], \quad C = (1 - 2p) \phi_0.   \tag{1}

With normalisation, and with the mistakes' frequency :math:`\epsilon`, which is p +
(1 - 2p) times the probability that student and teacher differ, that is

.. math::
    \frac{dR}{d\alpha} &= \eta [A (q_0 - R q) + C (1 - R^2)] - \tfrac12 \eta^2 R
        \epsilon, \\
    \frac{dq}{d\alpha} &= \eta [A (u^2 - q^2) + C (q_0 - R q)] - \tfrac12 \eta^2 q
        \epsilon.   \tag{2}

**Limit** :math:`\eta \to 0`. The drift is the negative gradient of the convex
function :math:`\langle \max(0, -\sigma W \cdot S) \rangle`, taken along the sphere. It
is zero where :math:`W` and :math:`A U + C W_0` are parallel or antiparallel.
Antiparallel points are unstable in the directions outside the plane of :math:`U` and
:math:`W_0`. Parallel means :math:`q = G(q)` with

.. math::
    G = \frac{A u^2 + C q_0}{|A U + C W_0|}, \qquad
    \frac{\partial G}{\partial A} = \frac{C^2 v^2}{|A U + C W_0|^3} \ge 0, \qquad
    \frac{\partial A}{\partial q} = -\phi(q) < 0,   \tag{3}

so that there is exactly one such point if :math:`v > 0` and :math:`p < 1/2`. Within the
plane it is stable too, at the rate :math:`W \cdot (A U + C W_0)` plus :math:`\phi(q)`
times the squared component of :math:`U` at a right angle to :math:`W`. It lies on the
side of :math:`W_0` where :math:`|q|` is smaller, at an angle of less than
:math:`\pi / 2`. It is :math:`W_0` itself only where :math:`p s v = 0`.

If :math:`U` is parallel to :math:`W_0` (:math:`v = 0`), :math:`W_0` is stable for

.. math:: p < p_c = \frac{\phi_0}{2 \phi_0 + |s q_0|},   \tag{4}

where :math:`A q_0 + C > 0`. Beyond, :math:`A q_0 + C` vanishes on a cone around
:math:`W_0`, :math:`e(q) = (1 - 2p) (s + 2 \phi_0 / q_0)`, and any direction on it is a
limit.

**Small noise.** Eq. (3) to first order: :math:`W` is off by
:math:`-p s v / \phi_0 (1 + v^2)` in the direction of the mean, and the error is

.. math::
    \epsilon - p = p \frac{|s|\, v}{1 + v^2} \left[\sqrt{2 / \pi}\, e^{-v^2 / 2}
        + v\, e(v)\right] + O(p^2),   \tag{5}

the bracket being the mean of :math:`|v + z|` with normal z. This corrects
:cite:t:`barkai1995`, eq. (9), which has neither the bracket nor the bars.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfinv

from rosenblatt.core.arguments import below_half
from rosenblatt.core.gaussian import PlaneMean, disagreement
from rosenblatt.streams import Gaussian

__all__ = [
    "Limit",
    "bias",
    "critical_noise",
    "density",
    "drift",
    "error",
    "error_at",
    "limit",
    "small_noise_slope",
]


class Limit(NamedTuple):
    """Fixed point of the rule for rates that tend to zero."""

    overlap: float  # R
    mean_overlap: float  # q
    angle: float  # between student and teacher
    error: float  # noise included


def density(x: float) -> float:
    """Return the density of the standard normal law.

    Examples
    --------
    >>> density(0.0)
    0.3989...
    """
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


def bias(x: float) -> float:
    """Return e(x), the mean sign of a Gaussian field with mean x and variance 1.

    Examples
    --------
    >>> bias(1.0)
    0.6826...
    """
    return math.erf(x / math.sqrt(2))


def error(angle: float, across: float, *, noise: float, overlap: float) -> float:
    """Return the probability that the student's sign is not the label.

    Parameters
    ----------
    angle
        Between student and teacher.
    across
        Component of the inputs' mean at a right angle to the teacher, towards the
        student.
    noise, overlap
        Probability of a wrong label, and q0.

    Examples
    --------
    >>> error(math.pi / 4, 0.0, noise=0.0, overlap=0.0)
    0.25
    """
    mean = PlaneMean(np.array(overlap), np.array(across))
    return noise + (1 - 2 * noise) * float(disagreement(np.array(angle), mean))


def error_at(
    overlap: float, mean_overlap: float, *, noise: float, stream: Gaussian
) -> float:
    """Return the same for given R and q; at R = 1 it is the noise alone.

    Examples
    --------
    >>> error_at(1.0, 1.0, noise=0.25, stream=Gaussian(mean=2, overlap=1))
    0.25
    """
    side = math.sqrt((1 - overlap) * (1 + overlap))
    q0 = stream.overlap
    across = (mean_overlap - q0 * overlap) / side if side > 0 else 0.0
    return error(math.atan2(side, overlap), across, noise=noise, overlap=q0)


def drift(
    overlap: float, mean_overlap: float, rate: float, *, noise: float, stream: Gaussian
) -> tuple[float, float]:
    """Return eq. (2), the derivatives of R and q.

    Examples
    --------
    >>> drift(1.0, 1.0, 0.1, noise=0.0, stream=Gaussian(mean=2, overlap=1))
    (0.0, 0.0)
    """
    r, q, q0 = overlap, mean_overlap, stream.overlap
    a = 0.5 * ((1 - 2 * noise) * bias(q0) - bias(q))
    c = (1 - 2 * noise) * density(q0)
    noisy = 0.5 * rate**2 * error_at(r, q, noise=noise, stream=stream)
    return (
        rate * (a * (q0 - r * q) + c * (1 - r) * (1 + r)) - noisy * r,
        rate * (a * (stream.mean**2 - q**2) + c * (q0 - r * q)) - noisy * q,
    )


def critical_noise(overlap: float) -> float:
    """Return eq. (4): from this noise on W0 is unstable if U is parallel to it.

    Examples
    --------
    >>> critical_noise(0.0), round(critical_noise(2.0), 4)
    (0.5, 0.0268)
    """
    tail = 2 * density(overlap)
    return 0.5 * tail / (tail + abs(overlap * bias(overlap)))


def limit(*, noise: float, stream: Gaussian) -> Limit:
    """Return the only stable direction for rates that tend to zero, for p < 1/2.

    Parameters
    ----------
    noise
        Probability of a wrong label.
    stream
        The law of the inputs.

    Examples
    --------
    >>> limit(noise=0.2, stream=Gaussian(mean=4, overlap=-1.95))
    Limit(overlap=0.9527..., mean_overlap=-0.7974..., angle=0.3085..., error=0.3121...)
    """
    noise = below_half("noise", noise)
    # Reflections change the signs of q0 and q together: only |q0| matters, and the
    # student leaves the teacher on the side away from the mean.
    q0, v = abs(stream.overlap), stream.center[1]
    mean_label, c = (1 - 2 * noise) * bias(q0), (1 - 2 * noise) * density(q0)

    def torque(angle: float) -> float:
        """Return the derivative of the angle over the rate, at this angle."""
        sine, cosine = math.sin(angle), math.cos(angle)
        a = 0.5 * (mean_label - bias(q0 * cosine - v * sine))
        return -a * (v * cosine + q0 * sine) - c * sine

    angle = 0.0
    if v == 0 and noise > critical_noise(q0):
        cosine = math.sqrt(2) * float(erfinv(mean_label + 2 * c / q0)) / q0
        angle = math.acos(min(cosine, 1.0))  # which rounding may exceed close to p_c
    elif v > 0 and torque(0.0) > 0:
        angle = float(brentq(torque, 0.0, 0.5 * math.pi, xtol=1e-300, rtol=1e-15))
    return Limit(
        overlap=math.cos(angle),
        mean_overlap=math.copysign(1.0, stream.overlap)
        * (q0 * math.cos(angle) - v * math.sin(angle)),
        angle=angle,
        error=error(angle, -v, noise=noise, overlap=q0),
    )


def small_noise_slope(stream: Gaussian) -> float:
    """Return eq. (5) over p: the excess error per noise, for small noise.

    Examples
    --------
    >>> round(small_noise_slope(Gaussian(mean=4, overlap=-1.95)), 4)
    0.877
    """
    q0, v = stream.center
    bracket = 2 * density(v) + v * bias(v)
    return abs(bias(q0)) * v / (1 + v**2) * bracket
