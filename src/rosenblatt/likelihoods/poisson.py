r"""Counts whose logarithmic rate is the field.

.. math:: p(y \mid f) = \frac{e^{y f - e^f}}{\Gamma(y + 1)}.   \tag{1}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Labels, Likelihood
from rosenblatt.core.types import Words
from rosenblatt.numerics.random import normal, uniform

__all__ = ["Poisson"]

_MOST = 700.0  # a logarithm whose exponential is finite
_MANY, _LEAST = 1e6, 1e-20  # rate, and probability


@dataclass(frozen=True)
class Poisson(Likelihood):
    """Counts 0, 1, 2, ... with the mean exp(field).

    Examples
    --------
    >>> Poisson().bind()(0.0, 0.0)
    -1.0
    """

    labels = Labels.COUNTS

    def bind(self) -> Callable[[float, float], float]:
        """Return the logarithm of eq. (1)."""

        def log_probability(y: float, f: float) -> float:
            return y * f - math.exp(min(f, _MOST)) - math.lgamma(y + 1.0)

        return log_probability

    def draw(self) -> Callable[[float, Words], float]:
        """Return a draw of a count, from the likeliest one outwards.

        From a rate of a million it is that of the Gaussian law.
        """

        def draw(field: float, rng: Words) -> float:
            rate = math.exp(min(field, _MOST))
            if rate > _MANY:
                return math.floor(rate + math.sqrt(rate) * float(normal(rng)) + 0.5)
            left, low = uniform(rng), float(math.floor(rate))
            high = low
            below = math.exp(low * field - rate - math.lgamma(low + 1.0))
            above = below
            left -= below
            while left > 0.0 and (low > 0.0 or above > _LEAST):
                high += 1.0
                above *= rate / high
                left -= above
                if left <= 0.0:
                    return high
                below *= low / rate
                low = max(low - 1.0, 0.0)
                left -= below
            return low

        return draw

    def moments(self) -> Callable[[float], tuple[float, float]]:
        """Return the rate, twice."""

        def moments(field: float) -> tuple[float, float]:
            rate = math.exp(min(field, _MOST))
            return rate, rate

        return moments
