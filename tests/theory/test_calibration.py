import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

from rosenblatt.theory import calibration, expected_errors

CASES = [
    {"overlap": 0.8, "norm": 0.9, "noise": 0.1, "assumed": 0.02},
    {"overlap": 0.95, "norm": 0.6, "noise": 0.0, "assumed": 0.2},
    {"overlap": 0.5, "norm": 0.9, "noise": 0.3, "assumed": 0.0},
]


def density(z):
    return math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def laws(overlap, norm, noise, assumed):
    """Predicted and true probability of the label +1, given the student's field."""

    def said(h):
        return assumed + (1 - 2 * assumed) * ndtr(h / math.sqrt(1 - norm**2))

    def true(h):  # the teacher's field has mean overlap * h / norm
        mean, spread = overlap * h / norm, math.sqrt(1 - overlap**2)
        return noise + (1 - 2 * noise) * ndtr(mean / spread)

    return said, true


@pytest.mark.parametrize("case", CASES)
def test_the_fraction_right_is_that_of_the_fields(case):
    said, true = laws(**case)
    fields = np.linspace(0, 1.5, 9)
    np.testing.assert_allclose(
        calibration(said(fields), **case), true(fields), rtol=1e-9
    )


@pytest.mark.parametrize("case", CASES)
def test_expected_errors_are_averages_over_fields(case):
    said, true = laws(**case)
    norm = case["norm"]

    def average(function):
        return (
            2 * quad(lambda z: density(z) * function(norm * z), 0, 12, epsabs=1e-12)[0]
        )

    def loss(law):
        def value(h):
            return -sum(
                law(s * h) * math.log(max(said(s * h), 1e-300)) for s in (-1, 1)
            )

        return value

    found = expected_errors(**case)
    assert found.expected_error == pytest.approx(average(lambda h: 1 - said(h)))
    assert found.error == pytest.approx(average(lambda h: 1 - true(h)))
    assert found.expected_log_loss == pytest.approx(average(loss(said)), rel=1e-6)
    if case["assumed"] > 0:
        assert found.log_loss == pytest.approx(average(loss(true)), rel=1e-6)
    assert found.log_loss > found.expected_log_loss or case["norm"] < case["overlap"]


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="norm must be at most 1"):
        expected_errors(overlap=0.5, norm=1.2)
    with pytest.raises(ValueError, match="overlap must be"):
        calibration(0.6, overlap=1.5, norm=0.5)
