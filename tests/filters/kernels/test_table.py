import numpy as np
import pytest

from rosenblatt.filters import COVARIANCES, start
from rosenblatt.filters.kernels.layout import FEATURES, MEAN, MODELS, SIZE, WEIGHTS
from rosenblatt.filters.kernels.table import KernelState


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
