"""Base of the classifiers for River."""

from __future__ import annotations

import copy
import itertools
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.locking import exclusive, shallow_copy
from rosenblatt.river.columns import Columns
from rosenblatt.river.labels import Labels
from rosenblatt.system.extras import missing

try:
    from river.base import MiniBatchClassifier
except ImportError as failure:
    raise missing("river", "rosenblatt.river") from failure

__all__ = ["StreamClassifier"]


class StreamClassifier(MiniBatchClassifier):
    """Base of classifiers with named features, which may appear and vanish.

    A leaf learns rows of numbers. A feature that appears is a column that was 0 before.
    Calls from several threads wait for each other; copies and pickles share nothing.
    """

    def __init__(self, classes: Sequence[Any] | None) -> None:
        self.classes = classes
        self._columns = Columns()
        self._labels = Labels.expected(classes)
        self._state: Any = None  # what has been learned, None if nothing

    @exclusive
    def __copy__(self) -> Self:
        """Return a model of its own: rows are learned in place."""
        other = shallow_copy(self)
        if self._state is not None:
            other._state = self._state.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of one moment, for pickles and deep copies."""
        return vars(copy.copy(self))

    @exclusive
    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn one example; if it raises an error, the model does not change."""
        columns, labels = self._columns.joined(x), self._labels.joined(y)
        row = columns.row(x)
        state = self._state
        if columns is not self._columns or state is None:
            state = self._grown(state, len(columns))
        if labels.models > self._labels.models:
            state = self._with_class(state, len(self._labels.classes))
        try:
            self._learn_row(state, row, labels.codes[y])
        except ValueError:
            columns.check(row)  # names the feature that is not finite
            raise
        self._columns, self._labels, self._state = columns, labels, state

    @exclusive
    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn the rows of a table one after the other, as ``learn_one`` does."""
        columns, labels = self._columns.joined(X.columns), self._labels
        rows = columns.rows(X)
        if len(rows) != len(y):
            raise ValueError(
                f"y must have {len(rows)} labels as X has rows, got {len(y)}"
            )
        codes, cuts = np.empty(len(rows), np.int64), []
        for row, label in enumerate(y):
            before, labels = labels, labels.joined(label)
            if labels.models > before.models:
                cuts.append(row)
            codes[row] = labels.codes[label][0]
        if len(rows):
            try:
                state = self._grown(self._state, len(columns))
                ends = [*cuts, len(rows)]
                state = self._learned(state, rows[: ends[0]], codes[: ends[0]])
                count = len(labels.classes) - len(cuts)
                for first, stop in itertools.pairwise(ends):
                    state = self._with_class(state, count)
                    state = self._learned(state, rows[first:stop], codes[first:stop])
                    count += 1
            except ValueError:
                columns.check(rows)
                raise
            self._columns, self._labels, self._state = columns, labels, state

    @abstractmethod
    def _grown(self, state: Any, columns: int) -> Any:
        """Return a state with more columns; for None, the state before any example."""

    @abstractmethod
    def _with_class(self, state: Any, classes: int) -> Any:
        """Return a state with one more class than these, which comes last."""

    @abstractmethod
    def _learn_row(self, state: Any, row: FloatArray, code: IntArray) -> None:
        """Learn one row in place; if that fails, change nothing."""

    @abstractmethod
    def _learned(self, state: Any, rows: FloatArray, codes: IntArray) -> Any:
        """Return the state after these rows; the one given does not change."""

    @property
    def _multiclass(self) -> bool:
        return self.classes is None or len(self.classes) > 2
