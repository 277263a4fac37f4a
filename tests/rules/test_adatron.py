from rosenblatt.core import Update
from rosenblatt.rules import AdaTron
from tests.rules.percepts import percept


def test_adatron_corrects_in_proportion():
    step = AdaTron().bind()
    assert step(percept(-3.0, 1.0)) == Update(1.5, 0.0)
    assert step(percept(3.0, -1.0)) == Update(-1.5, 0.0)
    assert step(percept(3.0, 1.0)) == Update(0.0, 0.0)
