import numpy as np
import pytest

from rosenblatt.theory.jumps import jumps

GRID = np.linspace(-2.0, 2.0, 401)


def test_jumps_are_found_to_the_last_bit():
    found = jumps(lambda x: np.floor(3 * x), GRID)
    assert [high for _, high in found] == pytest.approx([k / 3 for k in range(-5, 7)])
    for low, high in found:
        assert np.nextafter(low, high) == high


@pytest.mark.parametrize(
    "smooth",
    [np.sin, lambda x: np.tanh(1e5 * x), np.abs, lambda x: np.full(x.shape, np.nan)],
)
def test_smooth_functions_have_none(smooth):
    assert jumps(smooth, GRID) == []


def test_an_infinite_step_is_no_jump_and_a_jump_to_the_next_is_found():
    steps = np.array([-np.inf, -np.inf, 0.0, 1.0])

    def function(x):
        return steps[np.searchsorted([-1.0, 0.0, 1.0], x)]

    assert [high for _, high in jumps(function, GRID + 1e-3)] == [np.nextafter(1.0, 2)]
