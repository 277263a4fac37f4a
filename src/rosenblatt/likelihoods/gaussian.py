r"""Numbers with Gaussian noise, as in linear regression.

With the noise's standard deviation :math:`\sigma`, the label has
:math:`\mathcal N(f, \sigma^2)`, and before it is seen :math:`\mathcal N(m, v +
\sigma^2)`:

.. math::
    \partial_m \ln Z = \frac{y - m}{v + \sigma^2}, \qquad
    -\partial_m^2 \ln Z = \frac{1}{v + \sigma^2}.   \tag{1}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Evidence, Labels, Likelihood
from rosenblatt.core.arguments import number
from rosenblatt.core.types import Words
from rosenblatt.numerics.random import normal

__all__ = ["Gaussian"]


@dataclass(frozen=True)
class Gaussian(Likelihood):
    """Numbers around the field, with Gaussian noise.

    Parameters
    ----------
    sd
        Standard deviation of the noise.

    Examples
    --------
    >>> Gaussian(0.5).evidence()(0.0, 0.75, 2.0)
    Evidence(log_probability=-2.918938..., slope=2.0, curvature=1.0)
    """

    sd: float = 1.0
    labels = Labels.NUMBERS

    def __post_init__(self) -> None:
        number("sd", self.sd, above=0)

    @property
    def scale(self) -> float:
        """The standard deviation."""
        return self.sd

    def bind(self) -> Callable[[float, float], float]:
        """Return the logarithm of the normal density."""
        sd = float(self.sd)
        constant = -math.log(sd) - 0.5 * math.log(2.0 * math.pi)

        def log_probability(y: float, f: float) -> float:
            return constant - 0.5 * ((y - f) / sd) ** 2

        return log_probability

    def evidence(self) -> Callable[[float, float, float], Evidence]:
        """Return eq. (1)."""
        square = float(self.sd) ** 2

        def averaged(mean: float, variance: float, label: float) -> Evidence:
            total, away = variance + square, label - mean
            log = -0.5 * (math.log(2.0 * math.pi * total) + away * away / total)
            return Evidence(log, away / total, 1.0 / total)

        return averaged

    def draw(self) -> Callable[[float, Words], float]:
        """Return a draw of a label."""
        sd = float(self.sd)

        def draw(field: float, rng: Words) -> float:
            return field + sd * float(normal(rng))

        return draw

    def moments(self) -> Callable[[float], tuple[float, float]]:
        """Return the field, and the variance of the noise."""
        square = float(self.sd) ** 2

        def moments(field: float) -> tuple[float, float]:
            return field, square

        return moments
