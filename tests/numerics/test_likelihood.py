from decimal import Decimal

import numpy as np
import pytest
from scipy.special import ndtr

from rosenblatt.numerics.evidence import evidence
from rosenblatt.numerics.likelihood import chance, pull

STEP = 1e-4


@pytest.mark.parametrize("noise", [0.0, 1e-3, 0.2])
def test_derivatives_are_those_of_the_logarithm(noise):
    u = np.linspace(-5, 5, 21)
    before, here, after = (chance(u + d, noise) for d in (-STEP, 0.0, STEP))
    np.testing.assert_allclose(
        here.log, np.log(noise + (1 - 2 * noise) * ndtr(u)), atol=1e-14
    )
    # central differences: to STEP^2, and rounding over STEP^2
    np.testing.assert_allclose(
        here.pull, (after.log - before.log) / (2 * STEP), atol=1e-7
    )
    np.testing.assert_allclose(
        here.left, 1 + (after.pull - before.pull) / (2 * STEP), atol=1e-7
    )
    np.testing.assert_array_equal(here.pull, pull(u, noise))


def mills(u, terms=60):
    """Return phi(u) / Phi(-u) for large u, by its continued fraction, exactly."""
    u = Decimal(u)
    value = u
    for k in range(terms, 0, -1):
        value = u + k / value
    return value


@pytest.mark.parametrize("u", [20, 49, 51, 1000, 10**6])
def test_very_unlikely_labels_without_noise(u):
    f = mills(u)
    found = chance(np.array(-float(u)), 0.0)
    left = 1 - f * (f - u)
    assert float(found.pull) == pytest.approx(float(f), rel=1e-12)
    assert float(found.left) == pytest.approx(float(left), rel=2e-7)


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.3])
def test_arrays_and_the_compiled_scalar_say_the_same(noise):
    for u in (-200.0, -40.0, -10.0, -1.0, 0.0, 2.0, 8.0):
        found, told = chance(np.array(u), noise), evidence(u, 1.0, 1.0, noise)
        assert told.log_probability == pytest.approx(float(found.log), rel=1e-10)
        assert told.slope == pytest.approx(float(found.pull), rel=1e-10)
        assert told.curvature == pytest.approx(1 - float(found.left), rel=1e-9)
