import numpy as np
import pytest
from scipy import stats

from rosenblatt.compiling import compiled
from rosenblatt.numerics.random import generators
from rosenblatt.streams import Uniform


def test_components_have_the_law_asked_for():
    s = np.empty((20_000, 2))
    compiled(Uniform(2, 1.0, 3.0))(generators(0, range(1), 1)[0, 0], s.reshape(-1))
    for column in s.T:
        assert stats.kstest(column, stats.uniform(1.0, 2.0).cdf).pvalue > 1e-4
    assert abs(np.corrcoef(s.T)[0, 1]) < 5 / np.sqrt(len(s))


def test_probabilities_between_are_known_in_one_dimension():
    a, b = np.array([-2.0, 0.5, 0.9]), np.array([0.0, 0.25, 7.0])
    assert Uniform(1).between(a, b) == pytest.approx([0.5, 0.125, 0.05])
    assert Uniform(2).between(a, b) is None
