"""The nearest point of a hull: a naive twin, fractions, and what characterises it."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.linear.separation import (
    exact_nearest,
    exact_shares,
    least_product,
    nearest,
    rows_below,
    zero_shares,
)
from tests import references


@pytest.mark.parametrize("shift", [0, 1, 3])
def test_the_point_is_the_exact_one(shift):
    rng = np.random.default_rng(shift)
    for _ in range(20):
        Z = rng.integers(-4, 5, (12, 4)) + shift
        exact = exact_nearest([[Fraction(int(z)) for z in row] for row in Z])
        found = nearest(Z.astype(float))
        wanted = [float(p) for p in exact.point]
        np.testing.assert_allclose(found.point, wanted, rtol=0, atol=1e-12)


def test_conditions_of_the_nearest_point_hold_exactly():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(60):
        Z = [[Fraction(int(v)) for v in row] for row in rng.integers(-3, 5, (9, 3))]
        found = exact_nearest(Z)
        square = sum(p * p for p in found.point)
        assert sum(found.shares) == 1
        assert min(found.shares) > 0
        for j, p in enumerate(found.point):
            parts = zip(found.rows, found.shares, strict=True)
            assert p == sum(c * Z[i][j] for i, c in parts)
        for row in Z:
            assert sum(a * b for a, b in zip(row, found.point, strict=True)) >= square
        inside += square == 0
    assert 0 < inside < 60


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
