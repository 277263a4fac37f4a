import numpy as np
import pytest
import xarray as xr

from rosenblatt.papers.bhattacharya1995.problems import LINEAR
from rosenblatt.papers.bhattacharya1995.tables import figure_parts, inside, shares


def runs(first, last):
    """Return test errors of runs, the same for all four gains, at two times."""
    errors = np.stack([np.tile(first, (4, 1)).T, np.tile(last, (4, 1)).T], axis=2)
    dims = ("replica", "schedule", "example")
    return xr.Dataset({"test_error": (dims, errors)}, {"example": [10, 20]})


def test_shares_are_percent_at_the_end_or_at_a_time():
    result = runs(np.array([0.1, 0.2]), np.array([0.3, 0.4]))
    np.testing.assert_allclose(shares(result)[:, 0], [30, 40])
    np.testing.assert_allclose(shares(result, 10)[:, 3], [10, 20])


def test_published_values_are_inside_between_5_and_95_percent():
    problem = LINEAR[25]._replace(table=(4.0, 6.0, 94.0, 96.0))
    found = np.linspace(0, 1, 101)
    assert inside(problem, runs(found, found)) == [False, True, True, False]


def test_histograms_have_all_runs():
    *histograms, _ = figure_parts(quick=True).series
    assert [sum(one.y) for one in histograms] == pytest.approx([1.0] * 4)
