import pytest

from rosenblatt.core import Clock
from rosenblatt.schedules import Conditions, Constant


def test_the_rate_is_constant():
    assert Constant(0.3).bind()(Clock(4.0, 2.0, 10.0)) == 0.3


def test_only_the_sum_condition_is_met():
    assert Constant(1.0).conditions() == Conditions(False, True, False)
    assert Constant(0.0).conditions() == Conditions(True, False, True)


def test_a_negative_rate_is_refused():
    with pytest.raises(ValueError, match="rate must be a number not below 0, got -1"):
        Constant(-1.0)
