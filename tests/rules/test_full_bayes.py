import numpy as np
import pytest

from rosenblatt.rules import FullBayes
from tests import references
from tests.rules.belief_examples import examples, learned


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_belief_is_that_of_the_naive_filter(noise):
    S, y = examples(10, 80, noise)
    state, mean, variance = learned(FullBayes(noise), S, y)
    m, C = references.gaussian_filter(S / np.sqrt(10), y, noise, diagonal=False)
    np.testing.assert_allclose(mean, m, rtol=1e-8)
    np.testing.assert_allclose(variance, np.diag(C), rtol=1e-8)
    np.testing.assert_allclose(state.reshape(10, 10), C, rtol=1e-7, atol=1e-12)
