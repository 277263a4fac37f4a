import pytest

from rosenblatt.core import Update
from rosenblatt.rules import Decay, Hebb, Perceptron
from tests.rules.percepts import percept


def test_decay_adds_to_what_the_inner_rule_does():
    twice = Decay(Decay(Hebb(), 0.5), 0.25)
    assert twice.bind()(percept(0.0)) == Update(0.5, 0.75)
    assert not Decay(Perceptron(), 0.5).mistakes_only
    assert Decay(Perceptron(), 0.0).mistakes_only
    with pytest.raises(ValueError, match="strength must be a number not below 0"):
        Decay(Hebb(), -1.0)
