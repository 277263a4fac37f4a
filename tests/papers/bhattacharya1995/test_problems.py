import numpy as np
import pytest
import xarray as xr

from rosenblatt.papers.bhattacharya1995 import problems
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


def test_there_are_as_many_checkpoints_and_cells_as_in_the_paper():
    assert len(problems.CHECKPOINTS) == 19
    cases = [*problems.LINEAR.values(), *problems.NONLINEAR.values()]
    assert sum(len(problem.table) for problem in cases) == 32


def test_disparity_is_zero_at_the_best_weights_whatever_their_length():
    for problem in (problems.LINEAR[15], problems.NONLINEAR[10, 15]):
        best = problem.stream.bayes_weights
        assert problems.disparity(problem, 3 * best) == pytest.approx(0, abs=1e-15)
    off = np.array([0.02, 0.005, 1.0])
    assert problems.disparity(problems.LINEAR[5], off) == pytest.approx(0.005)


def test_the_first_updates_have_the_gain_1():
    """With the paper's start the first step is +-X or nothing, for all four gains."""
    problem = problems.LINEAR[15]
    run = problems._run(problem, 1, 3, 0)
    for replica in range(3):
        X, y = problem.stream.draw(1, seed=0, replica=replica)
        wrong = y[0] * (X[0] @ problem.start) <= 0
        expected = problem.start + wrong * y[0] * X[0]
        for gain in problems.GAINS:
            found = run.weights.sel(replica=replica, schedule=gain).values[0]
            np.testing.assert_allclose(found, expected, rtol=1e-12)
