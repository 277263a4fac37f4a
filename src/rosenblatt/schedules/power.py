r"""A power of time.

.. math:: \eta = \text{scale} \cdot (\alpha + \text{offset})^{-\text{exponent}}  \tag{1}

with :math:`\alpha = \text{examples} / N`, the current example included.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Clock, Schedule
from rosenblatt.core.arguments import number

__all__ = ["Power"]


@dataclass(frozen=True)
class Power(Schedule):
    """A rate that falls with a power of the number of examples.

    Parameters
    ----------
    scale
        The rate at time 1 without an offset.
    exponent
        Exponent of the fall.
    offset
        Time that counts as passed already; keeps the first rates finite.

    Examples
    --------
    >>> Power(scale=4, exponent=1, offset=1).bind()(Clock(time=3, mistakes=1, dim=10))
    1.0
    """

    scale: float = 1.0
    exponent: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        number("scale", self.scale, low=0)
        number("exponent", self.exponent, low=-1000, high=1000)  # no rate beyond
        number("offset", self.offset, low=0)

    @property
    def smooth(self) -> bool:
        """True, since the rate has no jumps."""
        return True

    def bind(self) -> Callable[[Clock], float]:
        """Return eq. (1)."""
        scale, exponent, offset = self.scale, self.exponent, self.offset

        def power(clock: Clock) -> float:
            time = clock.time + offset
            if time == 0.0 and exponent > 0.0:
                return math.inf
            if exponent == 1.0:  # the usual case, without the cost of a power
                return scale / time
            return float(scale * time**-exponent)

        return power
