from dataclasses import dataclass

import pytest

from rosenblatt.core import FixedShift, Rule, Update
from rosenblatt.linear.learner import Learner
from rosenblatt.linear.learning import learn
from rosenblatt.linear.plan import reads_lengths
from rosenblatt.rules import (
    AdaTron,
    Decay,
    Hebb,
    Normalised,
    PassiveAggressive,
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import RefusalError
from tests.linear.row_data import examples


def test_fixed_shift_is_refused():
    X, y = examples()
    rule = Shifted(Perceptron(), FixedShift(1.0, 0.0))
    with pytest.raises(RefusalError, match=r"fixed shift.*AverageShift"):
        learn(rule, Constant(), X, y, Learner.zero(7))


@dataclass(frozen=True)
class Own(Rule):
    def bind(self):
        return lambda p: Update(p.rate * p.label, 0.0)


@pytest.mark.parametrize("rule", [Hebb(), AdaTron(), Decay(Hebb(), 0.5)])
def test_rules_of_the_field_only_do_not_read_lengths(rule):
    assert not reads_lengths(rule)


@pytest.mark.parametrize("rule", [PassiveAggressive(), Normalised(Hebb()), Own()])
def test_rules_that_do_and_all_of_users_read_lengths(rule):
    assert reads_lengths(rule)
