import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995.section_5 import ERROR, LENGTH, curve


def test_the_factors_are_those_of_the_limit():
    alpha = 1e12
    angle, length = curve(np.array([alpha]))
    # the angle follows with a delay, relative to it alpha^(-2/3)
    assert length[0] == pytest.approx(LENGTH * alpha ** (1 / 3), rel=1e-6)
    assert angle[0] / math.pi == pytest.approx(ERROR * alpha ** (-1 / 3), rel=1e-6)
    assert pytest.approx(0.45667, abs=5e-6) == LENGTH
    assert pytest.approx(0.27807, abs=5e-6) == ERROR


def test_the_curve_is_that_of_the_rule():
    alpha = np.array([1.0, 10.0, 1000.0])
    run = rb.solve(rb.rules.Perceptron(), rb.schedules.Constant(1.0), alpha=alpha)
    angle, length = curve(alpha)
    np.testing.assert_allclose(angle, run["angle"].values[0], rtol=1e-7)
    np.testing.assert_allclose(length, run["norm"].values[0], rtol=1e-7)
