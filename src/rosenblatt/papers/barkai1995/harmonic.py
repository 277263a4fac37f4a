r"""One parameter near its target on the optimal schedule: eq. (27), solved.

In the units of :mod:`~rosenblatt.papers.barkai1995.equilibrium`, with
:math:`\eta = \eta_0 / n` and :math:`c = \eta_0 \lambda`, eq. (27) with the factor that
it lacks is :math:`(x F)' = c L F`. Between mistakes x grows in proportion to n. In
:math:`\log n` mistakes come at the rate :math:`c |x|`. Beyond 1, :math:`H = x F` obeys
:math:`H'(x) = c\, [H(x + 1) - H(x)]`, and below
:math:`H'(x) = c\, [H(x + 1) + H(1 - x) - H(x)]`, since F is even; H is continuous, and
0 at 0. With :math:`k > 0` from :math:`k = c\, (1 - e^{-k})` and :math:`b = c / k`,

.. math::
    \frac{|x| F(x)}{A} = \begin{cases} e^{-k|x|}, & |x| > 1 \\
        (1 - b^2) (e^{-k|x|} - 1) + b (1 - b)\, e^{-k} (e^{k|x|} - 1), & |x| < 1
    \end{cases}   \tag{1}

as one sees by inserting it. There is such a k only if :math:`c > 1`: that is what
"sufficiently large" means. Multiplying eq. (27) by :math:`x^2` gives

.. math:: \langle x^2 \rangle / \langle |x| \rangle = c / (2 (c - 1)),   \tag{2}

and the error is :math:`c \langle |x| \rangle / n`. Below the threshold
:math:`\delta w` falls as :math:`n^{-c}`, slower than the rate. For large c the law
is near :math:`1 / |x|` between :math:`1/c` and 1, not near the triangle of a constant
rate: classes mix for ever.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import exp1, expi

from rosenblatt.core.types import FloatArray

__all__ = ["Harmonic", "best_scale"]

_TINY = 1e-12  # distances from 0 below which integrals are 0 to rounding error
_LARGEST = 300.0  # scale; above 350 products of exponentials underflow


def _ein(z: FloatArray) -> FloatArray:
    """Return the integral of (1 - exp(-t))/t from 0 to z."""
    z = np.maximum(z, _TINY)
    return np.asarray(exp1(z) + np.log(z) + np.euler_gamma)


def _nie(z: FloatArray) -> FloatArray:
    """Return the integral of (exp(t) - 1)/t from 0 to z."""
    z = np.maximum(z, _TINY)
    return np.asarray(expi(z) - np.log(z) - np.euler_gamma)


@dataclass(frozen=True)
class Harmonic:
    """The law of x for a rate eta0/n, which solves eq. (27): eq. (1).

    Parameters
    ----------
    scale
        eta0 lambda, above 1; below there is no such law. At most 300.

    Examples
    --------
    >>> law = Harmonic(2.0)
    >>> round(law.decay, 4), round(law.mean, 4), round(law.prefactor, 4)
    (1.5936, 0.5597, 1.1194)
    """

    scale: float

    def __post_init__(self) -> None:
        if not 1 < self.scale <= _LARGEST:
            raise ValueError(
                f"scale must be above 1 and at most {_LARGEST:g}, got {self.scale}"
            )

    @functools.cached_property
    def decay(self) -> float:
        """Return k, with which the density falls beyond 1."""
        c = self.scale
        # 1 - exp(-k) > k - k^2/2 puts k above 2 (1 - 1/c); it is below c
        return float(brentq(lambda k: k + c * math.expm1(-k), 1 - 1 / c, c, xtol=1e-15))

    @functools.cached_property
    def _factors(self) -> tuple[float, float]:
        """Return the two factors in eq. (1), second line."""
        q = math.exp(-self.decay)
        b = 1 / (1 - q)  # so that 1 - b = -q b, without cancellation
        return -q * b * (1 + b), -((q * b) ** 2)

    @functools.cached_property
    def _norm(self) -> float:
        """Return A of eq. (1)."""
        return 0.5 / float(self._inside(np.array(1.0)) + exp1(self.decay))

    def _inside(self, size: FloatArray) -> FloatArray:
        """Return the integral of F/A from 0 to a size of at most 1."""
        one, two = self._factors
        return two * _nie(self.decay * size) - one * _ein(self.decay * size)

    def density(self, x: FloatArray) -> FloatArray:
        """Return F(x)."""
        one, two = self._factors
        k, size = self.decay, np.maximum(np.abs(x), _TINY)
        near = np.minimum(size, 1.0)
        inside = one * np.expm1(-k * near) + two * np.expm1(k * near)
        return self._norm * np.where(size < 1, inside, np.exp(-k * size)) / size

    def distribution(self, x: FloatArray) -> FloatArray:
        """Return the probability of values up to x."""
        size, k = np.abs(x), self.decay
        beyond = exp1(k) - exp1(k * np.maximum(size, 1.0))
        half = self._norm * (self._inside(np.minimum(size, 1.0)) + beyond)
        return 0.5 + np.sign(x) * half

    @property
    def mean(self) -> float:
        """Return <|x|>."""
        one, two = self._factors
        k = self.decay
        inside = one * (-math.expm1(-k) / k - 1) + two * (math.expm1(k) / k - 1)
        return 2 * self._norm * (inside + math.exp(-k) / k)

    @property
    def moment_ratio(self) -> float:
        """Return <x^2>/<|x|>: eq. (2)."""
        return 0.5 * self.scale / (self.scale - 1)

    @property
    def prefactor(self) -> float:
        """Return the limit of n times the error."""
        return self.scale * self.mean


@functools.cache
def best_scale() -> float:
    """Return the scale with the smallest error.

    Examples
    --------
    >>> scale = best_scale()
    >>> round(scale, 3), round(Harmonic(scale).prefactor, 4)
    (1.717, 1.0954)
    """
    found = minimize_scalar(
        lambda scale: Harmonic(scale).prefactor, bounds=(1.1, 5.0), method="bounded"
    )
    return float(found.x)
