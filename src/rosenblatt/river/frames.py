"""Predictions and weights with the names of features and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from rosenblatt.core.types import FloatArray

__all__ = ["frame", "named", "series"]


def series(labels: Sequence[Any], X: pd.DataFrame) -> pd.Series:
    """Return labels with the index of the rows."""
    return pd.Series(list(labels), index=X.index)


def frame(
    probabilities: FloatArray, classes: Sequence[Any], X: pd.DataFrame
) -> pd.DataFrame:
    """Return a column for each class, with the index of the rows."""
    return pd.DataFrame(probabilities, index=X.index, columns=list(classes))


def named(names: Sequence[Any], weights: FloatArray) -> dict[Any, Any]:
    """Return the weight of each feature; of several models an array, one for each.

    Examples
    --------
    >>> import numpy as np
    >>> named(["a", "b"], np.array([[1.0, 2.0]]))
    {'a': 1.0, 'b': 2.0}
    """
    columns = weights.T[: len(names)]
    return {
        name: column.copy() if column.size > 1 else float(column[0])
        for name, column in zip(names, columns, strict=True)
    }
