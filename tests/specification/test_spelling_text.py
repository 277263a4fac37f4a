import math

import pytest

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Rule
from rosenblatt.specification.codec import parse, spell

PARTS = [
    rb.rules.Perceptron(),
    rb.rules.Perceptron(margin=1 / 3),
    rb.rules.PassiveAggressive(margin=2.0, aggressiveness=0.1),
    rb.rules.PassiveAggressive(aggressiveness=math.inf),
    rb.rules.Delta(rb.rules.Logistic(gain=1e-7)),
    rb.rules.BinaryBayes(noise=0.1, floor=0.0, implicit=True),
    rb.rules.Decay(rb.rules.Hebb(), 0.5),
    rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False)),
    rb.rules.Shifted.known(rb.rules.Perceptron(), overlap=-1.95),
]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_what_is_spelled_is_read_as_the_same_part(part):
    assert parse(Rule, spell(part), BeliefRule) == part


def test_defaults_are_left_out():
    assert spell(rb.schedules.Power(scale=2.0)) == "power:scale=2"
    assert spell(rb.rules.Hebb()) == "hebb"
