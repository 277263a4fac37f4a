"""Random tables of two levels with labels."""

import numpy as np

__all__ = ["examples"]


def examples(rows, columns, seed=0):
    """Return rows and labels."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, columns)) < rng.random(columns)
    return X, np.where(rng.random(rows) < 0.4, 1, -1)
