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


@pytest.mark.parametrize("bad", [0.0, 1e-141, 1e141])
@pytest.mark.parametrize(
    "start",
    [starts.Random, starts.Hebbian, lambda norm: starts.Overlap(0.5, norm=norm)],
)
def test_a_length_whose_square_is_not_exact_is_refused(start, bad):
    with pytest.raises(ValueError, match="norm must be a number from 1e-140 to 1e"):
        start(norm=bad)
