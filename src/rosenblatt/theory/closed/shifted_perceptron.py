r"""The shifted perceptron rule: label noise and biased inputs, with the noise undone.

Symbols are those of :mod:`rosenblatt.theory.closed.noisy_perceptron`. The rule adds
:math:`S - T` instead of :math:`S` on mistakes, with
:math:`T = U + W_0\, 2 \phi_0 / s`, :cite:t:`barkai1995`, eqs. (10) to (13).

**T known.** The mean of :math:`\epsilon \sigma` is :math:`A`, so that
:math:`\langle \epsilon \sigma (S - T) \rangle = (C - 2 A \phi_0 / s) W_0 - \phi(q) W`
and

.. math::
    \frac{dR}{d\alpha} = \eta \phi_0 \frac{e(q)}{s} (1 - R^2) - \tfrac12 \eta^2 R
        \epsilon, \qquad
    \frac{dq}{d\alpha} = \eta \phi_0 \frac{e(q)}{s} (q_0 - R q) - \tfrac12 \eta^2 q
        \epsilon.   \tag{1}

Near :math:`W_0` this is eq. (14) of the paper with the error :math:`\epsilon` in place
of its smallest value p. The fixed point does not depend on the mean:
:math:`q = q_0 R`. With :math:`E = \phi_0 \theta \sqrt{2 / \pi}` for the probability
that student and teacher differ, a small constant rate leaves

.. math::
    E^2 = \frac{\eta \phi_0}{\pi} [p + (1 - 2p) E], \qquad \epsilon - p
        = (1 - 2p) E \approx (1 - 2p) \sqrt{\eta p \phi_0 / \pi},   \tag{2}

which is eq. (15) but for :math:`1 - 2p`, and eq. (5) where p = 0.

**T learned** as the ratio :math:`M / \ell` of running averages of :math:`\sigma S` and
:math:`\sigma`. Outside the plane of :math:`U` and :math:`W_0` the average has a random
part :math:`m` with :math:`|m|^2 = 1 / \alpha`, which moves the student. With
:math:`\langle \epsilon \sigma \rangle = -p s` and :math:`\ell = (1 - 2p) s`, the
student's part :math:`\delta` across the teacher and :math:`P = \delta \cdot m` obey

.. math::
    \frac{d |\delta|^2}{d\alpha} = -2 \eta \phi_0 |\delta|^2 + \frac{2 \eta p}{1 - 2p} P
        + \eta^2 p, \qquad
    \frac{d (\alpha P)}{d\alpha} = -\eta \phi_0 \alpha P
        + \eta p \left[1 + \frac{1}{1 - 2p}\right].   \tag{3}

**Asymptotes.** With the rate :math:`\eta_0 / (2 \phi_0 \alpha)`, eq. (3) gives
:math:`1 - R \to K / \alpha` for :math:`\eta_0 > 1`,

.. math::
    K = \frac{\eta_0\, p}{2 \phi_0^2} \frac{c + \eta_0 / 4}{\eta_0 - 1}, \qquad
    c = \frac{2 p (1 - p)}{(1 - 2p)^2},   \tag{4}

smallest at :math:`\eta_0 = 1 + \sqrt{1 + 4 c}`; with T known the same holds with c = 0.
At :math:`\eta_0 = 1`, :math:`1 - R \to (p / 2 \phi_0^2) (c + 1/4) \log(\alpha) /
\alpha`. The error follows as

.. math:: \epsilon - p = (1 - 2p)\, 2 \phi_0 \sqrt{(1 - R) / \pi}.   \tag{5}

At :math:`\eta_0 = 2` it is :math:`(1 - 2p) \sqrt{2p / \pi\alpha}` with T known and
:math:`\sqrt{2p / \pi\alpha}` with T learned, since
:math:`1 + 2c = (1 - 2p)^{-2}`: eq. (18) of the paper is right for the latter.
"""

from __future__ import annotations

import math

from scipy.optimize import brentq

from rosenblatt.core.arguments import below_half, number
from rosenblatt.streams import Gaussian
from rosenblatt.theory.closed.noisy_perceptron import bias, density, error, error_at

__all__ = [
    "best_scale",
    "drag",
    "drift",
    "excess",
    "fixed_point",
    "prefactor",
    "pull",
    "residual_excess",
]


def _biased(overlap: float) -> float:
    if overlap == 0:
        raise ValueError(
            "overlap must not be 0: labels are then balanced and no uniform shift "
            "exists"
        )
    return overlap


