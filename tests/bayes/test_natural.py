"""Natural parameters: inverses, and beliefs that come back as they were."""

import numpy as np
import pytest

from rosenblatt.bayes.natural import (
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
