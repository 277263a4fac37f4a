import numpy as np

from rosenblatt.core.types import HUGE


def test_only_finite_numbers_are_at_most_huge():
    assert abs(np.finfo(float).max) <= HUGE
    for odd in (np.inf, -np.inf, np.nan):
        assert not abs(odd) <= HUGE
