import math

import numpy as np
import pytest
from scipy.special import ndtr

from rosenblatt.theory import calibration

CASES = [
    {"overlap": 0.8, "norm": 0.9, "noise": 0.1, "assumed": 0.02},
    {"overlap": 0.95, "norm": 0.6, "noise": 0.0, "assumed": 0.2},
    {"overlap": 0.5, "norm": 0.9, "noise": 0.3, "assumed": 0.0},
]


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


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="norm must be at most 1"):
        calibration(0.6, overlap=0.5, norm=1.2)
    with pytest.raises(ValueError, match="overlap must be"):
        calibration(0.6, overlap=1.5, norm=0.5)
