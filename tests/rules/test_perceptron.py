import pytest

from rosenblatt.core import Update
from rosenblatt.rules import Perceptron
from tests.rules.percepts import percept


@pytest.mark.parametrize(("field", "moves"), [(-0.1, True), (0.0, True), (0.1, False)])
def test_margin_zero_updates_on_mistakes_and_ties_only(field, moves):
    assert Perceptron().mistakes_only
    expected = Update(0.5, 0.0) if moves else Update(0.0, 0.0)
    assert Perceptron().bind()(percept(field)) == expected


def test_a_margin_updates_up_to_the_margin_included():
    step = Perceptron(margin=0.3).bind()
    assert not Perceptron(margin=0.3).mistakes_only
    assert step(percept(0.3)).gain == 0.5
    assert step(percept(-0.3, -1.0)).gain == -0.5
    assert step(percept(0.31)).gain == 0.0
