import numpy as np

from rosenblatt.linear.learner import Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import Hebb, Shifted
from rosenblatt.schedules import Power
from tests.linear.row_data import examples


def test_constant_input_is_all_shift():
    X, _ = examples()
    y = np.where(np.arange(len(X)) % 3 == 2, -1.0, 1.0)  # never balanced again
    got = learn(Shifted(Hebb(), opening=0), Power(), X, y, Learner.zero(8))
    assert got.weights[-1] == 8.0  # the first rate, Power()'s at time 1/8
