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


def test_means_may_be_lists_and_arrays_and_stay_values():
    a, b = Normal(2, [1.0, 2.0]), Normal(2, np.array([1.0, 2.0]))
    assert a == b == Normal(2, (1.0, 2.0))
    assert hash(a) == hash(b)
    assert Normal(3, 2.0).center.tolist() == [2.0, 2.0, 2.0]


def test_bad_numbers_are_refused():
    with pytest.raises(ValueError, match=r"mean must be one number or 2, one for each"):
        Normal(2, (1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match=r"mean\[1\] must be a finite number, got nan"):
        Normal(2, (1.0, float("nan")))
    with pytest.raises(ValueError, match="scale must be a number above 0, got 0"):
        Normal(2, scale=0)
    with pytest.raises(ValueError, match="dim must be a whole number not below 1"):
        Normal(0)


def test_probabilities_between_are_known_in_one_dimension():
    found = Normal(1, 1.0, 2.0).between(np.array([0.0, 5.0]), np.array([3.0, 5.0]))
    law = stats.norm(1.0, 2.0)
    assert found == pytest.approx([law.cdf(3) - law.cdf(0), 0.0])
    assert Normal(2).between(np.array([0.0]), np.array([3.0])) is None
