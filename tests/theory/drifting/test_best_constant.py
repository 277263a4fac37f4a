import math

import pytest

import rosenblatt as rb
from rosenblatt.theory import (
    best_constant_rate,
    best_decay,
    best_half_life,
    stationary,
)

RULE = rb.rules.Normalised(rb.rules.Perceptron())


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


def test_hebbs_best_decay_has_a_closed_form():
    found = best_decay(rb.rules.Hebb(), motion=rb.motions.RandomWalk(1e-6))
    assert found.value == pytest.approx(math.sqrt(4e-6 / math.pi), rel=2e-3)
    assert found.angle == pytest.approx((math.pi * 1e-6) ** 0.25, rel=2e-3)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_best_decay_of_the_bayesian_learner_is_the_drift(noise):
    motion, teacher = rb.motions.RandomWalk(0.02), rb.teachers.Sign(noise)
    found = best_decay(rb.rules.SphericalBayes(noise), teacher, motion=motion)
    assert found.value == pytest.approx(0.02, rel=1e-5)
    closed = best_half_life(0.02, noise)
    assert found.error == pytest.approx(closed.error, rel=1e-9)
    for factor in (0.9, 1.1):
        rule = rb.rules.Decay(rb.rules.SphericalBayes(noise), 0.02 * factor)
        assert stationary(rule, 1.0, teacher, motion=motion).error > closed.error


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="motion must be a Motion, got None"):
        best_constant_rate(RULE, motion=None)
    with pytest.raises(ValueError, match="motion must be steady, and not 0, got A"):
        best_decay(RULE, motion=rb.motions.Abrupt((1.0,)))
    with pytest.raises(ValueError, match="has no best rate"):
        best_constant_rate(rb.rules.Perceptron(), motion=rb.motions.RandomWalk(0.1))
