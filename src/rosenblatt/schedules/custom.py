r"""A user's own function of the clock, without a class."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Clock, Conditions, Schedule
from rosenblatt.core.arguments import shown

__all__ = ["Custom"]

_LATE = 1e9  # where the tail of a rate is looked at
_CLOSE = 0.01  # what the exponent of a tail may be off its limit at that time


@dataclass(frozen=True)
class Custom(Schedule):
    """Any function of the clock that numba compiles.

    Functions that take a schedule take such a function too and wrap it in this. A rate
    must not be negative: simulations and theory stop with an error, classifiers do not
    look.

    Examples
    --------
    >>> def late(clock):
    ...     return 1.0 / (10.0 + clock.time)
    >>> Custom(late).conditions()
    Conditions(vanishes=True, sum_diverges=True, squares_converge=True)
    """

    function: Callable[[Clock], float]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function must be callable, got {shown(self.function)}")

    def conditions(self) -> Conditions:
        """Return the conditions as the tail of the rate suggests them.

        The exponent of the tail is measured between times 1e9 and 1e12, mistakes
        growing like the time. Logarithms are beyond what this can tell.
        """
        early, late = (
            float(self.function(Clock(t, t, 1.0))) for t in (_LATE, 1e3 * _LATE)
        )
        if early <= 0 or late <= 0:
            return Conditions(late == 0, False, True)
        exponent = math.log(early / late) / math.log(1e3)
        return Conditions(
            vanishes=exponent > _CLOSE,
            sum_diverges=exponent <= 1 + _CLOSE,
            squares_converge=exponent > 0.5 + _CLOSE,
        )

    def bind(self) -> Callable[[Clock], float]:
        """Return the function itself."""
        return self.function
