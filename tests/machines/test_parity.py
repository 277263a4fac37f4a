import math

import numpy as np
import pytest

from rosenblatt.machines import Parity
from rosenblatt.streams import Normal


def turned(*angles):
    """Weights of units of two inputs, turned away from the first axis."""
    return np.array([[f(a) for a in angles for f in (math.cos, math.sin)]])


@pytest.mark.parametrize("least_action", [False, True])
def test_the_error_counts_odd_numbers_of_wrong_units(least_action):
    machine = Parity(2, 2, least_action)
    target = turned(0.0, 0.0)[0]
    for a, b in [(0.3, 0.0), (0.4, 2.0), (math.pi, math.pi), (math.pi, 0.1)]:
        p, q = a / math.pi, b / math.pi
        found = machine.error(5.0 * turned(a, b), target, Normal(4))
        assert found == pytest.approx(p * (1 - q) + q * (1 - p), rel=1e-12, abs=1e-16)


def test_least_action_has_the_same_sign_and_moves_one_unit():
    rng = np.random.default_rng(0)
    product, least = Parity(3, 4).bind(), Parity(3, 4, least_action=True).bind()
    gradient = np.empty(12)
    for s, w in rng.standard_normal((20, 2, 12)):
        value = least(s, w, gradient)
        fields = (s * w).reshape(3, 4).sum(axis=1)
        assert abs(value) == pytest.approx(abs(fields).min())
        moved = gradient.reshape(3, 4).any(axis=1)
        assert moved.tolist() == [k == abs(fields).argmin() for k in range(3)]
        assert value * product(s, w, gradient) > 0
