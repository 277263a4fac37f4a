"""Bayesian on-line learning, and the overlaps that priors give."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import rosenblatt as rb
from rosenblatt.theory import (
    critical_alpha,
    online_asymptote,
    solve_online,
)
from rosenblatt.theory.bayesian import binary
from rosenblatt.theory.closed.spherical_bayes import sharpness

NOISES = [0.0, 0.05, 0.2, 0.45]
STRENGTHS = [1e-6, 0.03, 0.99, 1.0, 5.0, 40.0, 80.0]


@pytest.mark.parametrize("noise", NOISES)
def test_the_spherical_curve_is_that_of_the_rule(noise):
    alpha = [0.1, 1, 5, 20, 300]
    curve = solve_online(alpha, noise).sel(learner="bayes")
    rule = rb.rules.SphericalBayes(noise)
    teacher = rb.teachers.Sign(noise)
    general = rb.solve(rule, rb.schedules.Constant(), teacher, alpha=alpha)
    # general theory follows overlap and norm apart; its steps are exact to 1e-11
    for name in ("overlap", "angle", "norm", "error"):
        np.testing.assert_allclose(curve[name], general[name][0], rtol=1e-8)


def slow_strengths(alpha, noise):
    """Integrate the strength, with the remainder by plain trapezoids."""
    z = np.linspace(-12, 12, 4001)
    weight = np.exp(-0.5 * z * z) / np.exp(-0.5 * z * z).sum()

    def derivative(_, strength):
        s = max(strength[0], 0.0)
        rest = float(weight @ np.cosh(s + math.sqrt(s) * z) ** -2.0)
        return [float(sharpness(1 - rest, noise)) / math.sqrt(rest)]

    found = solve_ivp(
        derivative, (0, alpha[-1]), [0.0], "DOP853", alpha, rtol=1e-12, atol=1e-14
    )
    return found.y[0], z, weight


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_binary_curve_solves_its_equation(noise):
    alpha = np.array([0.01, 0.5, 0.9]) * critical_alpha(noise)
    strength, z, weight = slow_strengths(alpha, noise)
    q = [weight @ np.tanh(s + math.sqrt(s) * z) ** 2 for s in strength]
    signs = [math.erf(math.sqrt(s / 2)) for s in strength]
    curve = solve_online(alpha, noise, prior="binary")["overlap"]
    np.testing.assert_allclose(curve.sel(learner="gibbs"), q, rtol=1e-9)
    np.testing.assert_allclose(curve.sel(learner="bayes"), np.sqrt(q), rtol=1e-9)
    np.testing.assert_allclose(curve.sel(learner="clipped"), signs, rtol=1e-9)


@pytest.mark.parametrize(
    ("noise", "alpha"), [(0, 4.3682), (0.05, 6.1775), (0.1, 8.3456), (0.2, 16.0450)]
)
def test_the_binary_teacher_is_found_at(noise, alpha):
    assert critical_alpha(noise) == pytest.approx(alpha, abs=5e-5)
    after = solve_online(critical_alpha(noise) + 1e-9, noise, prior="binary")
    np.testing.assert_array_equal(after["error"], noise)
    np.testing.assert_array_equal(after["overlap"], 1.0)


def average(function, strength):
    """Average over the field as it is written, by brute force."""
    spread = math.sqrt(strength)

    def integrand(x):
        z = (x - strength) / spread
        return function(x) * math.exp(-0.5 * z * z) / spread / math.sqrt(2 * math.pi)

    # what counts lies between the field 0 and the mean
    ends = sorted({-12 * spread, -30.0, -3.0, 0.0, 3.0, 30.0, strength})
    ends.append(strength + 12 * spread)
    return sum(
        quad(integrand, *pair, epsabs=0, epsrel=1e-12, limit=500)[0]
        for pair in itertools.pairwise(ends)
        if pair[1] > pair[0]
    )


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_binary_overlap_is_the_average_as_written(strength):
    q, rest = binary(np.array(strength))
    assert rest == pytest.approx(
        average(lambda x: 1 / math.cosh(min(abs(x), 700)) ** 2, strength), rel=1e-10
    )
    assert q == pytest.approx(average(lambda x: math.tanh(x) ** 2, strength), rel=1e-10)
    # the teacher is one more draw from the posterior
    assert q == pytest.approx(average(math.tanh, strength), rel=1e-9)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="prior must be 'spherical' or 'binary'"):
        solve_online(1, prior="ternary")
    for function in (critical_alpha, online_asymptote):
        with pytest.raises(ValueError, match=r"below 0\.5"):
            function(0.5)
