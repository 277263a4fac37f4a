import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from rosenblatt.core import gaussian
from rosenblatt.core.gaussian import PlaneMean, disagreement, error, moments
from rosenblatt.teachers import Sign


def law(noise):
    return lambda b: np.where(b > 0, 1 - noise, noise)


def orthants(angle, along, across):
    """P(the two signs differ), from SciPy's bivariate normal distribution."""
    mean = [along, along * np.cos(angle) + across * np.sin(angle)]
    cov = [[1, np.cos(angle)], [np.cos(angle), 1]]
    both = multivariate_normal(mean, cov)
    first = both.cdf([0, np.inf], lower_limit=[-np.inf, 0])
    return first + both.cdf([np.inf, 0], lower_limit=[0, -np.inf])


@pytest.mark.parametrize("angle", [0.01, 0.7, 1.6, 3.0])
@pytest.mark.parametrize("mean", [(0.0, 0.0), (0.5, -1.0), (-1.95, 3.5), (8.0, 6.0)])
def test_disagreement_equals_bivariate_normal_orthants(angle, mean):
    ours = disagreement(np.array(angle), PlaneMean(*map(np.array, mean)))
    assert ours == pytest.approx(orthants(angle, *mean), abs=1e-8)  # SciPy's accuracy


def test_disagreement_is_proportional_to_tiny_angles():
    mean = PlaneMean(np.array(1.0), np.array(2.0))
    small, smaller = (float(disagreement(np.array(a), mean)) for a in (1e-7, 1e-9))
    assert small / smaller == pytest.approx(100, rel=1e-6)


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 1.0, 2.0])
@pytest.mark.parametrize("mean", [(0.0, 0.0), (0.5, -1.0), (-1.95, 3.5)])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_quadrature_for_any_teacher_equals_the_closed_form_of_sign(angle, mean, noise):
    plane = PlaneMean(*map(np.array, mean))
    generic = error(law(noise), (0.0,), np.array(angle), plane)
    closed = Sign(noise).error(law(noise), np.array(angle), plane)
    assert float(generic) == pytest.approx(float(closed), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("spread", [1e-6, 0.3, 1.0, 40.0])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_moments_for_any_teacher_equal_the_closed_form_of_sign(spread, noise):
    mean = np.array([-2.0, -1e-6, 0.0, 0.7])
    generic = moments(law(noise), (0.0,), mean, np.full(4, spread))
    closed = Sign(noise).moments(law(noise), mean, np.full(4, spread))
    np.testing.assert_allclose(generic, closed, atol=1e-13)


@pytest.mark.parametrize("slope", [1.0, 5.0])
@pytest.mark.parametrize("spread", [1e-3, 0.2, 0.49, 1.0])
def test_moments_of_a_probit_teacher_are_exact(slope, spread):
    mean = np.linspace(-9, 9, 31)
    steep = slope / np.sqrt(1 + (slope * spread) ** 2)
    exact = ndtr(steep * mean), spread * steep * gaussian.normal_density(steep * mean)
    found = moments(lambda b: ndtr(slope * b), (0.0,), mean, np.full(31, spread))
    np.testing.assert_allclose(found, exact, atol=1e-11)


def test_intervals_are_accurate_however_short_and_far_out():
    """Against the next terms of a series where they are short, else tail integrals."""
    low = np.array([0.0, 1.0, -3.0, 8.0, -8.0])
    for length in (1e-200, 1e-9, 1e-4):
        # density at the middle, and the first correction length^2 (m^2 - 1) / 24
        m = low + length / 2
        expected = length * gaussian.normal_density(m)
        expected = expected * (1 + length**2 * (m**2 - 1) / 24)
        found = gaussian.interval(low, np.full(5, length))
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    for length in (0.3, 0.499, 0.501, 2.0, 30.0):
        high = low + length
        a, b = np.where(low + high > 0, (low, high), (-high, -low))
        expected = ndtr(-a) - ndtr(-b)
        found = gaussian.interval(low, np.full(5, length))
        np.testing.assert_allclose(found, expected, rtol=1e-11)
