import math

import numpy as np
import pytest

from rosenblatt.core import Clock, compiled
from rosenblatt.schedules import Conditions, Constant, Custom, PerMistake, Power


def slow(clock):
    return 1.0 / (1.0 + clock.time) ** 0.25


def fast(clock):
    return 1.0 / (1.0 + clock.time) ** 2


def never(clock):
    return 0.0


def test_rates_are_what_they_say():
    clock = Clock(time=4.0, mistakes=2.0, dim=10.0)
    assert Constant(0.3).bind()(clock) == 0.3
    assert Power(3.0, 1.0).bind()(clock) == 0.75
    assert Power(3.0, 0.5, 5.0).bind()(clock) == 1.0
    assert PerMistake(3.0, 1.0).bind()(clock) == 1.5
    assert PerMistake(3.0, 1.0).bind()(clock._replace(mistakes=0.0)) == 30.0
    assert Custom(slow).bind()(clock) == slow(clock)


@pytest.mark.parametrize("exponent", [0.0, 0.3, 0.5, 0.6, 1.0, 1.2])
def test_power_conditions_agree_with_sums(exponent):
    """Partial sums: what diverges grows by decades, what converges does not."""
    conditions = Power(1.0, exponent).conditions()
    n = np.arange(1, 10**6 + 1, dtype=float)
    for power, diverges in [
        (exponent, conditions.sum_diverges),
        (2 * exponent, not conditions.squares_converge),
    ]:
        terms = n**-power
        last, before = terms[10**5 :].sum(), terms[10**4 : 10**5].sum()
        assert (last >= before * (1 - 1e-3)) == diverges  # per decade: equal at z = 1
    assert conditions.vanishes == (exponent > 0)


def test_named_schedules_state_their_conditions():
    assert Constant(1.0).conditions() == Conditions(False, True, False)
    assert Constant(0.0).conditions() == Conditions(True, False, True)
    assert PerMistake(1.0, 1.0).conditions() == Conditions(True, True, True)
    assert Power(0.0).conditions() == Conditions(True, False, True)


def test_a_users_function_is_judged_by_its_tail():
    assert Custom(slow).conditions() == Conditions(True, True, False)
    assert Custom(fast).conditions() == Conditions(True, False, True)
    assert Custom(never).conditions() == Conditions(True, False, True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Constant(-1.0),
        lambda: Power(math.nan),
        lambda: Power(1.0, math.inf),
        lambda: Power(1.0, 1.0, -1.0),
        lambda: PerMistake(-1.0),
    ],
)
def test_bad_numbers_are_refused(make):
    with pytest.raises(ValueError, match="must be a"):
        make()


def test_what_cannot_be_called_is_no_schedule():
    with pytest.raises(TypeError, match="function must be callable, got 3"):
        Custom(3)


def test_compiled_rates_equal_plain_ones():
    for part in (
        Constant(0.3),
        Power(3.0, 0.7, 0.1),
        PerMistake(2.0, 0.5),
        Custom(slow),
    ):
        for clock in (Clock(0.1, 0.1, 10.0), Clock(1e9, 1e3, math.inf)):
            assert compiled(part)(clock) == pytest.approx(part.bind()(clock), rel=1e-15)
