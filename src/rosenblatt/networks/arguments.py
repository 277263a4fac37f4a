"""Rates of a committee's layers and drifts of its teacher, as they are given."""

from __future__ import annotations

from numbers import Real

from rosenblatt.core import Drift, Heading, Schedule
from rosenblatt.core.arguments import number, part
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import ScheduleLike, schedule_of

__all__ = ["RateLike", "rate_of", "turning"]

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


def turning(drift: Drift | None) -> Drift | None:
    """Return a drift that several units can have.

    Examples
    --------
    >>> from rosenblatt.drifts import RandomWalk
    >>> turning(RandomWalk(0.1))
    RandomWalk(strength=0.1)
    """
    if drift is None or part("drift", Drift, drift).heading == Heading.RANDOM:
        return drift
    raise ValueError(
        "drift must turn in random directions, as RandomWalk and Abrupt do, for a "
        f"teacher with several units, got {drift!r}"
    )
