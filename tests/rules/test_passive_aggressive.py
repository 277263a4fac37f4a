import pytest

from rosenblatt.rules import PassiveAggressive
from tests.rules.percepts import percept


def test_passive_aggressive_reaches_its_margin_exactly():
    p = percept(-0.4, 1.0, input2=0.8, rate=1.0)
    gain = PassiveAggressive(margin=1.0).bind()(p).gain
    assert p.label * (p.field + gain * p.input2) == pytest.approx(1.0)
    assert PassiveAggressive(1.0, 0.5).bind()(p).gain == 0.5
    for nothing in (percept(1.0), percept(0.0, input2=0.0)):
        assert PassiveAggressive().bind()(nothing) == (0.0, 0.0)
    assert PassiveAggressive().bind()(p).decay == 0.0
