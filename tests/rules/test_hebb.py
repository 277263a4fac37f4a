from rosenblatt.core import Update, starts
from rosenblatt.rules import Hebb
from tests.rules.percepts import percept


def test_hebb_adds_everything_and_starts_at_zero():
    assert Hebb().bind()(percept(9.0, -1.0)) == Update(-0.5, 0.0)
    assert Hebb().start == starts.Zero()
