import numpy as np
import pytest

from rosenblatt.machines import SoftCommittee


def test_two_units_are_a_perceptron():
    rng = np.random.default_rng(0)
    value, spare = SoftCommittee(2, 5).bind(), np.empty(10)
    for _ in range(100):
        s, w = rng.standard_normal(5), rng.standard_normal(10)
        assert value(s, w, spare) * ((w[:5] + w[5:]) @ s) > 0


def test_the_value_is_a_sum_over_units():
    s, w = np.array([1.0, -2.0]), np.arange(6) / 10
    found = SoftCommittee(3, 2).bind()(s, w, np.empty(6))
    assert found == pytest.approx(np.tanh(w.reshape(3, 2) @ s).sum())


def test_sizes_and_groups():
    machine = SoftCommittee(3, 7)
    assert (machine.inputs, machine.parameters, machine.groups) == (7, 21, 3)
    assert SoftCommittee(3, 7, normalised=False).groups == 0
    with pytest.raises(ValueError, match="hidden must be a whole number not below 1"):
        SoftCommittee(0)
