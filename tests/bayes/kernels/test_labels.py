"""Log-odds of two classes, against SciPy."""

import numpy as np
import pytest
from scipy.special import log_ndtr

from rosenblatt.bayes.kernels.labels import log_odds
from rosenblatt.numerics.evidence import ACCURACY


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("u", [0.0, 1e-9, 0.3, -2.0, 7.9, -15.9, 16.1, -30.0])
def test_log_odds_are_those_of_the_law(u, noise):
    logs = np.array([log_ndtr(u), log_ndtr(-u)])
    if noise:
        logs = np.log(noise + (1 - 2 * noise) * np.exp(logs))
    found = log_odds(2.0 * u, 4.0, noise)
    assert found == pytest.approx(logs[0] - logs[1], rel=1e-9, abs=10 * ACCURACY)


def test_a_step_of_which_nothing_is_known_has_even_odds():
    assert log_odds(0.0, 0.0, 0.0) == 0.0
