"""The schedule that ends with the least error."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import rosenblatt as rb
from rosenblatt.core import Clock
from rosenblatt.theory.control import BestSchedule, Control


def noisy_mean():
    """The variance s of a running mean: s' = -2 eta s + eta^2; best is 1 / (1 + t)."""

    def change(s, eta):
        return np.array([-2 * eta * s[0] + eta**2])

    return Control(
        change, lambda s: float(s[0]), np.ones(1), alpha=20.0, knots=8, accuracy=1e-13
    )


def test_the_gradient_is_that_of_differences():
    control = noisy_mean()
    logs = np.linspace(-0.5, -2.0, 9)
    _, gradient = control.value(logs)
    for j in (0, 4, 8):
        step = 1e-4 * np.eye(9)[j]
        up, down = (control.value(logs + side * step)[0] for side in (1, -1))
        assert abs((up - down) / 2e-4 - gradient[j]) < 1e-4


def test_the_best_rate_of_a_running_mean_is_found():
    best = noisy_mean().best(0.5)
    np.testing.assert_allclose(best.rate, 1 / (1 + best.alpha), rtol=0.02)
    assert abs(best.error * 21 - 1) < 1e-4
    assert abs(best.power_error * 21 - 1) < 1e-4  # the power with exponent 1
    constant = minimize_scalar(
        lambda eta: eta / 2 + (1 - eta / 2) * math.exp(-40 * eta), bounds=(0.01, 1)
    )
    np.testing.assert_allclose(best.constant_error, constant.fun, rtol=1e-5)


def test_a_schedule_is_linear_in_logarithms_between_knots():
    alpha = np.expm1(np.array([0.0, 1.0, 2.0]))
    best = BestSchedule(alpha, np.exp([0.0, -1.0, -3.0]), 0.0, 1.0, 0.0, (1, 1, 1), 0.0)
    rate = best.schedule()
    for log, expected in ((0.5, -0.5), (1.5, -2.0), (2.0, -3.0), (5.0, -3.0)):
        clock = Clock(math.expm1(log), 0.0, 1.0)
        assert abs(math.log(rate(clock)) - expected) < 1e-6


@pytest.mark.slow
def test_the_known_optimum_of_the_perceptron_comes_out():
    """Late the best rate is 2 sqrt(2 pi) / alpha; corrections fall as 1 / alpha."""
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    best = rb.theory.best_schedule(rule, alpha=1000, knots=10, rate=0.05)
    ratio = best.alpha * best.rate / (2 * math.sqrt(2 * math.pi))
    late = best.alpha > 100
    assert late.sum() >= 3
    np.testing.assert_allclose(ratio[late], 1.0, atol=0.05)
    curve = rb.solve(rule, best.schedule(), alpha=1000)
    np.testing.assert_allclose(curve.error[0, 0], best.error, rtol=1e-4)
    assert best.error < best.constant_error


def test_bad_input_names_the_argument():
    with pytest.raises(ValueError, match="alpha must be a number above 0"):
        rb.theory.best_schedule(rb.rules.Normalised(rb.rules.Perceptron()), alpha=-1)
