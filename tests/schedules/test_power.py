import math

from rosenblatt.core import Clock
from rosenblatt.schedules import Power


def test_the_rate_is_a_power_of_time():
    clock = Clock(time=4.0, mistakes=2.0, dim=10.0)
    assert Power(3.0, 1.0).bind()(clock) == 0.75
    assert Power(3.0, 0.5, 5.0).bind()(clock) == 1.0
    assert Power(3.0, 0.5).bind()(clock._replace(time=0.0)) == math.inf
