r"""A power of the number of mistakes.

.. math:: \eta = \text{scale} \cdot \kappa^{-\text{exponent}}, \qquad
    \kappa = \text{mistakes} / N,  \tag{1}

where the current mistake counts. Before the first mistake :math:`\kappa` counts as 1/N.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Clock, Schedule
from rosenblatt.core.arguments import number

__all__ = ["PerMistake"]


@dataclass(frozen=True)
class PerMistake(Schedule):
    """A rate that falls with a power of the number of mistakes.

    Parameters
    ----------
    scale
        The rate after N mistakes, where kappa is 1.
    exponent
        Exponent of the fall.

    Examples
    --------
    >>> PerMistake(scale=4, exponent=1).bind()(Clock(time=30, mistakes=2, dim=10))
    2.0
    """

    scale: float = 1.0
    exponent: float = 1.0

    def __post_init__(self) -> None:
        number("scale", self.scale, low=0)
        number("exponent", self.exponent, low=-1000, high=1000)  # no rate beyond

    @property
    def smooth(self) -> bool:
        """True, since the rate has no jumps."""
        return True

    def bind(self) -> Callable[[Clock], float]:
        """Return eq. (1)."""
        scale, exponent = self.scale, self.exponent

        def per_mistake(clock: Clock) -> float:
            mistakes = max(clock.mistakes, 1.0 / clock.dim)
            if mistakes == 0.0 and exponent > 0.0:
                return math.inf
            if exponent == 1.0:  # the usual case, without the cost of a power
                return scale / mistakes
            return float(scale * mistakes**-exponent)

        return per_mistake
