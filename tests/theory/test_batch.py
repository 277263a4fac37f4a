"""Batch learning: the least error of any learner."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

from rosenblatt.theory import batch_asymptote, solve_batch

NOISES = [0.0, 1e-6, 0.1, 0.3, 0.49]


def information(odds, noise):
    """Average over the field as it is written, by brute force."""
    spread, clear = math.sqrt(odds), 1 - 2 * noise

    def integrand(v, label):
        density = math.exp(-0.5 * v * v) / math.sqrt(2 * math.pi)
        weight = math.exp(-0.5 * (v / spread) ** 2) / spread / math.sqrt(2 * math.pi)
        return weight * (clear * density) ** 2 / (noise + clear * ndtr(label * v))

    reach = 10 * min(spread, 1.0)  # 10 standard deviations of the narrower law
    return sum(
        quad(integrand, *ends, args=(label,), epsabs=0, epsrel=1e-12, limit=200)[0]
        for label in (1, -1)
        for ends in ((-reach, 0), (0, reach))
    )


def slow_odds(alpha, noise):
    def excess(log_odds):
        odds = math.exp(log_odds)
        return math.log(odds / (1 + odds) / information(odds, noise) / alpha)

    return math.exp(brentq(excess, -25, 60, xtol=1e-13, rtol=1e-14))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("alpha", [1e-3, 0.5, 7.0, 1e3, 1e9])
def test_curves_are_those_of_slow_quadrature_and_bisection(alpha, noise):
    odds = slow_odds(alpha, noise)
    found = solve_batch(alpha, noise)
    gibbs = 2 * math.asin(math.sqrt(0.5 / (1 + odds)))  # arccos q, 1 - q small
    bayes = math.atan2(1.0, math.sqrt(odds))
    np.testing.assert_allclose(found["angle"][:, 0], [gibbs, bayes], rtol=1e-10)
    overlaps = [odds / (1 + odds), math.sqrt(odds / (1 + odds))]
    np.testing.assert_allclose(found["overlap"][:, 0], overlaps, rtol=1e-10)
    errors = noise + (1 - 2 * noise) * np.array([gibbs, bayes]) / math.pi
    np.testing.assert_allclose(found["error"][:, 0], errors, rtol=1e-10)


def test_the_asymptotes_without_noise_are_the_known_ones():
    gibbs, bayes = batch_asymptote()
    assert gibbs == pytest.approx(0.625, abs=5e-4)  # Seung et al. (1992)
    assert bayes == pytest.approx(0.442, abs=5e-4)  # Opper and Haussler (1991)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1.0,), "alpha must be"),
        ((1.0, 0.6), "noise must be"),
        ((1.0, math.nan), "noise must be"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        solve_batch(*arguments)


def amp(alpha, noise):
    """Return overlaps of message passing."""
    return solve_batch(alpha, noise, prior="binary").overlap.sel(learner="amp").values


@pytest.mark.parametrize(
    ("noise", "first", "second"),
    [
        (0.0, 1.245, 1.493),  # Gyorgyi (1990), Sompolinsky et al. (1990)
        (0.1, 2.5137, 3.0117),
        (0.2, 4.9006, 5.8718),
    ],
)
def test_binary_curves_jump_at_the_transitions(noise, first, second):
    near = 5e-4
    curve = solve_batch(
        [0, first - near, first + near, second - near, second + near],
        noise,
        prior="binary",
    )
    bayes, amp = (curve["overlap"].sel(learner=n).values for n in ("bayes", "amp"))
    np.testing.assert_array_equal(bayes[2:], 1.0)
    np.testing.assert_array_equal(amp[-1], 1.0)
    np.testing.assert_allclose(amp[:2], bayes[:2])
    assert bayes[1] < 0.9
    assert amp[1] < amp[2] < amp[3] < 0.96
    np.testing.assert_array_equal(curve["error"][:, 0], 0.5)
    np.testing.assert_allclose(curve["error"][:, -1], noise)
