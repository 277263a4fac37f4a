import numpy as np
import pytest
from scipy import stats

from rosenblatt.compiling import compiled
from rosenblatt.numerics.random import generators
from rosenblatt.streams import Normal


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_components_have_the_law_asked_for(dim):
    means = np.arange(dim) - 1.0
    stream = Normal(dim, means, 2.0)
    s = np.empty((20_000, dim))
    compiled(stream)(generators(0, range(1), 1)[0, 0], s.reshape(-1))
    for i in range(dim):
        assert stats.kstest(s[:, i], stats.norm(means[i], 2.0).cdf).pvalue > 1e-4
    if dim > 1:
        off = np.corrcoef(s.T)[np.triu_indices(dim, 1)]
        assert np.all(abs(off) < 5 / np.sqrt(len(s)))


def test_probabilities_between_are_known_in_one_dimension():
    found = Normal(1, 1.0, 2.0).between(np.array([0.0, 5.0]), np.array([3.0, 5.0]))
    law = stats.norm(1.0, 2.0)
    assert found == pytest.approx([law.cdf(3) - law.cdf(0), 0.0])
    assert Normal(2).between(np.array([0.0]), np.array([3.0])) is None
