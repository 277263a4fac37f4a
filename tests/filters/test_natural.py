"""Natural parameters: inverses, and beliefs that come back as they were."""

import numpy as np
import pytest

from rosenblatt.filters.natural import (
    change_of_few,
    inverse,
    likelihood,
    log_mass,
    posterior,
)


def beliefs(kind, rng):
    mean = rng.standard_normal((2, 4))
    if kind == 1:
        return mean, np.array([0.3, 0.2])
    if kind == 2:
        return mean, rng.uniform(0.1, 0.5, (2, 4))
    A = rng.standard_normal((2, 4, 9))
    return mean, np.linalg.inv(A @ A.transpose(0, 2, 1) + 2 * np.eye(4))


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_a_belief_comes_back_from_its_likelihood(kind):
    mean, belief = beliefs(kind, np.random.default_rng(kind))
    found = likelihood(mean, belief, 0.5, np.zeros(3), np.ones(3))
    for one, other in zip(posterior(found, 0.5), (mean, belief), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert log_mass(found, 0.5).shape == (2,)


def test_the_inverse_is_symmetric_and_refuses_what_is_not_positive():
    A = np.random.default_rng(0).standard_normal((5, 9))
    found = inverse(A @ A.T)
    np.testing.assert_allclose(found @ A @ A.T, np.eye(5), atol=1e-12)
    assert np.array_equal(found, found.T)
    with pytest.raises(np.linalg.LinAlgError):
        inverse(-np.eye(2))


def test_a_likelihood_that_tells_less_than_nothing_is_cut_to_nothing():
    mean, belief = np.ones((1, 2)), np.array([[[3.0, 0.0], [0.0, 0.1]]])
    found = likelihood(mean, belief, 0.5, np.zeros(2), np.array([1.0, 1.0]))
    assert found.precision[0, 0, 0] < 0  # a variance above that of the prior
    far = found._replace(precision=10 * found.precision)
    np.testing.assert_allclose(posterior(far, 0.5)[1][0, 0, 0], 0.5)


@pytest.mark.parametrize("curvature", [0.02, -0.02])
def test_a_change_after_few_examples_is_that_of_the_whole_matrix(curvature):
    rng = np.random.default_rng(0)
    prior, size, examples = 0.5, 30, 4
    V, mean = prior * np.eye(size), np.zeros(size)
    for i in range(examples):
        step = V @ rng.standard_normal(size)
        V = V - (curvature if i == 2 else 0.01) * np.outer(step, step)
        mean = mean + 0.1 * step
    shifts, ratios = rng.standard_normal((2, size - 1))
    ratios = np.abs(ratios) + 0.1
    ratios[3] = 0.0
    found = likelihood(mean[None], V[None], prior, shifts, ratios)
    wanted = posterior(found, prior)
    few = change_of_few(mean, V, prior, (shifts, ratios), examples)
    for one, (other,) in zip(few, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11)
    other = V - 0.1 * np.diag(rng.uniform(0.0, 1.0, size))  # of full rank
    assert change_of_few(mean, other, prior, (shifts, ratios), examples) is None
