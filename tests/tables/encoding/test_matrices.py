import numpy as np

from rosenblatt.tables.encoding.codings import Entries
from rosenblatt.tables.encoding.matrices import dense, moments, sparse
from tests.tables.reading import rows


def test_dense_and_sparse_matrices_are_the_same():
    numbers = np.array([[1.0, 0.0], [2.0, 3.0]])
    parts = [Entries(np.array([0, 1]), np.array([2, 3]), np.array([1.0, -1.0]))]
    block = dense(numbers, parts, 4, 0.5)
    assert block.tolist() == [[0.5, 0, 0.5, 0], [1, 1.5, 0, -0.5]]
    assert np.array_equal(sparse(numbers, parts, 4, 0.5).toarray(), block)


def test_moments_are_of_values_that_are_there():
    means, scales = moments(rows([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]))
    assert (means.tolist(), scales.tolist()) == ([2.0, 5.0], [1.0, 1.0])
