"""Wrong arguments of parts: one table of what is made and what is said."""

import math

import pytest

import rosenblatt as rb

REFUSED = [
    (lambda: rb.rules.Perceptron(-1.0), "margin must be a number not below 0"),
    (lambda: rb.rules.PassiveAggressive(aggressiveness=0.0), "aggressiveness must be"),
    (lambda: rb.rules.Decay(rb.rules.Hebb(), -1.0), "strength must be"),
    (lambda: rb.rules.Decay("hebb", 1.0), "rule must be a Rule, got 'hebb'"),
    (lambda: rb.rules.Decay(rb.rules.Hebb(), 5.0).check_dim(4), "dim, which is 4"),
    (lambda: rb.rules.Delta(rb.rules.Hebb()), "activation must be an Activation"),
    (lambda: rb.rules.Tanh(math.nan), "gain must be a finite number, got nan"),
    (lambda: rb.rules.Shifted(rb.rules.Hebb(), "known"), "by must be"),
    (lambda: rb.rules.Shifted(rb.rules.Hebb(), opening=-1.0), "opening must be"),
    (
        lambda: rb.rules.SphericalBayes(noise=0.7),
        "noise must be a number from 0 to 0.5",
    ),
    (lambda: rb.rules.BinaryBayes(floor=-1.0), "floor must be"),
    (lambda: rb.rules.BinaryBayes(weighted=1), "weighted must be True or False"),
    (lambda: rb.rules.FixedShift("1", 0.0), "mean must be a finite number"),
    (lambda: rb.rules.AverageShift(uniform=1), "uniform must be True or False"),
    (lambda: rb.schedules.Constant(-1.0), "rate must be a number not below 0"),
    (
        lambda: rb.schedules.Power(1.0, math.inf),
        "exponent must be a number from -1000 to 1000",
    ),
    (lambda: rb.schedules.Power(1.0, 1.0, -1.0), "offset must be"),
    (lambda: rb.schedules.PerMistake(-1.0), "scale must be"),
    (lambda: rb.schedules.Custom(3), "function must be"),
    (lambda: rb.teachers.Sign(0.7), "noise must be a number from 0 to 0.5, got 0.7"),
    (lambda: rb.streams.Gaussian(-1.0), "mean must be"),
    (
        lambda: rb.streams.Gaussian(1.0, 2.0),
        "overlap must not exceed the mean's length 1.0",
    ),
    (lambda: rb.streams.Normal(0), "dim must be a whole number not below 1, got 0"),
    (lambda: rb.streams.Normal(2, (1.0, 2.0, 3.0)), "mean must be"),
    (lambda: rb.streams.Uniform(1, 2.0, 1.0), "high must be"),
    (lambda: rb.streams.Sampled(1, 3), "function must be callable, got 3"),
    (
        lambda: rb.streams.ProductBits((0.5, 1.5)),
        "must be a number from 0 to 1, got 1.5",
    ),
    (lambda: rb.motions.Abrupt((2.0, 1.0)), "times must increase"),
    (
        lambda: rb.motions.Abrupt((1.0,), math.nan),
        "change must be a number from 0 to 3.14",
    ),
    (lambda: rb.motions.RandomWalk(-1.0), "strength must be a number not below 0"),
    (lambda: rb.motions.Retreat(-1.0), "speed must be a number not below 0"),
    (lambda: rb.motions.Rotation(-1.0), "speed must be a number not below 0"),
    (
        lambda: rb.motions.RandomWalk(9.0).angle(4.0),
        "strength must be a number from 0 to dim, which is 4",
    ),
    (lambda: rb.starts.Vector([1.0]), "weights must be a tuple of numbers"),
    (lambda: rb.starts.Random(0.0), "norm must be a number from"),
    (lambda: rb.machines.Ball(2, -1.0), "radius must be"),
    (lambda: rb.machines.Parity(0), "hidden must be a whole number not below 1"),
]


@pytest.mark.parametrize(("made", "message"), REFUSED, ids=lambda x: str(x)[:20])
def test_wrong_arguments_of_parts_are_named(made, message):
    with pytest.raises((ValueError, TypeError), match=message) as refused:
        made()
    assert "\n" not in str(refused.value)
