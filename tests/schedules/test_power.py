import math

import numpy as np
import pytest

from rosenblatt.core import Clock
from rosenblatt.schedules import Power


def test_the_rate_is_a_power_of_time():
    clock = Clock(time=4.0, mistakes=2.0, dim=10.0)
    assert Power(3.0, 1.0).bind()(clock) == 0.75
    assert Power(3.0, 0.5, 5.0).bind()(clock) == 1.0
    assert Power(3.0, 0.5).bind()(clock._replace(time=0.0)) == math.inf


@pytest.mark.parametrize("exponent", [0.0, 0.3, 0.5, 0.6, 1.0, 1.2])
def test_conditions_agree_with_sums(exponent):
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
