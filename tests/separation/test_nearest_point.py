"""The nearest point of a hull: a naive twin, fractions, and what characterises it."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.separation.nearest_point import nearest
from rosenblatt.separation.rational import exact_nearest
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
