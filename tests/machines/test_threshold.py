import numpy as np
import pytest
from scipy.stats import norm

from rosenblatt.machines import Threshold
from rosenblatt.streams import Normal, Sampled, Uniform
from tests.conformance.test_parts import disc

WEIGHTS = np.array([[-3.0], [0.2], [0.5], [4.0]])


def test_the_error_is_the_probability_between_the_thresholds():
    law = norm(1.0, 2.0)
    found = Threshold().error(WEIGHTS, np.array([0.5]), Normal(1, 1.0, 2.0))
    expected = abs(law.cdf(WEIGHTS[:, 0]) - law.cdf(0.5))
    assert found == pytest.approx(expected, rel=1e-12, abs=0)
    found = Threshold().error(WEIGHTS, np.array([0.5]), Uniform(1, -1.0, 3.0))
    assert found == pytest.approx([1.5 / 4, 0.3 / 4, 0.0, 2.5 / 4])


@pytest.mark.parametrize("away", [1e-3, 1e-9, 1e-15])
def test_tiny_errors_are_accurate(away):
    """The density at the target, and its slope, give the error to order away^2."""
    w0 = 0.75
    w = np.array([[w0 + away]])
    true = w[0, 0] - w0  # what is left of it after rounding
    found = Threshold().error(w, np.array([w0]), Normal(1))
    series = norm.pdf(w0) * true * (1 - w0 * true / 2 + (w0**2 - 1) * true**2 / 6)
    assert found == pytest.approx(series, rel=max(1e-13, away**3))


def test_the_error_is_not_known_for_other_streams():
    target = np.array([0.5])
    assert Threshold().error(WEIGHTS, target, Sampled(1, disc)) is None
