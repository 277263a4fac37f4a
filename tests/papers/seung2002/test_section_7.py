import numpy as np
import pytest

from rosenblatt.papers.seung2002.perceptron_rule import cost


def test_examples_on_the_right_side_cost_nothing():
    X, w = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([2.0, -1.0])
    assert cost(X, np.array([1.0, -1.0, 1.0]), w) == 0
    assert cost(X, np.array([-1.0, 1.0, -1.0]), w) == pytest.approx((2 + 1 + 1) / 3)
