import math

import numpy as np
import pytest
from scipy import stats

from rosenblatt.core import starts
from rosenblatt.core.types import FloatArray


def clean(b: FloatArray) -> FloatArray:
    return (b > 0).astype(float)


def setting(dim, center=(0.0, 0.0)):
    return starts.Setting(dim, center, clean)


def draw(start, where, count=2000):
    rng = np.random.default_rng(0)
    return np.array([start.draw(where, rng) for _ in range(count)])


def test_averages_of_a_sign_teacher_without_a_mean():
    where = setting(10)
    products, labels = where.averages
    np.testing.assert_allclose(products, [np.sqrt(2 / np.pi), 0.0], rtol=1e-9)
    assert labels == pytest.approx(0.0, abs=1e-12)
    assert where.balanced
    assert where.axes == 1


def test_a_mean_across_the_teacher_has_an_axis_of_its_own():
    where = setting(10, (1.0, 0.5))
    assert where.axes == 2
    assert not where.balanced


@pytest.mark.parametrize("center", [(0.0, 0.0), (1.0, 2.0)])
@pytest.mark.parametrize("dim", [2, 3, 50])
def test_random_students_are_uniform_on_the_sphere(dim, center):
    found = draw(starts.Random(norm=2.0), setting(dim, center))
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 2.0)
    # One coordinate of a uniform direction: its square has a beta distribution.
    law = stats.beta(0.5, (dim - 1) / 2).cdf
    assert stats.kstest((found[:, 0] / 2) ** 2, law).pvalue > 1e-4
    if center[1] > 0:
        assert stats.kstest((found[:, 1] / 2) ** 2, law).pvalue > 1e-4
    else:
        assert not found[:, 1].any()


def test_overlap_start_has_the_overlaps_asked_for():
    along, across = -1.95, math.sqrt(16 - 1.95**2)
    w = starts.Overlap(0.9, mean=-1.5).draw(
        setting(50, (along, across)), np.random.default_rng(0)
    )
    assert w[0] == 0.9
    assert along * w[0] + across * w[1] == pytest.approx(-1.5)
    assert np.linalg.norm(w) == pytest.approx(1)


def test_overlap_start_leaves_the_rest_to_chance():
    found = draw(starts.Overlap(0.6), setting(10, (0.0, 1.0)))
    assert np.all(found[:, 0] == 0.6)
    law = stats.beta(0.5, 8 / 2).cdf  # uniform in the 9 other dimensions
    assert stats.kstest((found[:, 1] / 0.8) ** 2, law).pvalue > 1e-4


def test_impossible_overlaps_are_refused():
    with pytest.raises(ValueError, match=r"no student has teacher overlap 0\.9"):
        starts.Overlap(0.9, mean=5.0).draw(
            setting(50, (1.0, 1.0)), np.random.default_rng(0)
        )
    with pytest.raises(ValueError, match="teacher must be a number from -1 to 1"):
        starts.Overlap(1.1)
    with pytest.raises(ValueError, match="needs dim >= 3, got 2"):
        starts.Overlap(0.5, mean=0.5).draw(
            setting(2, (0.0, 1.0)), np.random.default_rng(0)
        )
    with pytest.raises(ValueError, match="needs dim >= 2"):
        starts.Overlap(0.5).draw(setting(1), np.random.default_rng(0))


@pytest.mark.parametrize(
    "start", [starts.Random(), starts.Overlap(0.3), starts.Hebbian(2.0)]
)
def test_large_dimensions_approach_the_limit(start):
    center = (0.5, 1.0)
    limit = start.draw(setting(math.inf, center), np.random.default_rng(0))
    found = draw(start, setting(100_000, center), 20).mean(axis=0)
    np.testing.assert_allclose(found, limit, atol=5 / math.sqrt(20 * 100_000) + 1e-4)


@pytest.mark.parametrize("bad", [None, 1.0, [1.0, 2.0], {}, np.ones(2)])
def test_a_vector_must_be_a_tuple_which_is_hashable(bad):
    with pytest.raises(TypeError, match="weights must be a tuple of numbers, got"):
        starts.Vector(bad)


@pytest.mark.parametrize("bad", [0.0, 1e-141, 1e141])
@pytest.mark.parametrize(
    "start",
    [starts.Random, starts.Hebbian, lambda norm: starts.Overlap(0.5, norm=norm)],
)
def test_a_length_whose_square_is_not_exact_is_refused(start, bad):
    with pytest.raises(ValueError, match="norm must be a number from 1e-140 to 1e"):
        start(norm=bad)


def test_weights_whose_squares_are_not_exact_are_refused():
    with pytest.raises(ValueError, match=r"length of weights over sqrt\(N\) must be"):
        starts.Vector((0.0, 1e-145))
    with pytest.raises(ValueError, match=r"weights\[1\] must be a number from -1e"):
        starts.Vector((0.0, 1e200))
    assert starts.Vector((0.0, 0.0)).weights == (0.0, 0.0)
