import pytest

from rosenblatt.core import Clock
from rosenblatt.schedules import Conditions, Custom


def slow(clock):
    return 1.0 / (1.0 + clock.time) ** 0.25


def fast(clock):
    return 1.0 / (1.0 + clock.time) ** 2


def never(clock):
    return 0.0


def test_the_function_is_the_rate():
    clock = Clock(time=4.0, mistakes=2.0, dim=10.0)
    assert Custom(slow).bind()(clock) == slow(clock)


def test_conditions_come_from_the_tail():
    assert Custom(slow).conditions() == Conditions(True, True, False)
    assert Custom(fast).conditions() == Conditions(True, False, True)
    assert Custom(never).conditions() == Conditions(True, False, True)


def test_what_cannot_be_called_is_no_schedule():
    with pytest.raises(TypeError, match="function must be callable, got 3"):
        Custom(3)
