"""Rates of a committee's layers, as they are given."""

from __future__ import annotations

from numbers import Real

from rosenblatt.core import Schedule
from rosenblatt.core.arguments import number
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import ScheduleLike, schedule_of

__all__ = ["RateLike", "rate_of"]

RateLike = ScheduleLike | float


def rate_of(name: str, given: RateLike) -> Schedule:
    """Return the schedule of a rate; a number is a constant.

    Examples
    --------
    >>> rate_of("second_rate", 0.5)
    Constant(rate=0.5)
    """
    if isinstance(given, Real | float):
        return Constant(number(name, float(given), low=0))
    try:
        return schedule_of(given)
    except TypeError:
        raise TypeError(
            f"{name} must be a number, a Schedule or a function of the clock, got "
            f"{given!r}"
        ) from None
