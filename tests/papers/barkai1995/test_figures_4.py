import math

import numpy as np
import pytest

from rosenblatt.papers.barkai1995.plane import (
    figure_equilibrium,
    figure_noise,
    figure_schedules,
)


def test_histograms_lie_around_the_laws():
    data = figure_equilibrium(quick=True)
    constant, falling, triangle, law = data.series
    assert [s.role for s in data.series] == ["simulation"] * 2 + ["theory"] * 2
    assert [s.shape for s in (constant, falling)] == ["steps"] * 2
    width = constant.x[1] - constant.x[0]
    for found, theory in ((constant, triangle), (falling, law)):
        expected = np.interp(found.x, theory.x, theory.y)
        # 3000 students in bins of 0.1; where few are expected, 5 at most
        allowed = 5 * np.sqrt(expected / (3000 * width)) + 5 / (3000 * width)
        assert np.all(np.abs(np.array(found.y) - expected) < allowed)
    assert sum(constant.y) * width == pytest.approx(1.0)
    assert np.trapezoid(triangle.y, triangle.x) == pytest.approx(1.0, abs=1e-6)


def test_errors_fall_along_the_predicted_lines():
    data = figure_schedules(quick=True)
    *points, lines = data.series
    assert data.x_log
    assert data.y_log
    assert len(points) == 4
    parts = np.array(lines.y).reshape(4, -1)
    assert np.all(np.isnan(parts[:, -1]))
    for series, line in zip(points, parts, strict=True):
        assert line[-2] == pytest.approx(series.y[-1])
        late = slice(-3, None)
        off = np.abs(np.log(np.array(series.y)[late] / line[:-1][late]))
        # bars are one standard error; the last point has one too
        error = (np.array(series.high) - np.array(series.y)) / np.array(series.y)
        assert np.all(off < 5 * math.sqrt(2) * error[late].max() + 0.02)


def test_with_noise_the_law_is_gaussian_and_without_it_is_not():
    clean, noisy, triangle, gauss = figure_noise(quick=True).series
    width = clean.x[1] - clean.x[0]
    for found, law, size in ((clean, triangle, 3000), (noisy, gauss, 4000)):
        expected = np.interp(found.x, law.x, law.y)
        allowed = 5 * np.sqrt(expected / (size * width)) + 5 / (size * width)
        # at the rate of quick runs, 0.01, the noisy law is wider by a few percent
        assert np.all(np.abs(np.array(found.y) - expected) < allowed + 0.05 * expected)
