import math

import numpy as np
import pytest

from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.series import joined, line, measured, points, sampled


def test_lines_are_theory_and_points_are_simulations():
    curve, counted = line("a", np.arange(3), [1, 2, 3]), points("b", [1], [2])
    assert (curve.role, curve.shape, curve.y) == ("theory", "line", (1.0, 2.0, 3.0))
    assert (counted.role, counted.shape) == ("simulation", "points")
    assert counted.low is None
    assert line("a", [1], [1], role="published").role == "published"


def test_bars_reach_as_far_to_both_sides():
    found = points("a", [1, 2], [5.0, 6.0], error=[1.0, 2.0])
    assert (found.low, found.high) == ((4.0, 4.0), (6.0, 8.0))
    one = measured("a", [1], [Measurement(5.0, 0.5)])
    assert (one.low, one.y, one.high) == ((4.5,), (5.0,), (5.5,))


def test_samples_have_the_standard_errors_of_their_means():
    samples = np.array([[1.0, 10.0], [2.0, 10.0], [6.0, 10.0]])
    found = sampled("a", [1, 2], samples, errors=2.0)
    assert found.y == (3.0, 10.0)
    reach = 2 * math.sqrt(7 / 3)  # the variance is (4 + 1 + 9)/2 = 7
    assert found.high == pytest.approx((3 + reach, 10.0))
    assert found.low == pytest.approx((3 - reach, 10.0))


def test_curves_in_one_series_are_apart():
    found = joined("a", [([1, 2], [3, 4]), ((5,), (6,))], role="published")
    np.testing.assert_array_equal(found.x, [1, 2, math.nan, 5, math.nan])
    np.testing.assert_array_equal(found.y, [3, 4, math.nan, 6, math.nan])
    assert found.role == "published"
