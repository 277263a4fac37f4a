import numpy as np
import pytest

from rosenblatt.papers.bhattacharya1995 import conclusions, limits, problems
from rosenblatt.papers.bhattacharya1995.linear import best_without_constant
from rosenblatt.streams import TwoClasses


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


def test_the_best_line_through_the_origin_is_better_than_others():
    least = best_without_constant(15)
    angles = np.linspace(0, 2 * np.pi, 1001)
    weights = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(1001)])
    errors = problems.LINEAR[15].stream.error(weights)
    assert errors.min() == pytest.approx(least, rel=1e-3)
    assert (errors >= least - 1e-12).all()


def test_the_criterion_is_the_mean_stability_of_mistakes():
    stream = TwoClasses([(0, 1), (1, -1)], (1.0, 2.0), prior=0.3, constant=-2.0)
    w = np.array([1.0, -0.5, 0.2])
    X, y = stream.draw(400_000)
    samples = np.maximum(0, -y * (X @ w))
    expected = samples.mean()
    spread = samples.std() / np.sqrt(len(samples))
    assert abs(limits.criterion(stream, w) - expected) < 5 * spread


def test_the_direction_of_the_least_criterion_has_none_below_it_nearby():
    best = limits.least_criterion(limits.SCALED)
    least = limits.criterion(limits.SCALED, best)
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = best + 0.01 * rng.standard_normal(3)
        other /= np.linalg.norm(other)
        assert limits.criterion(limits.SCALED, other) >= least


def test_conclusions_are_events_of_single_runs():
    a = np.array([[4.0, 3, 1, 2], [1, 3, 2, 4], [2, 1, 1, 3]])
    assert conclusions.worst(a).tolist() == [1, 0, 0]
    assert conclusions.best(a).tolist() == [1, 0, 1]
    assert conclusions.adaptive(a).tolist() == [1, 0, 1]
    assert conclusions.groups(a).tolist() == [0, 1, 0]
    assert conclusions.slower(a).tolist() == [1, 0, 1]
