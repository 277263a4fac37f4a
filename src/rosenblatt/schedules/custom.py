r"""A user's own function of the clock, without a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Clock, Schedule
from rosenblatt.core.arguments import shown

__all__ = ["Custom"]


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
    >>> Custom(late).bind()(Clock(time=10, mistakes=1, dim=10))
    0.05
    """

    function: Callable[[Clock], float]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function must be callable, got {shown(self.function)}")

    def bind(self) -> Callable[[Clock], float]:
        """Return the function itself."""
        return self.function
