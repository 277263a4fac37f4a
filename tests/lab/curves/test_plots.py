import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.curves.plots import CurvePlots
from rosenblatt.lab.jobs.experiment import experiment
from rosenblatt.lab.jobs.messages import Run
from rosenblatt.lab.state import State


@pytest.fixture
def plots():
    found = CurvePlots()
    found.clear(0.1, 10.0)
    return found


def test_a_run_is_a_median_with_a_band(plots):
    result = rb.simulate(
        *experiment(State())[:4], dim=10, alpha=[0, 1, 10], replicas=8, progress=False
    )
    plots.show_run(Run(result, 1.0, complete=True))
    shown = plots.errors["linear"].run.data
    np.testing.assert_array_equal(shown["median"], np.median(result.error, axis=0))
    assert len(plots.errors["logarithmic"].run.data["alpha"]) <= 2  # without zero
    assert plots.histogram.title.text == "8 replicas at \u03b1 = 10"


@pytest.mark.parametrize("error", [0.0, 0.1])
def test_errors_that_are_all_alike_are_one_bar_around_them(plots, error):
    result = rb.simulate(
        *experiment(State())[:4], dim=10, alpha=[1, 10], replicas=8, progress=False
    )
    result.error[:] = error
    plots.show_run(Run(result, 1.0, complete=True))
    (bars,) = (drawn.data_source.data for drawn in plots.histogram.renderers)
    assert list(bars["top"]) == [8]
    assert bars["left"][0] + bars["right"][0] == pytest.approx(2 * error)
    assert bars["right"][0] - bars["left"][0] <= 0.1
