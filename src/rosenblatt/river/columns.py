"""Conversion of features by name to rows of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rosenblatt.core.types import FloatArray

__all__ = ["Columns"]


class Columns:
    """The columns of the features; an absent feature is 0.

    Examples
    --------
    >>> columns = Columns(["age", "height"])
    >>> columns.row({"height": 2.0, "unknown": 5.0})
    array([[0., 2.]])
    >>> columns.joined({"weight": 1.0}).names
    ('age', 'height', 'weight')
    """

    def __init__(self, names: Iterable[Any] = ()) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._places = {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def joined(self, names: Iterable[Any]) -> Columns:
        """Return columns for these names too."""
        if tuple(names) == self.names or self._places.keys() >= set(names):
            return self
        return Columns([*self.names, *names])

    def row(self, x: Mapping[Any, Any]) -> FloatArray:
        """Return an example as a row; names without a column are left out."""
        try:
            values = np.fromiter(x.values(), np.float64, len(x))
        except (TypeError, ValueError):
            raise _explained(x) from None
        if tuple(x) == self.names:  # the usual case
            return values.reshape(1, -1)
        row = np.zeros((1, len(self) + 1))  # the last for unknown names
        row[0, [self._places.get(name, -1) for name in x]] = values
        return np.ascontiguousarray(row[:, :-1])

    def check(self, rows: FloatArray) -> None:
        """Raise an error that names a feature that is not finite."""
        for row, place in np.argwhere(~np.isfinite(rows)).tolist():
            value = float(rows[row, place])
            where = f" in row {row}" if len(rows) > 1 else ""
            raise ValueError(
                f"feature {self.names[place]!r} must be finite, got {value}{where}"
            )

    def rows(self, X: Any) -> FloatArray:
        """Return a table with named columns as rows; unknown columns are left out."""
        names = list(X.columns)
        try:
            given = np.asarray(X.to_numpy(), dtype=np.float64)
        except (TypeError, ValueError):
            each = (dict(zip(names, row, strict=True)) for row in X.to_numpy().tolist())
            raise _explained(next(filter(_has_words, each))) from None
        rows = np.zeros((len(given), len(self)))
        known = [i for i, name in enumerate(names) if name in self._places]
        rows[:, [self._places[names[i]] for i in known]] = given[:, known]
        return rows


def _has_words(x: Mapping[Any, Any]) -> bool:
    """Return True if a value is not a number."""
    return any(_word(value) for value in x.values())


def _word(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return True
    return False


def _explained(x: Mapping[Any, Any]) -> ValueError:
    """Return an error that names the feature that is not a number."""
    for name, value in x.items():
        if _word(value):
            return ValueError(
                f"feature {name!r} must be a number, got {value!r}; turn words into "
                "numbers before, as river.preprocessing.OneHotEncoder does"
            )
    return ValueError(f"features must be numbers, got {dict(x)!r}")
