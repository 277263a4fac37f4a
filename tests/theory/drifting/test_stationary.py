import math

import pytest

import rosenblatt as rb
from rosenblatt.theory import stationary
from rosenblatt.theory.closed.perceptron import fixed_point
from rosenblatt.theory.drift import OverlapDrift
from rosenblatt.theory.drifting.stationary import Unknowns, settle

RULE = rb.rules.Normalised(rb.rules.Perceptron())
MOTIONS = [
    rb.motions.RandomWalk(0.01),
    rb.motions.Rotation(0.03),
    rb.motions.Retreat(0.02),
]


@pytest.mark.parametrize("rate", [1e-3, 0.3])
def test_without_a_drift_it_is_the_fixed_point_of_the_rate(rate):
    assert stationary(RULE, rate).angle == pytest.approx(fixed_point(rate), rel=1e-9)


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


def test_a_length_without_end_is_said():
    with pytest.raises(ArithmeticError, match=r"state of rule Hebb\(\) .*was found"):
        stationary(rb.rules.Hebb(), motion=rb.motions.RandomWalk(0.1))


def test_changes_at_given_times_are_not_steady():
    with pytest.raises(ValueError, match="motion must be steady, got Abrupt"):
        stationary(RULE, 0.1, motion=rb.motions.Abrupt((1.0,)))


def test_a_good_guess_saves_the_way_there():
    slope = OverlapDrift(RULE, rb.teachers.Sign(), rb.streams.Gaussian(), MOTIONS[0])
    first, second = Unknowns(slope, 0.1), Unknowns(slope, 0.11)
    at = settle(first)
    assert settle(second, at) == pytest.approx(settle(Unknowns(slope, 0.11)), rel=1e-9)
    assert second.evaluations < first.evaluations / 2


@pytest.mark.parametrize("rate", [5e-7, 1e-7])
def test_small_rates_settle_too(rate):
    found = rb.theory.stationary(rb.rules.Normalised(rb.rules.Perceptron()), rate)
    assert found.error == pytest.approx(rate / math.sqrt(2 * math.pi**3), rel=1e-9)


def test_a_length_that_shrinks_without_end_is_no_stationary_state():
    with pytest.raises(ArithmeticError, match="goes on changing"):
        rb.theory.stationary(rb.rules.AdaTron(), 0.1, rb.teachers.Sign(0.5))


def test_labels_without_information_leave_a_right_angle():
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    found = rb.theory.stationary(rule, 0.1, rb.teachers.Sign(0.5))
    assert found.angle == pytest.approx(math.pi / 2)
