"""Stationary states, and the constants for which the angle is smallest."""

import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.theory import (
    best_constant_rate,
    best_decay,
    best_half_life,
    stationary,
)
from rosenblatt.theory.stationary import _Filter

RULE = rb.rules.Normalised(rb.rules.Perceptron())
MOTIONS = [
    rb.motions.RandomWalk(0.01),
    rb.motions.Rotation(0.03),
    rb.motions.Retreat(0.02),
]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda d: type(d).__name__)
def test_curves_end_there(motion):
    rule = rb.rules.Decay(rb.rules.Perceptron(), 0.05)
    found = stationary(rule, 0.7, rb.teachers.Sign(0.1), motion=motion)
    late = rb.solve(
        rule,
        rb.schedules.Constant(0.7),
        rb.teachers.Sign(0.1),
        alpha=2e3,
        motion=motion,
    )
    assert found.angle == pytest.approx(late.angle.item(), rel=1e-8)
    assert found.norm == pytest.approx(late.norm.item(), rel=1e-8)
    assert found.error == pytest.approx(late.error.item(), rel=1e-8)


@pytest.mark.parametrize("strength", [1e-3, 0.2, 3.0])
def test_hebb_with_decay_and_a_random_walk_has_a_closed_form(strength):
    """R = a / (k + D) and Q = (a R + 1/2) / k with a^2 = 2 / pi, decay k, rate 1."""
    decay, a = 0.4, math.sqrt(2 / math.pi)
    overlap = a / (decay + strength)
    norm = math.sqrt((a * overlap + 0.5) / decay)
    rule = rb.rules.Decay(rb.rules.Hebb(), decay)
    found = stationary(rule, motion=rb.motions.RandomWalk(strength))
    assert found.norm == pytest.approx(norm, rel=1e-9)
    assert math.cos(found.angle) == pytest.approx(overlap / norm, rel=1e-9)


def test_a_length_that_shrinks_without_end_is_no_stationary_state():
    with pytest.raises(ArithmeticError, match="goes on changing"):
        rb.theory.stationary(rb.rules.AdaTron(), 0.1, rb.teachers.Sign(0.5))


def test_the_best_scale_for_the_perceptron_is_known():
    found = rb.theory.best_rate(RULE)
    assert found == pytest.approx(2 * math.sqrt(2 * math.pi), rel=1e-5)


def test_a_rule_without_a_best_scale_is_an_error():
    rule = rb.rules.Decay(rb.rules.Hebb(), 0.0)  # every scale gives the same angle
    with pytest.raises(ValueError, match="has no best scale"):
        rb.theory.best_rate(rule, exponent=0.0)


@pytest.mark.parametrize(
    ("motion", "angle", "rate"),
    [
        (rb.motions.RandomWalk(1e-6), 4 ** (1 / 3) * 1e-2, 4 ** (1 / 3) / 2 * 1e-2),
        (rb.motions.Rotation(1e-6), 6.75**0.25 * 1e-3, 6.75**0.25 * 2 / 3 * 1e-3),
        (rb.motions.Retreat(1e-6), 2e-3, 1e-3),
    ],
    ids=["random", "rotation", "retreat"],
)
def test_the_perceptron_has_closed_forms_for_slow_drifts(motion, angle, rate):
    """With e = rate / sqrt(2 pi), 0 = -e t + e^2 + D/t, and alike for the others."""
    found = best_constant_rate(RULE, motion=motion)
    assert found.angle == pytest.approx(angle, rel=1e-3)
    assert found.value == pytest.approx(math.sqrt(2 * math.pi) * rate, rel=2e-3)


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="motion must be a Motion, got None"):
        best_constant_rate(RULE, motion=None)
    with pytest.raises(ValueError, match="motion must be steady, and not 0, got A"):
        best_decay(RULE, motion=rb.motions.Abrupt((1.0,)))
    with pytest.raises(ValueError, match="has no best rate"):
        best_constant_rate(rb.rules.Perceptron(), motion=rb.motions.RandomWalk(0.1))


def test_equations_are_the_drift_of_a_simulated_filter():
    """Means over 40,000 examples; terms that are wrong by 5% are caught."""
    rng, count = np.random.default_rng(0), 40_000
    angle, length, v, believed, true = 0.4, 0.8, 0.2, 0.3, 0.1
    filter = _Filter(0.0, 0.0, true, believed)
    x = [math.log(math.tan(angle / 2)), 2 * math.log(length), math.log(v / (1 - v))]
    h, across = rng.standard_normal((2, count))
    b, h = math.cos(angle) * h + math.sin(angle) * across, length * h
    y = np.sign(b + math.sqrt(true) * rng.standard_normal(count))
    s = math.sqrt(v + believed)
    u = y * h / s
    chance = np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in u])
    pull = np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi) / chance
    gain = v / s * y * pull
    along = gain * b / (length * math.cos(angle))  # relative changes of R and Q
    longer = (2 * gain * h + gain**2) / length**2
    turned = (longer / 2 - along) / (math.tan(angle) * math.sin(angle))
    shrunk = v / s**2 * pull * (pull + u) / (1 - v)
    moved = np.stack([turned, longer, -shrunk])
    spread = moved.std(axis=1) / math.sqrt(count)
    assert (np.abs(moved.mean(axis=1) - filter.derivative(x, 0.0)) < 5 * spread).all()


def test_half_lives_of_bad_input_are_refused():
    for strength in (0, 1e-19, 1e10):
        with pytest.raises(ValueError, match="strength must be a number from 1e-18"):
            best_half_life(strength)
    with pytest.raises(ValueError, match="noise must be below"):
        best_half_life(0.1, 0.5)
    with pytest.raises(ValueError, match="label_variance must be a number not below 0"):
        best_half_life(0.1, label_variance=-1)
    with pytest.raises(ValueError, match="believed must be a number not below 0"):
        best_half_life(0.1, believed=math.nan)
