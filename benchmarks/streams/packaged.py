"""Streams inside River's own package, in the order of its files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from river import datasets

from benchmarks.data import Data


def packaged() -> dict[str, Callable[[], Data]]:
    """Return loaders of the streams by name."""
    sets = {
        "Phishing": datasets.Phishing,
        "Bananas": datasets.Bananas,
        "ImageSegments": datasets.ImageSegments,
        "SP500": datasets.SP500Stocks,  # up or down on the next day
    }
    return {name: partial(_river, name, kind) for name, kind in sets.items()}


def _river(name: str, kind: type[datasets.base.Dataset]) -> Data:
    """Return columns and codes of the labels; numbers to predict are above 0 or not."""
    examples = kind()
    rows, labels = zip(*examples, strict=True)
    target = np.array(labels)
    if examples.task == datasets.base.REG:
        target = target > 0
    X = pd.DataFrame(rows).to_numpy(float)
    X = np.ascontiguousarray(X[:, np.ptp(X, axis=0) > 0])
    return Data(name, X, pd.factorize(target, sort=True)[0])
