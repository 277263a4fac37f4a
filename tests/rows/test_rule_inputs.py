from dataclasses import dataclass

import pytest

from rosenblatt.core import Rule, Update
from rosenblatt.rows.rule_inputs import reads_lengths
from rosenblatt.rules import AdaTron, Decay, Hebb, Normalised, PassiveAggressive


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
