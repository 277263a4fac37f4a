import numpy as np
import pytest

from rosenblatt.compiling.vectors import dot, normalise, normalised, scale


def test_loops_over_components():
    a, b = np.arange(7.0), np.arange(7.0)[::-1].copy()
    assert dot(a, b) == pytest.approx(a @ b)
    out = np.empty(7)
    scale(a, 0.5, out)
    assert out.tolist() == (0.5 * a).tolist()


@pytest.mark.parametrize("groups", [0, 1, 3])
def test_both_ways_to_normalise_are_the_same(groups):
    w = np.random.default_rng(0).standard_normal((4, 6))
    rows = normalised(w, groups)
    for row, given in zip(rows, w.copy(), strict=True):
        normalise(given, groups)
        assert given == pytest.approx(row, rel=1e-15)
    if groups:
        lengths = np.linalg.norm(rows.reshape(4, groups, -1), axis=2)
        assert lengths == pytest.approx(np.ones((4, groups)))
    else:
        assert np.array_equal(rows, w)


def test_what_has_no_direction_cannot_be_normalised():
    with pytest.raises(ValueError, match=r"start must not be zero in a whole group"):
        normalised(np.array([[1.0, 1.0], [0.0, 1.0]]), 2, "start")
