r"""Counts whose logarithmic rate is the field.

.. math:: p(y \mid f) = \frac{e^{y f - e^f}}{\Gamma(y + 1)}.   \tag{1}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Labels, Likelihood

__all__ = ["Poisson"]

_MOST = 700.0  # a logarithm whose exponential is finite


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
