import math

from rosenblatt.core import Clock
from rosenblatt.schedules import PerMistake


def test_the_rate_is_a_power_of_mistakes():
    clock = Clock(time=4.0, mistakes=2.0, dim=10.0)
    assert PerMistake(3.0, 1.0).bind()(clock) == 1.5


def test_before_the_first_mistake_one_is_taken():
    assert PerMistake(3.0, 1.0).bind()(Clock(0.1, 0.0, 10.0)) == 30.0
    assert PerMistake(3.0, 1.0).bind()(Clock(0.0, 0.0, math.inf)) == math.inf
