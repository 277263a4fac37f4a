import numpy as np
import pytest

from rosenblatt.papers.seung2002 import gradient


def test_the_smallest_problem_has_a_minimum_on_both_sides_of_a_maximum():
    points = gradient.stationary()
    values, slopes = gradient.costs(points)
    np.testing.assert_allclose(slopes, 0, atol=1e-10)
    assert values[1] > values[2] > 3 * values[0]
    h = points[0] * np.array([1.0, 10.0])
    wanted = np.mean((np.array([0.9, -0.9]) - np.tanh(h)) ** 2) / 2
    assert values[0] == pytest.approx(wanted)
