r"""A disc in the plane near its target: section 4 in two parameters.

With :math:`f = r^2 - |s - w|^2`, the target at the origin and standard normal inputs,
everything is the same in all directions. Near the target the error is
:math:`\epsilon\, |\delta w|`, the drift :math:`-\eta\lambda\, \delta w`, and a step has
the length :math:`2 r \eta`, where

.. math::
    \epsilon = \frac{2 r}{\pi} e^{-r^2/2}, \qquad
    \langle \delta(f_0)\, \nabla f\, \nabla f^T \rangle = \lambda\, 1, \quad
    \lambda = r^2 e^{-r^2/2}.   \tag{1}

Hence :math:`d \langle \delta w^2 \rangle / dn = -2 \eta \lambda
\langle \delta w^2 \rangle + 4 r^2 \eta^2 \epsilon \langle |\delta w| \rangle`. With
:math:`\eta = \eta_0 n^{-z}`, and z = 0 for a constant rate,

.. math::
    \frac{\langle \delta w^2 \rangle}{\langle |\delta w| \rangle}
        = \frac{4 r}{\pi}\, \eta(n) \left( 1 - \frac{z n^{z-1}}{\eta_0 \lambda}
        \right)^{-1},   \tag{2}

exactly so for z = 0 and, above the threshold :math:`\eta_0 \lambda = 1`, for z = 1; in
between up to :math:`n^{2(z-1)}`. Corrections of the order of
:math:`\delta w` cancel, as all is even.

With noise p, steps of mean square :math:`4 \langle s^2 \rangle = 8` are taken anywhere
with probability p; their mean is 0 at the origin. They also move with w:
:math:`f'' = -2`, so that the rate of return is (eq. (6) of
:mod:`~rosenblatt.papers.barkai1995.one_parameter`)

.. math::
    \lambda_p = \lambda - 2 p\, \langle \mathrm{sgn} f_0 \rangle
        = \lambda - 2 p\, (1 - 2 e^{-r^2/2}),   \tag{3}

and each component of :math:`\delta w` is Gaussian with variance
:math:`2 p \eta / \lambda_p`, or with
:math:`4 p\, \eta_0^2 / ((2 \eta_0 \lambda_p - 1)\, n)` for z = 1. The error is
:math:`p + (1 - 2p)\, \epsilon \langle |\delta w| \rangle`. Mistakes that are not due to
noise add to :math:`\langle \delta w^2 \rangle` the share

.. math:: (1 - 2p)\, r^2 \epsilon\, \langle |\delta w| \rangle / (2 p).   \tag{4}
"""

from __future__ import annotations

import math

__all__ = [
    "error_per_length",
    "moment_ratio",
    "noisy_error",
    "noisy_growth",
    "noisy_rate",
    "rate",
]


def error_per_length(radius: float = 1.0) -> float:
    """Return the factor of the error: eq. (1).

    Examples
    --------
    >>> round(error_per_length(), 4)
    0.3861
    """
    return 2 * radius / math.pi * math.exp(-(radius**2) / 2)


def rate(radius: float = 1.0) -> float:
    """Return lambda: eq. (1).

    Examples
    --------
    >>> round(rate(), 4)
    0.6065
    """
    return radius**2 * math.exp(-(radius**2) / 2)


def moment_ratio(step: float, loss: float = 0.0, radius: float = 1.0) -> float:
    """Return <dw^2>/<|dw|> at a rate ``step``: eq. (2).

    Parameters
    ----------
    step
        The rate.
    loss
        ``z n^(z-1) / (eta0 lambda)``, 0 for a constant rate.
    radius
        Radius of the disc.

    Examples
    --------
    >>> round(moment_ratio(0.01, loss=0.5), 5)
    0.02546
    """
    return 4 * radius / math.pi * step / (1 - loss)


def _length(variance: float) -> float:
    """Return the mean length of a Gaussian in the plane."""
    return math.sqrt(math.pi * variance / 2)


def noisy_growth(noise: float, variance: float, radius: float = 1.0) -> float:
    """Return by how much mistakes without noise widen the law with noise: eq. (4).

    Examples
    --------
    >>> round(noisy_growth(0.2, 1e-4), 5)
    1.00726
    """
    more = (1 - 2 * noise) * radius**2 * error_per_length(radius) * _length(variance)
    return 1 + more / (2 * noise)


def noisy_rate(noise: float, radius: float = 1.0) -> float:
    """Return the rate of return with noise: eq. (3).

    Examples
    --------
    >>> round(noisy_rate(0.2), 4)
    0.6918
    """
    return rate(radius) - 2 * noise * (1 - 2 * math.exp(-(radius**2) / 2))


def noisy_error(noise: float, variance: float, radius: float = 1.0) -> float:
    """Return the error less p, from the variance of a component of dw.

    Examples
    --------
    >>> round(noisy_error(0.2, 1e-4), 5)
    0.0029
    """
    return (1 - 2 * noise) * error_per_length(radius) * _length(variance)