def pull(
    overlap: float, mean_overlap: float, *, teacher_overlap: float
) -> tuple[float, float]:
    """Return eq. (1) to first order in the rate, over the rate; it is free of p.

    Parameters
    ----------
    overlap, mean_overlap, teacher_overlap
        R, q and q0, which must not be 0.

    Examples
    --------
    >>> pull(0.0, 1.0, teacher_overlap=1.0) == (density(1.0), density(1.0))
    True
    """
    q0 = _biased(teacher_overlap)
    strength = density(q0) * bias(mean_overlap) / bias(q0)
    return (
        strength * (1 - overlap) * (1 + overlap),
        strength * (q0 - overlap * mean_overlap),
    )


def drift(
    overlap: float, mean_overlap: float, rate: float, *, noise: float, stream: Gaussian
) -> tuple[float, float]:
    """Return eq. (1), the derivatives of R and q with T known.

    Examples
    --------
    >>> drift(1.0, 1.0, 2.0, noise=0.1, stream=Gaussian(mean=2, overlap=1))
    (-0.2, -0.2)
    """
    r, q = pull(overlap, mean_overlap, teacher_overlap=stream.overlap)
    wrong = error_at(overlap, mean_overlap, noise=noise, stream=stream)
    noisy = 0.5 * rate**2 * wrong
    return rate * r - noisy * overlap, rate * q - noisy * mean_overlap


def fixed_point(rate: float, *, noise: float, overlap: float) -> float:
    """Return the angle at which eq. (1) comes to rest for a constant rate.

    Parameters
    ----------
    rate
        The rate; too large a one leaves no such point.
    noise, overlap
        Probability p of a wrong label, and q0, which must not be 0.

    Examples
    --------
    >>> angle = fixed_point(0.02, noise=0.1, overlap=1.0)
    >>> round(error(angle, 0.0, noise=0.1, overlap=1.0) - 0.1, 5)
    0.01046
    """
    rate = number("rate", rate, above=0)
    mean_sign = bias(_biased(overlap))

    def balance(angle: float) -> float:
        """Return the pull towards the teacher minus the effect of the noise, over R."""
        cosine = math.cos(angle)
        strength = density(overlap) * bias(overlap * cosine) / mean_sign / cosine
        wrong = error(angle, 0.0, noise=noise, overlap=overlap)
        return strength * math.sin(angle) ** 2 - 0.5 * rate * wrong

    # Without noise there is a second root, at angle 0; the one wanted is near
    # rate / sqrt(2 pi).
    low, high = 1e-3 * min(rate, 1.0), 0.5 * math.pi * (1 - 1e-9)
    if balance(high) <= 0:
        raise ValueError(f"rate must be small enough for a fixed point, got {rate}")
    return float(brentq(balance, low, high, xtol=1e-300, rtol=1e-14))


def residual_excess(rate: float, *, noise: float, overlap: float) -> float:
    """Return the error above p of eq. (2), for a small constant rate.

    Examples
    --------
    >>> round(residual_excess(0.02, noise=0.1, overlap=1.0), 5)
    0.01043
    """
    half = 0.5 * rate * density(overlap) / math.pi
    clear = 1 - 2 * noise
    return clear * (half * clear + math.sqrt((half * clear) ** 2 + 2 * half * noise))


def drag(noise: float) -> float:
    """Return c of eq. (4): the cost of learning T from the same labels.

    Examples
    --------
    >>> drag(0.25)
    1.5
    """
    noise = below_half("noise", noise)
    return 2 * noise * (1 - noise) / (1 - 2 * noise) ** 2


def prefactor(scale: float, *, noise: float, overlap: float, learned: bool) -> float:
    """Return K of eq. (4): the limit of alpha (1 - R) for a scale above 1.

    Parameters
    ----------
    scale
        eta0, where the rate is ``eta0 sqrt(pi/2) exp(q0^2/2) / alpha``.
    noise, overlap
        Probability p of a wrong label, and q0.
    learned
        Whether T is learned.

    Examples
    --------
    >>> prefactor(2.0, noise=0.25, overlap=0.0, learned=True) / (math.pi / 4)
    4.0...
    """
    scale = number("scale", scale, above=1)
    c = drag(noise) if learned else 0.0
    spread = scale * noise / (2 * density(overlap) ** 2)
    return spread * (c + 0.25 * scale) / (scale - 1)


def best_scale(noise: float, *, learned: bool) -> float:
    """Return the scale at which eq. (4) is smallest.

    Examples
    --------
    >>> best_scale(0.2, learned=False), round(best_scale(0.2, learned=True), 3)
    (2.0, 3.134)
    """
    return 1 + math.sqrt(1 + 4 * (drag(noise) if learned else 0.0))


def excess(lack: float, *, noise: float, overlap: float) -> float:
    """Return eq. (5), the error above p at ``lack = 1 - R`` close to the teacher.

    Examples
    --------
    >>> round(excess(1e-6, noise=0.1, overlap=0.0), 7)
    0.0003601
    """
    return (1 - 2 * noise) * 2 * density(overlap) * math.sqrt(lack / math.pi)
