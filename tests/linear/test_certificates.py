"""The nearest point of a hull: a naive twin, fractions, and what characterises it."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.linear.certificates import (
    exact_nearest,
    exact_shares,
    least_product,
    nearest,
    rows_below,
    zero_shares,
)
from tests import references


def test_the_point_is_that_of_the_naive_twin():
    rng = np.random.default_rng(0)
    for _ in range(5):
        Z = rng.standard_normal((15, 3)) + 0.8
        found = nearest(Z)
        slow = references.nearest_point(Z)
        # Frank and Wolfe's error is of order |z|^2 / steps
        np.testing.assert_allclose(found.point, slow, atol=5e-3)
        assert np.linalg.norm(found.point) <= np.linalg.norm(slow) + 1e-12


@pytest.mark.parametrize("shift", [0, 1, 3])
def test_the_point_is_the_exact_one(shift):
    rng = np.random.default_rng(shift)
    for _ in range(20):
        Z = rng.integers(-4, 5, (12, 4)) + shift
        exact = exact_nearest([[Fraction(int(z)) for z in row] for row in Z])
        found = nearest(Z.astype(float))
        wanted = [float(p) for p in exact.point]
        np.testing.assert_allclose(found.point, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("rows", "columns"), [(5000, 3), (3000, 30)])
def test_large_sets_have_certified_points(rows, columns):
    rng = np.random.default_rng(rows)
    Z = rng.standard_normal((rows, columns))
    Z[:, 0] = np.abs(Z[:, 0]) + 0.01
    found = nearest(Z)
    square = found.point @ found.point
    assert (Z @ found.point).min() >= (1 - 1e-8) * square
    assert (found.shares > 0).all()
    assert found.shares.sum() == pytest.approx(1)
    assert len(found.rows) <= columns + 1
    np.testing.assert_allclose(found.shares @ Z[found.rows], found.point, atol=1e-12)


def test_a_hull_around_the_origin_gives_zero():
    rng = np.random.default_rng(1)
    Z = rng.standard_normal((4000, 20))
    found = nearest(Z)
    assert not found.point.any()
    assert np.abs(found.shares @ Z[found.rows]).max() < 1e-14


def test_short_points_have_accurate_directions():
    """Rows 1e8 times as long as their distance from the origin."""
    rng = np.random.default_rng(2)
    Z = rng.standard_normal((200, 5))
    Z[:, 0] = 1e-8
    found = nearest(Z)
    assert found.point[0] == pytest.approx(1e-8)
    assert np.abs(found.point[1:]).max() < 1e-8 * 1e-7


def test_scale_does_not_matter():
    Z = np.random.default_rng(3).standard_normal((50, 4)) + 1
    for power in (-300, 300):
        scaled = nearest(np.ldexp(Z, power))
        np.testing.assert_array_equal(scaled.point, np.ldexp(nearest(Z).point, power))


def test_a_hint_changes_the_way_and_not_the_end():
    rng = np.random.default_rng(4)
    Z = rng.standard_normal((5000, 10)) + 0.5
    Z = Z[Z.sum(axis=1) > 1]
    a, b = nearest(Z), nearest(Z, hint=np.ones(10))
    np.testing.assert_allclose(a.point, b.point, rtol=1e-6)


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
