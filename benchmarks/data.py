"""Examples of a data set, in the order in which learners meet them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Data:
    """Examples in the order in which they are met, labels 0, 1, ..."""

    name: str
    X: np.ndarray
    y: np.ndarray

    @property
    def n_classes(self) -> int:
        """The classes are known beforehand, as ``partial_fit(classes=...)`` asks."""
        return int(self.y.max()) + 1

    def shuffled(self, seed: int = 1) -> Data:
        """Return the same rows in a random order."""
        order = np.random.default_rng(seed).permutation(len(self.y))
        return Data(f"{self.name}, shuffled", self.X[order], self.y[order])

    def first(self, rows: int) -> Data:
        """Return the first rows."""
        return Data(self.name, self.X[:rows], self.y[:rows])

    def standardised(self) -> Data:
        """Return each row standardised by all rows up to it, as River's scaler does."""
        Z = np.zeros_like(self.X)
        mean, squares = np.zeros((2, self.X.shape[1]))
        for i, row in enumerate(self.X):
            apart = row - mean
            mean += apart / (i + 1)
            squares += apart * (row - mean)
            deviation = np.sqrt(squares / (i + 1))
            np.divide(row - mean, deviation, out=Z[i], where=deviation > 0)
        return Data(self.name, Z, self.y)
