from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.separation.proofs import (
    exact_shares,
    least_product,
    rows_below,
    zero_shares,
)
from tests import references


def test_the_sign_of_the_least_product_is_exact():
    """Products that cancel down to a last place, in both directions."""
    rng = np.random.default_rng(0)
    signs = set()
    for _ in range(300):
        w = rng.standard_normal(3)
        Z = rng.standard_normal((4, 3))
        Z[0, 2] = -(Z[0, :2] @ w[:2]) / w[2]  # zero, to rounding
        Z[1:] *= np.sign(Z[1:] @ w)[:, None]
        found = least_product(Z, w) > 0
        assert found == references.exactly_separates(Z, w)
        signs.add(found)
    assert signs == {True, False}


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_scales_neither_overflow_nor_vanish(scale):
    Z = np.array([[scale, 1.0], [scale, -1.0]])
    assert least_product(Z, np.array([1.0, 0.0])) == scale
    assert least_product(Z, np.array([0.0, 1.0])) == -1
    tiny = np.array([[5e-324, 0.0]])
    assert least_product(tiny, np.array([1.0, 1.0])) > 0


def test_rounding_in_the_middle_of_a_row_is_noticed():
    Z = np.array([[1e16, 1.0, -1e16]])
    assert least_product(Z, np.ones(3)) == 1.0
    assert least_product(-Z, np.ones(3)) == -1.0


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_rows_below_a_bound_are_those_of_exact_products(scale):
    """A vector that rounding changes, and rows that are orthogonal to it but for that.

    The bounds are exact products of rows, so that equality is decided too.
    """
    rng = np.random.default_rng(2)
    for _ in range(50):
        w = [Fraction(int(v), int(d)) for v, d in rng.integers(1, 99, (3, 2))]
        Z = scale * rng.standard_normal((8, 3))
        Z[:5, 2] = -(Z[:5, :2] @ [float(w[0]), float(w[1])]) / float(w[2])
        products = [
            sum(Fraction(a) * b for a, b in zip(z, w, strict=True)) for z in Z.tolist()
        ]
        for bound in (products[0], products[7], Fraction(0)):
            wanted = [i for i, product in enumerate(products) if product < bound]
            assert sorted(rows_below(Z, w, bound).tolist()) == wanted


def test_shares_in_general_position_are_proved():
    rng = np.random.default_rng(1)
    proved = 0
    for _ in range(50):
        Z = rng.standard_normal((6, 5))
        exact = exact_shares(Z)
        found = zero_shares(Z)
        assert (found is not None) == (min(exact) >= 0)
        if found is not None:
            proved += 1
            np.testing.assert_allclose(found, [float(c) for c in exact], rtol=1e-9)
    # The sign of all six is the same in one case of 2^5: 1.6 expected
    assert 0 < proved < 10


def test_shares_on_a_face_are_solved_in_whole_numbers():
    Z = np.array([[0.1, 0.7, 0.0], [-0.3, -2.1, 0.0]])
    assert zero_shares(Z) is None  # 3 * 0.7 is not 2.1
    Z[1] = -4 * Z[0]  # a power of two rounds nothing
    shares = exact_shares(Z)
    assert sum(shares) == 1
    for column in Z.T:
        products = (c * Fraction(z) for c, z in zip(shares, column, strict=True))
        assert sum(products) == 0
    np.testing.assert_allclose(zero_shares(Z), [0.8, 0.2], rtol=1e-15)


def test_what_adds_up_to_something_is_no_proof():
    assert zero_shares(np.array([[1.0, 0.0], [-1.0, 1e-17]])) is None
    assert zero_shares(np.array([[1.0], [2.0]])) is None
    assert zero_shares(np.array([[1.0], [1.0], [-1.0]])) is None  # not the only ones


def test_a_zero_row_is_a_proof():
    assert zero_shares(np.zeros((1, 3))).tolist() == [1.0]
