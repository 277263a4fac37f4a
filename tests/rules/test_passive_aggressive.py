import math

import numpy as np
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


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan])
def test_passive_aggressive_refuses_bad_aggressiveness(bad):
    with pytest.raises(ValueError, match="aggressiveness must be a number above 0"):
        PassiveAggressive(aggressiveness=bad)


@pytest.mark.parametrize("bad", ["", None, np.array([1.0, 2.0]), {}])
def test_passive_aggressive_refuses_what_is_no_number(bad):
    with pytest.raises(TypeError, match="aggressiveness must be a number above 0"):
        PassiveAggressive(aggressiveness=bad)
