from rosenblatt.schedules import Conditions, Custom


def slow(clock):
    return 1.0 / (1.0 + clock.time) ** 0.25


def fast(clock):
    return 1.0 / (1.0 + clock.time) ** 2


def never(clock):
    return 0.0


def test_conditions_come_from_the_tail():
    assert Custom(slow).conditions() == Conditions(True, True, False)
    assert Custom(fast).conditions() == Conditions(True, False, True)
    assert Custom(never).conditions() == Conditions(True, False, True)
