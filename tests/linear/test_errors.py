import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.linear.errors import check, explained


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_the_first_entry_that_is_not_finite_is_named(kind, bad):
    X = np.ones((4, 3))
    X[2, 1] = X[3, 0] = bad
    with pytest.raises(ValueError, match=f"got {bad} in row 2, column 1"):
        check(kind(X))
    check(kind(np.ones((2, 2))))


def test_the_largest_entry_is_named_where_squares_overflow():
    error = explained(np.array([[1.0, -1e200]]), 0)
    assert "got -1e+200 in row 0, column 1" in str(error)
