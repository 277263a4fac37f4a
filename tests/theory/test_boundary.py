import math

import numpy as np
import pytest
from scipy.stats import norm

import rosenblatt as rb
from rosenblatt.machines import Ball, Parity, Threshold
from rosenblatt.streams import Normal, Uniform
from rosenblatt.theory import boundary

GIVEN = {"samples": 300_000, "seed": 1995}


ACCURACY = 0.05  # relative, that this sample gives or the method is no good


def assert_known(found, matrix):
    """5 errors of each entry."""
    matrix = np.asarray(matrix)
    moves = found.matrix_error > 0  # entries in normalised directions are zero
    assert np.all(abs(found.matrix - matrix) <= 5 * found.matrix_error + 1e-14)
    assert found.matrix_error[moves].max() < ACCURACY * matrix.max()


def assert_smallest(found, value):
    assert found.smallest_error < ACCURACY * value
    assert found.smallest == pytest.approx(value, abs=5 * found.smallest_error)
    assert found.threshold == pytest.approx(1 / value, abs=5 * found.threshold_error)


@pytest.mark.parametrize("w0", [0.0, -1.5])
def test_a_threshold_sees_the_density_of_its_inputs(w0):
    found = boundary(Threshold(), [w0], **GIVEN)
    assert_known(found, [[norm.pdf(w0)]])
    assert_smallest(found, norm.pdf(w0))
    found = boundary(Threshold(), [w0 / 2], Uniform(1, -1.0, 3.0), **GIVEN)
    assert_smallest(found, 0.25)


@pytest.mark.parametrize("radius", [0.5, 1.0, 2.0])
def test_a_disc_around_the_origin_moves_alike_in_all_directions(radius):
    value = radius**2 * math.exp(-(radius**2) / 2)
    found = boundary(Ball(2, radius), [0.0, 0.0], **GIVEN)
    assert_known(found, value * np.eye(2))
    assert_smallest(found, value)


def test_normalised_parity_moves_in_the_tangent_space_only():
    rng = np.random.default_rng(1995)
    target = rng.standard_normal((2, 4))
    found = boundary(Parity(2, 4), target.ravel(), **GIVEN)
    target /= np.linalg.norm(target, axis=1, keepdims=True)
    matrix = np.zeros((8, 8))
    for k, unit in enumerate(target):
        block = slice(4 * k, 4 * k + 4)
        matrix[block, block] = (np.eye(4) - np.outer(unit, unit)) / math.pi
    assert_known(found, matrix)
    assert_smallest(found, 1 / math.pi)
    assert found.eigenvalues.size == 6


def test_the_smallest_eigenvalue_is_the_exponent_below_the_threshold():
    """A rate eta0 / n with eta0 lambda = 1/2 gives errors that fall as n^-1/2.

    From n to 16 n the displacement falls by a factor of 4, apart from the offset of
    100. The tolerance is 5 errors, of the two means and of the exponent.
    """
    found = boundary(Ball(), [0.0, 0.0], **GIVEN)
    run = rb.simulate_machine(
        Ball(),
        rb.schedules.Power(0.5 * found.threshold, 1.0, 100.0),
        [0.0, 0.0],
        examples=[10_000, 160_000],
        replicas=400,
        start=[0.3, 0.0],
        seed=1995,
    )
    first, last = run.weights.values[:, :, 0].T
    ratio = first.mean() / last.mean()
    parts = [x.std() / math.sqrt(len(x)) / x.mean() for x in (first, last)]
    exact = math.sqrt(160_100 / 10_100)
    parts.append(math.log(exact) * found.smallest_error / found.smallest)
    assert ratio == pytest.approx(exact, rel=5 * math.hypot(*parts))
    assert math.hypot(*parts) < 0.03


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"target must be 2 numbers, got shape \(1,\)"):
        boundary(Ball(), [0.0])
    with pytest.raises(ValueError, match="samples must be a whole number not below"):
        boundary(Ball(), [0.0, 0.0], samples=10)
    with pytest.raises(ValueError, match="has no direction in which to move"):
        boundary(Parity(2, 1), [1.0, 1.0])
    with pytest.raises(TypeError, match="stream must be a VectorStream"):
        boundary(Ball(), [0.0, 0.0], rb.streams.Gaussian())
    with pytest.raises(ValueError, match="stream must have 2 components"):
        boundary(Ball(), [0.0, 0.0], Normal(3))
    with pytest.raises(ValueError, match="target must be finite numbers, got"):
        boundary(Ball(), [0.0, math.nan])
    with pytest.raises(ValueError, match="target must not be zero in a whole group"):
        boundary(Parity(2, 2), [0.0, 0.0, 1.0, 1.0])
