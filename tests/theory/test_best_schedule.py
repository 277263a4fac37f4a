import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.rules import Normalised, Perceptron


@pytest.mark.slow
def test_the_known_optimum_of_the_perceptron_comes_out():
    """Late the best rate is 2 sqrt(2 pi) / alpha; corrections fall as 1 / alpha."""
    rule = Normalised(Perceptron())
    best = rb.theory.best_schedule(rule, alpha=1000, knots=10, rate=0.05)
    ratio = best.alpha * best.rate / (2 * math.sqrt(2 * math.pi))
    late = best.alpha > 100
    assert late.sum() >= 3
    np.testing.assert_allclose(ratio[late], 1.0, atol=0.05)
    curve = rb.solve(rule, best.schedule(), alpha=1000)
    np.testing.assert_allclose(curve.error[0, 0], best.error, rtol=1e-4)
    assert best.error < best.constant_error


def test_bad_input_names_the_argument():
    with pytest.raises(ValueError, match="alpha must be a number above 0"):
        rb.theory.best_schedule(Normalised(Perceptron()), alpha=-1)
