import math

import numpy as np
import pytest

from rosenblatt.numerics.jumps import jumps

GRID = np.linspace(-2.0, 2.0, 401).tolist()


def test_jumps_are_found_to_the_last_bit():
    found = jumps(lambda x: math.floor(3 * x), GRID)
    assert [high for _, high in found] == pytest.approx([k / 3 for k in range(-5, 7)])
    for low, high in found:
        assert np.nextafter(low, high) == high


@pytest.mark.parametrize(
    "smooth", [math.sin, lambda x: math.tanh(1e5 * x), abs, lambda x: math.nan]
)
def test_smooth_functions_have_none(smooth):
    assert jumps(smooth, GRID) == []
