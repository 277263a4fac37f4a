import numpy as np
import pytest

from rosenblatt.papers.barkai1995.regular_rule import (
    figure_excess,
    figure_stability,
)
from rosenblatt.streams import Gaussian
from rosenblatt.theory.closed.noisy_perceptron import limit


def test_the_teacher_is_kept_and_lost_where_the_theory_says():
    critical, contour, kept, lost = figure_stability(quick=True).series
    assert critical.high == (0.5,) * len(critical.x)
    assert np.all(np.less(critical.y, contour.y))
    for x, y in zip(kept.x, kept.y, strict=True):
        assert limit(noise=y, stream=Gaussian(x, x)).overlap > 0.9
    for x, y in zip(lost.x, lost.y, strict=True):
        assert limit(noise=y, stream=Gaussian(x, x)).overlap < 1


def test_the_contour_is_where_the_cone_has_that_overlap():
    contour = figure_stability(quick=True).series[1]
    for x, y in zip(contour.x[5::20], contour.y[5::20], strict=True):
        assert limit(noise=y, stream=Gaussian(x, x)).overlap == pytest.approx(0.9)


def test_the_points_of_the_excess_lie_on_the_curves():
    *pairs, printed, corrected = figure_excess(quick=True).series
    first = pairs[0]
    for curve, points in (pairs[:2], pairs[2:]):
        exact = np.interp(points.x, curve.x, curve.y)
        error = np.subtract(points.high, points.y)
        assert np.all(np.abs(np.subtract(points.y, exact)) < 5 * error + 1e-4)
    # both lines start at 0, one of them along the curve
    assert corrected.y[1] == pytest.approx(first.y[1], rel=0.05)
    assert printed.y[1] < 0.7 * first.y[1]
