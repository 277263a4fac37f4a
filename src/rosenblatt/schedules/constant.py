r"""A constant rate: fast at first, never at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Clock, Schedule
from rosenblatt.core.arguments import number

__all__ = ["Constant"]


@dataclass(frozen=True)
class Constant(Schedule):
    """The same rate at all times.

    Parameters
    ----------
    rate
        The rate.

    Examples
    --------
    >>> Constant(0.5).bind()(Clock(time=3, mistakes=1, dim=10))
    0.5
    """

    rate: float = 1.0

    def __post_init__(self) -> None:
        number("rate", self.rate, low=0)

    @property
    def smooth(self) -> bool:
        """True, since the rate has no jumps."""
        return True

    def bind(self) -> Callable[[Clock], float]:
        """Return the constant."""
        rate = float(self.rate)

        def constant(clock: Clock) -> float:
            return rate

        return constant
