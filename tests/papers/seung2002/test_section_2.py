import numpy as np
import pytest

from rosenblatt.papers.seung2002.gradient import (
    CURVATURES,
    best,
    conjugate,
    excess,
    factor,
    least_cost,
)
from rosenblatt.papers.seung2002.problems import quadratic


def test_the_excess_cost_falls_along_each_axis_of_the_hessian():
    problem, rate = quadratic(CURVATURES), 0.3
    _, minimum = least_cost(problem)
    values, axes = np.linalg.eigh(problem.X.T @ problem.X / len(problem.X))
    parts = values * (axes.T @ minimum) ** 2 / 2  # of the start, zero
    wanted = [parts @ (1 - rate * values) ** (2 * step) for step in range(4)]
    np.testing.assert_allclose(excess(CURVATURES, rate, 3), wanted, rtol=1e-9)


def test_the_best_rate_shrinks_the_ends_of_the_spectrum_alike():
    curvatures, rate = best(10.0)
    assert curvatures.max() / curvatures.min() == pytest.approx(10)
    assert 1 - rate * curvatures.min() == pytest.approx(rate * curvatures.max() - 1)
    assert (1 - rate * curvatures.min()) ** 2 == pytest.approx(factor(10.0))


def test_conjugate_gradients_end_after_as_many_steps_as_weights():
    found = conjugate(CURVATURES, 3)
    assert found[0] == 1
    assert found[2] > 1e-6
    assert found[3] < 1e-12
