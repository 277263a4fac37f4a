import numpy as np
import pytest

from rosenblatt.bits import Counts, count, pack
from tests import references
from tests.bits.examples import examples


def test_hebb_and_influence_follow_from_counts():
    X, y = examples(500, 70)
    found = count(pack(X), y)
    signs = np.where(X, 1, -1)
    np.testing.assert_array_equal(found.hebb, y @ signs)
    np.testing.assert_array_equal(found.high, X.sum(axis=0))
    exact = 500 * (y @ signs) - y.sum() * signs.sum(axis=0)
    np.testing.assert_array_equal(found.covariance, exact)
    np.testing.assert_allclose(found.influence, references.influences(X, y), rtol=1e-13)
    covariance = (y[:, None] * signs).mean(0) - y.mean() * signs.mean(0)
    np.testing.assert_allclose(found.influence, 2 * covariance / signs.var(axis=0))


def test_influence_of_a_constant_column_is_not_a_number():
    found = count(pack([[1, 1], [1, 0]]), [1, -1]).influence
    assert np.isnan(found[0])
    assert found[1] == 2


def test_products_of_large_counts_do_not_overflow():
    m = 2**40
    found = Counts(np.array([m - 1]), np.array([1]), m, m)
    exact = 2 * m * (2 * (m - 2)) - 0
    assert found.covariance.tolist() == [exact]
    assert found.influence == pytest.approx([exact / (2 * m * m)])


def test_counts_of_different_tables_do_not_add():
    X, y = examples(5, 3)
    with pytest.raises(ValueError, match="same number of columns, got 3 and 2"):
        count(pack(X), y) + count(pack(X[:, :2]), y)
    with pytest.raises(TypeError):
        count(pack(X), y) + 1
    assert count(pack(X), y) != 1
