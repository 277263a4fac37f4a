"""The loop of layers and mixture equals a plain twin."""

import numpy as np
import pytest

from rosenblatt.bayes import mixture as mixing
from tests.bayes.odds import exaggerated_odds, once
from tests.bayes_reference import Mixture


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_equals_the_plain_twin(classes):
    odds, codes = exaggerated_odds(classes)
    plain = Mixture(3, classes)
    wanted = plain.progressive(odds, codes)
    mixture = mixing.start_mixture(3, odds.shape[2])
    found = mixing.learn(mixture, odds, codes, once(codes))
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    np.testing.assert_allclose(mixture.weights.ravel(), plain.weights, rtol=1e-10)
    for e, layers in enumerate(plain.layers):
        slopes = [layer.slope for layer in layers]
        np.testing.assert_allclose(mixture.slopes[e], slopes, rtol=1e-9)
        offsets = layers[1].offsets
        np.testing.assert_allclose(mixture.offsets[e], offsets, rtol=1e-9, atol=1e-12)
    right = wanted[np.arange(len(codes)), codes]
    np.testing.assert_allclose(mixture.log_evidence, np.log(right).sum())
    assert mixture.mistakes == (wanted.argmax(axis=1) != codes).sum()
    again = mixing.predict(mixture, odds[:, :5])
    alone = [plain.predict(odds[:, i]) for i in range(5)]
    np.testing.assert_allclose(again, alone, rtol=1e-10)
