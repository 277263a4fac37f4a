"""Rates of a committee's layers and motions of its teacher, as they are given."""

from __future__ import annotations

import math
from numbers import Real

from rosenblatt.core import Heading, Motion, Schedule
from rosenblatt.core.arguments import number, part, shown
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import ScheduleLike, schedule_of

__all__ = ["RateLike", "check_rates", "rate_of", "turning"]

RateLike = ScheduleLike | float


def rate_of(name: str, given: RateLike) -> Schedule:
    """Return the schedule of a rate; a number is a constant.

    Examples
    --------
    >>> rate_of("second_rate", 0.5)
    Constant(rate=0.5)
    """
    if isinstance(given, Real | float):
        return Constant(number(name, given, low=0))
    try:
        return schedule_of(given)
    except TypeError:
        raise TypeError(
            f"{name} must be a number, a Schedule or a function of the clock, got "
            f"{shown(given)}"
        ) from None


def check_rates(
    schedules: tuple[Schedule, Schedule], rates: tuple[float, float], place: str
) -> None:
    """Raise an error if a schedule returned a rate that is negative or not finite.

    Examples
    --------
    >>> both = Constant(0.5), Constant(0.0)
    >>> check_rates(both, (0.5, float("nan")), "at alpha = 1")
    Traceback (most recent call last):
    ArithmeticError: second_rate: Constant(rate=0.0) returned nan at alpha = 1...
    """
    for name, schedule, rate in zip(
        ("rate", "second_rate"), schedules, rates, strict=True
    ):
        if not 0 <= rate < math.inf:
            raise ArithmeticError(
                f"{name}: {schedule!r} returned {rate:g} {place}; a rate must be "
                "finite and not negative"
            )


def turning(motion: Motion | None, units: tuple[int, int]) -> Motion | None:
    """Return a motion that a teacher can have, for K and M units.

    Examples
    --------
    >>> from rosenblatt.motions import Retreat, RandomWalk
    >>> turning(RandomWalk(0.1), (3, 2))
    RandomWalk(strength=0.1)
    >>> turning(Retreat(0.1), (3, 2))
    Traceback (most recent call last):
    ValueError: motion must not be Retreat(speed=0.1) for 3 units of the student...
    """
    if motion is None:
        return None
    heading = part("motion", Motion, motion).heading
    if heading == Heading.AWAY and units != (1, 1):
        raise ValueError(
            f"motion must not be {motion!r} for {units[0]} units of the student and "
            f"{units[1]} of the teacher; it needs one unit each. Rotation, RandomWalk "
            "and Abrupt take any number of units"
        )
    if motion.changes and heading != Heading.RANDOM:
        raise ValueError(
            "motion must have changes at given times in random directions only, got "
            f"{motion!r}"
        )
    return motion
