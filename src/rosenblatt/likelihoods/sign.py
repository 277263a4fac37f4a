r"""The sign of the field, wrong with a given probability.

.. math:: p(y \mid f) = k + (1 - 2k)\, \Theta(y f).   \tag{1}

Its evidence is eqs. (1) and (2) of :mod:`rosenblatt.numerics.evidence`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Evidence, Labels, Likelihood
from rosenblatt.core.arguments import number
from rosenblatt.numerics.evidence import evidence

__all__ = ["Sign"]


@dataclass(frozen=True)
class Sign(Likelihood):
    """Labels -1 and +1, the sign of the field but for label noise.

    Parameters
    ----------
    noise
        Probability k of a wrong label, from 0 to 1/2.

    Examples
    --------
    >>> Sign(noise=0.25).bind()(-1.0, 3.0)  # log(1/4)
    -1.386294...
    """

    noise: float = 0.0
    labels = Labels.SIGNS

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)

    def bind(self) -> Callable[[float, float], float]:
        """Return the logarithm of eq. (1)."""
        right = math.log(1.0 - self.noise)
        wrong = math.log(self.noise) if self.noise > 0.0 else -math.inf

        def log_probability(y: float, f: float) -> float:
            return right if y * f > 0.0 or (f == 0.0 and y < 0.0) else wrong

        return log_probability

    def evidence(self) -> Callable[[float, float, float], Evidence]:
        """Return the closed form."""
        noise = self.noise

        def averaged(mean: float, variance: float, label: float) -> Evidence:
            found: Evidence = evidence(mean, variance, label, noise)
            return found

        return averaged
