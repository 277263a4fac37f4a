import math

import numpy as np
import pytest

from rosenblatt.machines import Parity
from rosenblatt.streams import Normal, Uniform


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


def test_tiny_angles_are_accurate():
    for angle in (1e-5, 1e-10, 1e-15):
        found = Parity(3, 2).error(
            turned(angle, 0.0, 0.0), turned(0, 0, 0)[0], Normal(6)
        )
        assert found == pytest.approx(angle / math.pi, rel=1e-13)


def test_a_unit_without_weights_guesses():
    weights = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    found = Parity(2, 2, normalised=False).error(weights, turned(0, 0)[0], Normal(4))
    assert found.tolist() == [0.5, 0.5]


def test_the_error_is_known_for_isotropic_inputs_only():
    weights = turned(0.1, 0.2)
    assert Parity(2, 2).error(weights, weights[0], Normal(4, mean=0.1)) is None
    assert Parity(2, 2).error(weights, weights[0], Uniform(4)) is None
    assert Parity(2, 2).error(weights, weights[0], Normal(4, scale=3.0)) is not None


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


def test_groups_are_units():
    assert Parity(3, 4).groups == 3
    assert Parity(3, 4, normalised=False).groups == 0
    assert Parity(3, 4).inputs == Parity(3, 4).parameters == 12
