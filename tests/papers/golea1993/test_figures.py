import numpy as np
import pytest

from rosenblatt.papers.golea1993 import (
    figure_2a,
    figure_2b,
    figure_3,
    figure_error,
    figure_malicious,
)
from rosenblatt.theory.closed import clipped_hebb


def parted(series):
    """The curves of a series, which what is not a number parts."""
    x, y = np.array(series.x), np.array(series.y)
    ends = np.flatnonzero(np.isnan(x))
    return [(x[a:b], y[a:b]) for a, b in zip([0, *(ends + 1)], ends, strict=False)]


@pytest.mark.parametrize("figure", [figure_2a, figure_2b])
def test_points_are_around_the_exact_curves(figure):
    *points, exact, limit = figure(quick=True).series
    assert [s.name for s in points] == ["n = 50", "n = 100", "n = 500"]
    assert exact.role == "theory"
    assert limit.role == "published"
    # the first of the exact curves is n = 50
    curve = parted(exact)[0]
    spread = (np.array(points[0].high) - np.array(points[0].low)) / 2
    gap = np.array(points[0].y) - np.interp(points[0].x, *curve)
    # 50 samples; the last points hardly spread, and a line between points bends
    assert np.all(np.abs(gap) < 5 * spread / 50**0.5 + 0.01)


def test_overlaps_are_near_their_limit_and_bars_shrink():
    *points, _, limit = figure_2b(quick=True).series
    widths = []
    for series in points:
        near = np.interp(series.x, limit.x, limit.y)
        spread = (np.array(series.high) - np.array(series.low)) / 2
        assert np.all(np.abs(np.array(series.y) - near) < 5 * spread / 50**0.5 + 0.01)
        widths.append(spread[1])
    assert widths[0] > widths[1] > widths[2]
    # n = 100 at alpha = 1, with a standard deviation that is uncertain by a tenth
    expected = clipped_hebb.overlap(100, 100).variance ** 0.5
    first = (points[1].high[0] - points[1].low[0]) / 2
    assert points[1].x[0] == 1
    assert first == pytest.approx(expected, rel=0.5)


def test_noise_orders_the_curves():
    *points, exact, limit = figure_3(quick=True).series
    assert len(points) == 5
    assert [s.low is None for s in points] == [True] * 4 + [False]
    last = [s.y[-1] for s in points]
    assert last == sorted(last, reverse=True)
    assert len(parted(exact)) == len(parted(limit)) == 5
    for series, (x, y) in zip(points, parted(exact), strict=True):
        # standard deviations are below 0.04, of 50 samples
        assert abs(series.y[-1] - np.interp(series.x[-1], x, y)) < 5 * 0.04 / 50**0.5


def test_errors_fall_faster_at_finite_n_and_stay_below_the_bound():
    small, large, limit, asymptote, bayes, bound = figure_error(quick=True).series
    assert small.y[-1] < large.y[-1] < limit.y[-1] < bound.y[-1] < bayes.y[-1]
    assert np.all(np.less(limit.y, bound.y))
    assert limit.y[-1] == pytest.approx(asymptote.y[-1], rel=0.03)


def test_the_malicious_law_parts_the_rules():
    hebb, influence, line = figure_malicious(quick=True).series
    assert influence.y[-1] == 0
    assert hebb.y[-1] == pytest.approx(line.y[-1], rel=1e-9)
    assert line.y[0] > 0.05
