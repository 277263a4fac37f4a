import numpy as np
import pytest

from rosenblatt.papers.bhattacharya1995 import problems


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
