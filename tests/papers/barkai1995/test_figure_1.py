import numpy as np
import pytest

from rosenblatt.papers.barkai1995.section_2 import figure_1, figure_1_large


@pytest.fixture(scope="module")
def data():
    return figure_1(quick=True)


def test_the_figure_shows_simulation_theory_and_the_published_line(data):
    simulation, theory, line, *batch = data.series
    assert data.x_log
    assert data.y_log
    roles = ["simulation", "theory", "published", "theory", "theory"]
    assert [s.role for s in data.series] == roles
    assert simulation.x == theory.x
    assert simulation.x[-1] == 1e4
    assert np.all(np.less(simulation.low, simulation.y))
    assert np.all(np.less(simulation.y, simulation.high))
    # alpha times error of the limit curve at alpha = 1000, where it is 1.2715
    at = theory.x.index(1000.0)
    assert theory.x[at] * theory.y[at] == pytest.approx(1.2715, abs=5e-5)
    assert line.x[-1] * line.y[-1] == pytest.approx(1.27)
    for below, limit in zip(batch, (0.6247, 0.4417), strict=True):
        assert below.x[-1] * below.y[-1] == pytest.approx(limit, abs=1e-4)
        assert np.all(np.less(below.y, theory.y))


def test_the_band_holds_the_limit_curve_late(data):
    simulation, theory, *_ = data.series
    late = np.array(theory.x) > 1
    y = np.array(theory.y)[late]
    assert np.all(np.array(simulation.low)[late] < y)
    assert np.all(y < np.array(simulation.high)[late])


def test_the_large_figure_is_on_the_limit_curve():
    simulation, theory, line, *_ = figure_1_large(quick=True).series
    assert simulation.x[-1] == pytest.approx(1e9)
    curve = np.array(theory.y)[::4]  # which is drawn more finely
    # N = 1e4, 4 replicas: relative errors of (0.82/N/4)^(1/2), more before the fall
    np.testing.assert_allclose(simulation.y, curve, rtol=5 * 0.01)
    late = np.array(simulation.x) > 10
    np.testing.assert_allclose(
        np.array(simulation.y)[late], curve[late], rtol=5 * 0.0045
    )
    assert set(np.round(line.y, 12)) == {1.27}
