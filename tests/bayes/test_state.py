import pickle

import numpy as np
import pytest

from rosenblatt.bayes import COVARIANCES, learn, start
from rosenblatt.bayes.kernels.layout import FEATURES, MEAN, MODELS, SIZE, WEIGHTS
from rosenblatt.bayes.filter import KernelState

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


@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("models", [1, 3])
def test_the_table_holds_addresses_and_sizes_of_the_filter(covariance, models):
    filter = start(4, covariance=covariance, models=models, intercept=True)
    state = KernelState(filter)
    table = state._table
    assert table.size == SIZE
    assert table.ctypes.data == state.address
    assert table[MEAN] == filter.mean.ctypes.data
    assert (table[FEATURES], table[WEIGHTS], table[MODELS]) == (4, 5, models)
    assert state.writable


def test_arrays_that_cannot_be_written_are_noticed():
    filter = start(4, covariance="diagonal")
    filter.mean = np.broadcast_to(np.zeros(1), filter.mean.shape)
    assert not KernelState(filter).writable
