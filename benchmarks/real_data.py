"""Real data that comes with scikit-learn and River, as arrays in their own order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from river import datasets as river_datasets
from sklearn import datasets as sklearn_datasets

SHUTTLE_ROWS = 5000  # of 49 097: row-by-row peers take their time


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


def real_data() -> Iterator[Data]:
    """Yield the data sets; those sorted by class once more, shuffled."""
    for name in ("breast_cancer", "digits"):
        yield _sklearn(name)
    digits = _sklearn("digits")
    pair = (digits.y == 3) | (digits.y == 8)
    yield Data("digits, 3 or 8", digits.X[pair], (digits.y[pair] == 8).astype(int))
    yield Data("digits, 8 or not", digits.X, (digits.y == 8).astype(int))
    diabetes = sklearn_datasets.load_diabetes()
    above = diabetes.target > np.median(diabetes.target)
    yield Data("diabetes, above median", diabetes.data, above.astype(int))
    for name in ("iris", "wine"):  # sorted by class
        yield _sklearn(name)
        yield _sklearn(name).shuffled()
    yield _river("Phishing")
    yield _river("Bananas")
    yield _river("ImageSegments")
    yield _river("Shuttle", rows=SHUTTLE_ROWS)
    yield _river("SolarFlare", target="c-class-flares")
    yield _river("Yeast", target="Class1")


def _sklearn(name: str) -> Data:
    X, y = getattr(sklearn_datasets, f"load_{name}")(return_X_y=True)
    return Data(name, _varying(X), y)


def _river(name: str, target: str | None = None, rows: int | None = None) -> Data:
    """Return a set of River: words become indicators, counts become 'any'."""
    pairs = list(getattr(river_datasets, name)())[:rows]
    table = pd.get_dummies(pd.DataFrame([x for x, _ in pairs])).to_numpy(float)
    labels = [y if target is None else bool(y[target]) for _, y in pairs]
    return Data(name, _varying(table), pd.factorize(np.array(labels), sort=True)[0])


def _varying(X: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(X[:, np.ptp(X, axis=0) > 0], float)
