"""Predictions as tables of the kind that the examples came in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from rosenblatt.core.gaussian import FloatArray

__all__ = ["frame", "series"]


def series(labels: Sequence[Any], X: pd.DataFrame) -> pd.Series:
    """Return labels with the index of the rows."""
    return pd.Series(list(labels), index=X.index)


def frame(shares: FloatArray, classes: Sequence[Any], X: pd.DataFrame) -> pd.DataFrame:
    """Return a column for each class, with the index of the rows."""
    return pd.DataFrame(shares, index=X.index, columns=list(classes))
