r"""Numbers with heavy tails: outliers move what is learned by little.

.. math::
    p(y \mid f) = \frac{\Gamma(\frac{\nu + 1}{2})}
        {\Gamma(\frac{\nu}{2}) \sqrt{\pi \nu}\, \sigma}
        \left[1 + \frac{(y - f)^2}{\nu \sigma^2}\right]^{-\frac{\nu + 1}{2}}.   \tag{1}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Labels, Likelihood
from rosenblatt.core.arguments import number
from rosenblatt.core.types import Words
from rosenblatt.numerics.random import uniform

__all__ = ["StudentT"]


@dataclass(frozen=True)
class StudentT(Likelihood):
    """Numbers around the field, with noise of Student's t law.

    Parameters
    ----------
    dof
        Degrees of freedom; below 3 the noise has no finite variance.
    sd
        Scale of the noise; its standard deviation for many degrees of freedom.

    Examples
    --------
    >>> StudentT(dof=1.0).bind()(0.0, 0.0)  # the law of Cauchy, log(1 / pi)
    -1.144729...
    """

    dof: float = 4.0
    sd: float = 1.0
    labels = Labels.NUMBERS

    def __post_init__(self) -> None:
        number("dof", self.dof, above=0)
        number("sd", self.sd, above=0)

    @property
    def scale(self) -> float:
        """The scale of the noise."""
        return self.sd

    def bind(self) -> Callable[[float, float], float]:
        """Return the logarithm of eq. (1)."""
        dof, sd = float(self.dof), float(self.sd)
        power = 0.5 * (dof + 1.0)
        constant = math.lgamma(power) - math.lgamma(0.5 * dof)
        constant -= 0.5 * math.log(math.pi * dof) + math.log(sd)

        def log_probability(y: float, f: float) -> float:
            u = (y - f) / sd
            return constant - power * math.log1p(u * u / dof)

        return log_probability

    def draw(self) -> Callable[[float, Words], float]:
        """Return a draw of a label, by the method of Bailey (1994)."""
        dof, sd = float(self.dof), float(self.sd)

        def draw(field: float, rng: Words) -> float:
            length = math.sqrt(dof * math.expm1(-2.0 / dof * math.log(uniform(rng))))
            return field + sd * length * math.cos(2.0 * math.pi * uniform(rng))

        return draw

    def moments(self) -> Callable[[float], tuple[float, float]]:
        """Return the field, and the variance of the noise, if it has one."""
        dof, square = float(self.dof), float(self.sd) ** 2
        variance = square * dof / (dof - 2.0) if dof > 2.0 else math.inf

        def moments(field: float) -> tuple[float, float]:
            return field, variance

        return moments
