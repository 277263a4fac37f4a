import numpy as np
import pytest

from rosenblatt.papers.barkai1995.shifted_rule import figure_2


@pytest.fixture(scope="module")
def data():
    return figure_2(quick=True)


def test_the_figure_shows_three_rules_the_theory_and_what_is_published(data):
    roles = [s.role for s in data.series]
    assert roles == ["simulation"] * 3 + ["theory"] + ["published"] * 3
    assert data.series[-1].y == (0.32,)
    for series in data.series[:3]:
        assert np.all(np.less_equal(series.low, series.y))
        assert np.all(np.less_equal(series.y, series.high))


def test_the_bands_hold_the_curves(data):
    curves = np.array(data.series[3].y).reshape(3, -1)[:, :-1]
    assert np.isfinite(curves).all()
    for series, curve in zip(data.series[:3], curves, strict=True):
        inside = (np.array(series.low) <= curve) & (curve <= series.high)
        assert inside[1:].all()


def test_the_curves_end_where_they_should(data):
    """Values at alpha = 400 that were found with another program."""
    curves = np.array(data.series[3].y).reshape(3, -1)[:, :-1]
    assert curves[:, -1] == pytest.approx([0.3153, 0.2146, 0.2233], abs=5e-5)
    at_100 = data.series[0].x.index(100.0)
    assert curves[0, at_100] == pytest.approx(0.3220, abs=5e-5)
