import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, best_schedule, solve
from rosenblatt.rules import Erf


def test_noise_asks_for_a_falling_rate_which_the_curve_confirms():
    committee = Committee(Erf(), 1, 1, noise=0.5)
    best = best_schedule(committee, alpha=10, knots=3)
    assert best.error < 0.9 * best.constant_error
    assert best.error <= best.power_error
    assert best.rate[-1] < 0.5 * best.rate[0]
    curve = solve(committee, best.schedule(), alpha=10)
    np.testing.assert_allclose(curve.error[0, 0], best.error, rtol=1e-5)
    constant = solve(committee, rb.schedules.Constant(best.constant), alpha=10)
    np.testing.assert_allclose(constant.error[0, 0], best.constant_error, rtol=1e-5)


def test_bad_input_names_the_argument():
    with pytest.raises(ValueError, match="alpha must be a number above 0"):
        best_schedule(Committee(Erf(), 1, 1), alpha=0)
    with pytest.raises(ValueError, match="knots must be"):
        best_schedule(Committee(Erf(), 1, 1), alpha=1, knots=0)
    with pytest.raises(ValueError, match="committee must not classify"):
        best_schedule(Committee(Erf(), 1, 1, classify=True), alpha=1)
