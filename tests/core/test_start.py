import math

import numpy as np
import pytest
from scipy import stats

from rosenblatt.core import starts


def clean(b):
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


@pytest.mark.parametrize("center", [(0.5, 1.0), (0.5, 0.0)])
@pytest.mark.parametrize("dim", [2, 3, 5])
def test_hebbian_start_is_the_normalised_sum_of_examples(dim, center):
    """Against the sums themselves, written out, and what they were earlier."""
    start, early = starts.Hebbian(3.0), (0, 1, 4)
    rng, where = np.random.default_rng(0), setting(dim, center)
    ours = [start.state(where, rng, early) for _ in range(2000)]
    path = np.array([[*state.early, state.student] for state in ours])
    rng = np.random.default_rng(1)
    mean = np.array([*center, 0, 0, 0])[:dim]
    s = mean + rng.standard_normal((2000, 3 * dim, dim))
    y = np.sign(s[:, :, :1])
    sums = (y * s).cumsum(axis=1)
    lengths = np.linalg.norm(sums, axis=2)
    for k, examples in enumerate([*early, 3 * dim]):
        if examples == 0:
            assert not path[:, k].any()
            continue
        w = sums[:, examples - 1] / lengths[:, examples - 1 : examples]
        for j in range(where.axes):
            assert stats.ks_2samp(path[:, k, j], w[:, j]).pvalue > 1e-4
        rest = np.linalg.norm(w[:, where.axes :], axis=1)
        np.testing.assert_allclose(np.linalg.norm(path[:, k], axis=1), 1)
        assert stats.ks_2samp(path[:, k, 2].round(9), rest.round(9)).pvalue > 1e-4
    # Successive times belong together.
    turns = (path[:, 2:, 0] - path[:, 1:-1, 0]).ravel()
    first = (sums[:, :, 0] / lengths)[:, [0, 3, 3 * dim - 1]]
    assert stats.ks_2samp(turns, np.diff(first).ravel()).pvalue > 1e-4
    # The averages that it leaves to the learner.
    scale = np.array([state.average for state in ours])
    assert stats.ks_2samp(scale, lengths[:, -1] / (3 * dim)).pvalue > 1e-4
    labels = np.array([state.labels for state in ours])
    assert stats.ks_2samp(labels, y.sum(axis=1)[:, 0]).pvalue > 1e-4


def test_a_hebbian_student_does_not_depend_on_what_it_was_asked():
    where, start = setting(50, (0.5, 1.0)), starts.Hebbian(2.0)
    one = start.state(where, np.random.default_rng(0), (1, 20))
    other = start.state(where, np.random.default_rng(0), ())
    assert (one.student == other.student).all()
    assert (one.labels, one.average) == (other.labels, other.average)
