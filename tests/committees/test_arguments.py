import pytest

import rosenblatt as rb
from rosenblatt.committees.arguments import rate_of


def test_rates_are_numbers_schedules_or_functions():
    assert rate_of("rate", 2) == rb.schedules.Constant(2.0)
    falling = rb.schedules.Power()
    assert rate_of("rate", falling) is falling
    assert isinstance(rate_of("rate", lambda clock: clock.time), rb.schedules.Custom)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (-1.0, ValueError, "second_rate must be a number not below 0"),
        (float("nan"), ValueError, "second_rate must be a number"),
        ("fast", TypeError, "second_rate must be a number, a Schedule or a function"),
    ],
)
def test_bad_rates_are_named(given, error, words):
    with pytest.raises(error, match=words):
        rate_of("second_rate", given)
