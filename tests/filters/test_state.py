import pickle

import numpy as np
import pytest

from rosenblatt.filters import COVARIANCES, Filter, learn, start
from rosenblatt.filters.state import FILTER

RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 3))
Y = (X[:, 0] > 0).astype(np.int64)


def arrays(filter):
    return [value for value in vars(filter).values() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_copies_share_nothing_and_learn_the_same(covariance):
    filter = learn(start(3, covariance=covariance, standardised=True), X, Y)
    for other in (filter.copy(), pickle.loads(pickle.dumps(filter))):
        for one in arrays(filter):
            assert not any(np.shares_memory(one, two) for two in arrays(other))
        np.testing.assert_array_equal(learn(other, X, Y).mean, learn(filter, X, Y).mean)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_variance_of_a_field_is_that_of_the_weights(covariance):
    filter = learn(start(3, covariance=covariance), X, Y)
    full = filter.belief[0] if covariance == "full" else np.diag(filter.variances[0])
    np.testing.assert_allclose(filter.field_variance(X[0]), X[0] @ full @ X[0])


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
