import numpy as np

from rosenblatt.separation.deciding import decide
from rosenblatt.separation.nearest_point import nearest


def answer(Z):
    return decide(Z, nearest(Z), np.zeros(Z.shape[1]), fit_intercept=False)


def test_a_separating_vector_has_the_largest_margin():
    found = answer(np.array([[1.0, 1.0], [1.0, -1.0]]))
    np.testing.assert_allclose(found.vector, [1.0, 0.0], atol=1e-12)
    assert abs(found.margin - 1.0) < 1e-12
    assert found.rows is None


def test_rows_around_the_origin_have_shares_that_cancel():
    Z = np.array([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]])
    found = answer(Z)
    assert found.vector is None
    np.testing.assert_allclose(found.shares @ Z[found.rows], 0.0, atol=1e-12)
    assert (found.shares > 0).all()
