r"""Two classes with the logistic law, as in logistic regression.

.. math:: p(y \mid f) = \frac{1}{1 + e^{-y f}}.   \tag{1}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Labels, Likelihood

__all__ = ["Logistic"]


@dataclass(frozen=True)
class Logistic(Likelihood):
    """Labels -1 and +1, whose log-odds are the field.

    Examples
    --------
    >>> Logistic().bind()(1.0, 0.0)  # log(1/2)
    -0.693147...
    """

    labels = Labels.SIGNS

    def bind(self) -> Callable[[float, float], float]:
        """Return the logarithm of eq. (1), without overflow."""

        def log_probability(y: float, f: float) -> float:
            u = y * f
            return min(u, 0.0) - math.log1p(math.exp(-abs(u)))

        return log_probability
