import numpy as np
import pytest

from rosenblatt.rules import FullBayes
from tests.rules.belief_examples import assert_naive


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_belief_is_that_of_the_naive_filter(noise):
    state, covariance = assert_naive(FullBayes(noise), diagonal=False)
    np.testing.assert_allclose(state.reshape(10, 10), covariance, rtol=1e-7, atol=1e-12)
