"""Data for the classifiers that count, and what they have learned of them."""

from functools import partial

import numpy as np
import pytest

from rosenblatt.estimators import BinaryPerceptron, ClippedHebb

SEED = 1993
least = partial(BinaryPerceptron, threshold="least error")
both = pytest.mark.parametrize("kind", [ClippedHebb, BinaryPerceptron, least])


def data(classes=2, rows=300, columns=9, seed=SEED):
    """Return inputs 0 and 1, and a class that some of them decide, mostly."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, columns))
    W = rng.integers(-1, 2, (columns, classes))
    return X, ((2 * X - 1) @ W + rng.normal(0, 0.1, (rows, classes))).argmax(axis=1)


def decided(rows=300):
    """Return inputs 0 and 1, and whether more of the first five than of the others."""
    X, _ = data(rows=rows)
    return X, ((2 * X - 1) @ np.repeat([1, -1], [5, 4]) > 0).astype(int)


def known(model):
    """Return everything that is learned."""
    found = [model.classes_, model.coef_, model.t_, model._counted.tally.high]
    found += [model.threshold_, model.intercept_, model._counted.tally.rows]
    if isinstance(model, BinaryPerceptron):
        found += [model.influences_, model.threshold_examples_, model.neglected_]
    return found


def same(a, b):
    for x, y in zip(known(a), known(b), strict=True):
        np.testing.assert_array_equal(x, y)
    return True
