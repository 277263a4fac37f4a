import math

import numpy as np

from rosenblatt.core import Percept
from rosenblatt.core.arrays import mapped, updates
from rosenblatt.rules import Perceptron
from rosenblatt.teachers import Sign


def test_updates_and_mapped_go_over_arrays():
    fields, labels = np.array([1.0, -1.0]), np.array([1.0, 1.0])
    gains, decays = updates(
        Perceptron(), Percept(0, 0, 1, 1, 0.5, math.inf), fields, labels, np.zeros(2)
    )
    assert gains.tolist() == [0.0, 0.5]
    assert decays.tolist() == [0.0, 0.0]
    shaped = mapped(Sign(0.25))(np.array([[1.0, -1.0], [2.0, -2.0]]))
    assert shaped.tolist() == [[0.75, 0.25], [0.75, 0.25]]
