"""The error function and its slope, against SciPy and longer numbers."""

import math

import numpy as np
from scipy.special import erf

from rosenblatt.numerics.error_function import erf_and_slope


def test_both_are_right_to_a_few_units_in_the_last_place():
    """The polynomial's last three operations round by 3 units, SciPy's by as many."""
    rng = np.random.default_rng(0)
    h = rng.standard_normal(5000) * 10 ** rng.uniform(-9, 1, 5000)
    value, slope = np.array([erf_and_slope(x) for x in h]).T
    wanted, unit = erf(h * math.sqrt(0.5)), 2.0**-53
    assert np.max(abs(value - wanted) / abs(wanted)) < 8 * unit
    slopes = math.sqrt(2 / math.pi) * np.exp(-0.5 * h * h)
    near = abs(h) < 30  # rounding of h^2 is in both
    assert np.max((abs(slope - slopes) / slopes)[near]) < 5 * unit


def test_signs_zeros_and_large_numbers():
    assert erf_and_slope(0.0) == (0.0, math.sqrt(2 / math.pi))
    assert np.signbit(erf_and_slope(-0.0)[0])
    assert erf_and_slope(-3.0)[0] == -erf_and_slope(3.0)[0]
    for h in (9.0, 1e5, 1e200, np.inf):
        assert erf_and_slope(h)[0] == 1.0
        assert 0 < erf_and_slope(h)[1] < 1e-17
    assert np.isnan(erf_and_slope(np.nan)[0])
