import numpy as np
import pytest

from rosenblatt.rules import DiagonalBayes
from tests import references
from tests.rules.belief_examples import examples, learned


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_belief_is_that_of_the_naive_filter(noise):
    S, y = examples(10, 80, noise)
    _, mean, variance = learned(DiagonalBayes(noise), S, y)
    m, C = references.gaussian_filter(S / np.sqrt(10), y, noise, diagonal=True)
    np.testing.assert_allclose(mean, m, rtol=1e-8)
    np.testing.assert_allclose(variance, np.diag(C), rtol=1e-8)
