"""Data that come with scikit-learn, River and statsmodels, in their own order."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pandas as pd
from river import datasets as river_datasets
from river.datasets import synth
from sklearn import datasets as sklearn_datasets
from statsmodels.datasets import anes96, fair, randhie

from benchmarks.data import Data

MOST_ROWS = 5000  # of Shuttle and randhie, of which there are 49 097 and 20 190
CHANGING_ROWS = 3000


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
    yield _river("Shuttle", rows=MOST_ROWS)
    yield _river("SolarFlare", target="c-class-flares")
    yield _river("Yeast", target="Class1")
    yield _table("anes96", anes96, "vote")
    yield _table("fair", fair, "affairs").shuffled()  # sorted by class
    yield _table("randhie", randhie, "mdvis", rows=MOST_ROWS)


def changing_data() -> Iterator[Data]:
    """Yield streams of River's generators; in all but the first the law changes."""
    before, after = (
        synth.Agrawal(seed=i, classification_function=law)
        for i, law in enumerate((0, 4))
    )
    ball = {"n_features": 10, "n_classes": 2, "seed_model": 1, "seed_sample": 1}
    streams = {
        "Agrawal": synth.Agrawal(seed=1, classification_function=2),
        "Agrawal, sudden": synth.ConceptDriftStream(
            before, after, position=CHANGING_ROWS // 2, width=50, seed=1
        ),
        "Hyperplane": synth.Hyperplane(seed=1, n_features=10, mag_change=0.01),
        "RandomRBFDrift": synth.RandomRBFDrift(
            change_speed=0.87, n_centroids=10, n_drift_centroids=5, **ball
        ),
    }
    for name, stream in streams.items():
        inputs, labels = zip(*stream.take(CHANGING_ROWS), strict=True)
        yield Data(name, pd.DataFrame(inputs).to_numpy(float), np.array(labels, int))


def _sklearn(name: str) -> Data:
    X, y = getattr(sklearn_datasets, f"load_{name}")(return_X_y=True)
    return Data(name, _varying(X), y)


def _river(name: str, target: str | None = None, rows: int | None = None) -> Data:
    """Return a set of River: words become indicators, counts become 'any'."""
    pairs = list(getattr(river_datasets, name)())[:rows]
    table = pd.get_dummies(pd.DataFrame([x for x, _ in pairs])).to_numpy(float)
    labels = [y if target is None else bool(y[target]) for _, y in pairs]
    return Data(name, _varying(table), pd.factorize(np.array(labels), sort=True)[0])


def _table(name: str, module: ModuleType, target: str, rows: int | None = None) -> Data:
    """Return a set of statsmodels: counts become 'any'."""
    table = module.load_pandas().data[:rows]
    labels = (table.pop(target) > 0).to_numpy(int)
    return Data(name, _varying(table.to_numpy(float)), labels)


def _varying(X: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(X[:, np.ptp(X, axis=0) > 0], float)
