import math

import pytest

from rosenblatt.rules import Normalised, Perceptron
from tests.rules.percepts import percept


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_normalised_weights_have_squared_length_n(shift):
    p = percept(-0.7, norm2=1.3, input2=0.9, rate=2.0, shift=shift)
    u = Normalised(Perceptron()).bind()(p)
    keep = 1 - u.decay / p.dim
    along = p.field - p.shift
    norm2 = keep**2 * p.norm2 + (2 * keep * u.gain * along + u.gain**2 * p.input2) / 10
    assert norm2 == pytest.approx(1.0, rel=1e-14)


def test_normalised_has_its_limit_at_infinite_dim():
    rule = Normalised(Perceptron()).bind()
    finite = rule(percept(-0.7, dim=1e12))
    limit = rule(percept(-0.7, dim=math.inf))
    assert finite == pytest.approx(limit, rel=1e-9)
