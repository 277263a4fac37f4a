"""Wrong arguments of parts: one table of what is made and what is said."""

import math

import pytest

from rosenblatt import machines, motions, rules, schedules, starts, streams, teachers

REFUSED = [
    (lambda: rules.Perceptron(-1.0), "margin must be a number not below 0"),
    (lambda: rules.PassiveAggressive(aggressiveness=0.0), "aggressiveness must be"),
    (lambda: rules.Decay(rules.Hebb(), -1.0), "strength must be"),
    (lambda: rules.Decay("hebb", 1.0), "rule must be a Rule, got 'hebb'"),
    (lambda: rules.Decay(rules.Hebb(), 5.0).check_dim(4), "dim, which is 4"),
    (lambda: rules.Delta(rules.Hebb()), "activation must be an Activation"),
    (lambda: rules.Tanh(math.nan), "gain must be a finite number, got nan"),
    (lambda: rules.Shifted(rules.Hebb(), "known"), "by must be"),
    (lambda: rules.Shifted(rules.Hebb(), opening=-1.0), "opening must be"),
    (lambda: rules.SphericalBayes(noise=0.7), "noise must be a number from 0 to 0.5"),
    (lambda: rules.BinaryBayes(floor=-1.0), "floor must be"),
    (lambda: rules.BinaryBayes(weighted=1), "weighted must be True or False"),
    (lambda: rules.FixedShift("1", 0.0), "mean must be a finite number"),
    (lambda: rules.AverageShift(uniform=1), "uniform must be True or False"),
    (lambda: schedules.Constant(-1.0), "rate must be a number not below 0"),
    (
        lambda: schedules.Power(1.0, math.inf),
        "exponent must be a number from -1000 to 1000",
    ),
    (lambda: schedules.Power(1.0, 1.0, -1.0), "offset must be"),
    (lambda: schedules.PerMistake(-1.0), "scale must be"),
    (lambda: schedules.Custom(3), "function must be"),
    (lambda: teachers.Sign(0.7), "noise must be a number from 0 to 0.5, got 0.7"),
    (lambda: streams.Gaussian(-1.0), "mean must be"),
    (
        lambda: streams.Gaussian(1.0, 2.0),
        "overlap must not exceed the mean's length 1.0",
    ),
    (lambda: streams.Normal(0), "dim must be a whole number not below 1, got 0"),
    (lambda: streams.Normal(2, (1.0, 2.0, 3.0)), "mean must be"),
    (lambda: streams.Uniform(1, 2.0, 1.0), "high must be"),
    (lambda: streams.Sampled(1, 3), "function must be callable, got 3"),
    (lambda: streams.ProductBits((0.5, 1.5)), "must be a number from 0 to 1, got 1.5"),
    (lambda: motions.Abrupt((2.0, 1.0)), "times must increase"),
    (
        lambda: motions.Abrupt((1.0,), math.nan),
        "change must be a number from 0 to 3.14",
    ),
    (lambda: motions.RandomWalk(-1.0), "strength must be a number not below 0"),
    (lambda: motions.Retreat(-1.0), "speed must be a number not below 0"),
    (lambda: motions.Rotation(-1.0), "speed must be a number not below 0"),
    (
        lambda: motions.RandomWalk(9.0).angle(4.0),
        "strength must be a number from 0 to dim, which is 4",
    ),
    (lambda: starts.Vector([1.0]), "weights must be a tuple of numbers"),
    (lambda: starts.Random(0.0), "norm must be a number from"),
    (lambda: machines.Ball(2, -1.0), "radius must be"),
    (lambda: machines.Parity(0), "hidden must be a whole number not below 1"),
]


@pytest.mark.parametrize(("made", "message"), REFUSED, ids=lambda x: str(x)[:20])
def test_wrong_arguments_of_parts_are_named(made, message):
    with pytest.raises((ValueError, TypeError), match=message) as refused:
        made()
    assert "\n" not in str(refused.value)
