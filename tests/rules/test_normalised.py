import math

import numpy as np
import pytest

from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron
from tests.rules.percepts import percept


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_normalised_weights_have_squared_length_n(shift):
    p = percept(-0.7, norm2=1.3, input2=0.9, rate=2.0, shift=shift)
    u = Normalised(Perceptron()).bind()(p)
    keep = 1 - u.decay / p.dim
    along = p.field - p.shift
    norm2 = keep**2 * p.norm2 + (2 * keep * u.gain * along + u.gain**2 * p.input2) / 10
    assert norm2 == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("strength", [0.0, 1.5, 3.0])
def test_steps_after_a_decay_are_those_of_vectors(strength):
    step = Normalised(Decay(Hebb(), strength)).bind()
    for w, x in np.random.default_rng(0).standard_normal((20, 2, 3)):
        u = step(percept(w @ x, norm2=w @ w / 3, input2=x @ x, rate=2.0, dim=3))
        wanted = (1 - strength / 3) * w + 2.0 * x
        wanted *= math.sqrt(3) / np.linalg.norm(wanted)
        np.testing.assert_allclose((1 - u.decay / 3) * w + u.gain * x, wanted, 1e-13)


def test_normalised_has_its_limit_at_infinite_dim():
    rule = Normalised(Perceptron()).bind()
    finite = rule(percept(-0.7, dim=1e12))
    limit = rule(percept(-0.7, dim=math.inf))
    assert finite == pytest.approx(limit, rel=1e-9)
