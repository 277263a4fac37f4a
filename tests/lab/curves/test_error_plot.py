import numpy as np
import pytest

from rosenblatt.lab.curves.error_plot import ErrorPlot
from rosenblatt.lab.jobs.messages import Curve


@pytest.fixture(params=["linear", "logarithmic"])
def errors(request):
    found = ErrorPlot(log=request.param == "logarithmic")
    found.clear(0.1, 10.0)
    return found


def test_a_curve_of_theory_is_named_in_the_legend(errors):
    alpha = np.array([0.0, 1.0, 10.0])
    name = "theory, N to infinity"
    errors.show_line(Curve("theory", name, alpha, np.array([0.5, 0.3, 0.1])))
    assert errors.names["theory"].visible
    assert errors.names["theory"].label.value == name
    errors.clear(0.1, 10.0)
    assert not errors.names["theory"].visible


def test_a_kept_curve_stays_beside_the_next_run_until_it_is_dropped(errors):
    runs = np.array([[0.4, 0.1], [0.3, 0.2], [0.2, 0.3]])
    errors.show_run(np.array([1.0, 10.0]), runs)
    errors.keep("kept: dim=10")
    errors.clear(0.1, 10.0)
    np.testing.assert_array_equal(errors.lines["kept"].data["error"], [0.3, 0.2])
    assert errors.names["kept"].visible
    errors.keep("")
    assert len(errors.lines["kept"].data["error"]) == 0
    assert not errors.names["kept"].visible
