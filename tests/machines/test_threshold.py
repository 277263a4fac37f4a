import numpy as np
import pytest
from scipy.stats import norm

from rosenblatt.machines import Threshold
from rosenblatt.streams import Normal, Uniform

WEIGHTS = np.array([[-3.0], [0.2], [0.5], [4.0]])


def test_the_error_is_the_probability_between_the_thresholds():
    law = norm(1.0, 2.0)
    found = Threshold().error(WEIGHTS, np.array([0.5]), Normal(1, 1.0, 2.0))
    expected = abs(law.cdf(WEIGHTS[:, 0]) - law.cdf(0.5))
    assert found == pytest.approx(expected, rel=1e-12, abs=0)
    found = Threshold().error(WEIGHTS, np.array([0.5]), Uniform(1, -1.0, 3.0))
    assert found == pytest.approx([1.5 / 4, 0.3 / 4, 0.0, 2.5 / 4])
