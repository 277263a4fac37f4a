import numpy as np
import pytest

from rosenblatt.papers.seung2002 import comparison, digits
from rosenblatt.papers.seung2002.images import bundled


@pytest.mark.parametrize("constant", [True, False])
def test_readings_are_those_of_a_plain_loop(constant):
    """Standardised pixels, first rate 1, one pass."""
    given = bundled()
    mean, spread = given.train.mean(axis=0), given.train.std(axis=0)
    used = spread > 0
    size = spread[used] * np.sqrt(used.sum())
    X, test = ((x - mean)[:, used] / size for x in (given.train, given.test))
    assert np.mean((X**2).sum(axis=1)) == pytest.approx(1)
    if constant:
        X, test = (np.column_stack([x, np.ones(len(x))]) for x in (X, test))
    w = np.zeros((10, X.shape[1]))
    order = np.random.default_rng([comparison.SEED, 0]).permutation(len(X))
    for seen, row in enumerate(order, start=1):
        f = 1 / (1 + np.exp(-w @ X[row]))
        slope = (np.arange(10) == given.train_labels[row]) - f
        w += (slope * f * (1 - f) / (1 + seen / len(X)))[:, None] * X[row]
    wanted = np.mean((test @ w.T).argmax(axis=1) == given.test_labels)
    found = digits.accuracies(digits._standardised(given), 1.0, constant, 1, 1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1 / 450)  # one tie
