import numpy as np
import pytest

from rosenblatt.bayes import Filter, learn, start
from rosenblatt.bayes.filter import FILTER

RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 3))
Y = (X[:, 0] > 0).astype(np.int64)


def test_fields_that_do_not_fit_are_refused():
    filter = start(3, covariance="diagonal")
    with pytest.raises(ValueError, match="belief"):
        filter.replaced(belief=np.ones((1, 2)))
    with pytest.raises(ValueError, match="statistics"):
        filter.replaced(statistics=np.zeros((1, 1)))
    assert isinstance(filter.replaced(prior=2.0), Filter)


def test_a_covariance_has_a_positive_variance_of_every_sum():
    filter = learn(start(3, covariance="full"), X, Y)
    FILTER.check(filter)
    shape = filter.belief.shape
    below = np.eye(3) - 0.9 * (1 - np.eye(3))
    for wrong in (np.ones(shape), np.broadcast_to(below, shape).copy()):
        with pytest.raises(ValueError, match="positive variances"):
            FILTER.check(filter.replaced(belief=wrong))
