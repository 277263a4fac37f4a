import numpy as np

from rosenblatt.machines import SoftCommittee


def test_two_units_are_a_perceptron():
    rng = np.random.default_rng(0)
    value, spare = SoftCommittee(2, 5).bind(), np.empty(10)
    for _ in range(100):
        s, w = rng.standard_normal(5), rng.standard_normal(10)
        assert value(s, w, spare) * ((w[:5] + w[5:]) @ s) > 0
