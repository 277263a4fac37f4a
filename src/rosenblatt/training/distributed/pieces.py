"""Pieces of the examples, each learned by one process."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from rosenblatt.bits import Bits
from rosenblatt.training.record import Record

__all__ = ["FAULTS", "Batch", "DataPiece", "Piece", "rows_of"]

Batch = tuple[Any, Any, Any]  # rows, labels, weights or None
FAULTS = (ValueError, TypeError, ArithmeticError)  # what bad rows raise


def rows_of(X: Any) -> int:
    """Return the number of rows of a table of any kind."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


class Piece(ABC):
    """Some of the examples, which only the process that learns them reads."""

    number: int

    def __str__(self) -> str:
        return f"piece {self.number}"

    @abstractmethod
    def labels(self) -> npt.NDArray[Any]:
        """Return the labels that occur, sorted."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """Yield the rows in their order, in batches that are not empty."""

    @abstractmethod
    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record | None:
        """Let a model learn these rows; return a record if there is one."""

    @property
    def waits_for(self) -> tuple[Any, ...]:
        """Values that Dask must compute before the piece can be used."""
        return ()

    def filled(self, values: tuple[Any, ...]) -> Self:
        """Return the piece with the values that it has waited for."""
        return self


@dataclass(frozen=True)
class DataPiece(Piece):
    """Rows in memory, or rows that a function without arguments returns.

    Parameters
    ----------
    number
        Its place among all pieces.
    source
        A pair of rows and labels, a triple with weights, or a function that returns
        such a pair, triple, or an iterator over some.
    only_labels
        A function that returns the labels alone, if that is cheaper.
    waiting
        Value that Dask must compute first. It becomes the source, or the argument of
        the function that is the source.
    """

    number: int
    source: Any
    only_labels: Callable[[], Any] | None = None
    waiting: tuple[Any, ...] = ()

    @property
    def waits_for(self) -> tuple[Any, ...]:
        """Values that Dask must compute before the piece can be used."""
        return self.waiting

    def filled(self, values: tuple[Any, ...]) -> Self:
        """Return the piece with the values that it has waited for."""
        if not values:
            return self
        source = values[0] if len(values) == 1 else values
        if self.source is not None:
            source = functools.partial(self.source, source)
        return replace(self, source=source, waiting=())

    def labels(self) -> npt.NDArray[Any]:
        """Return the labels of rows with a positive weight, sorted."""
        if self.only_labels is not None:
            return np.unique(np.asarray(self.only_labels()))
        found = [np.empty(0)]
        for _, y, weights in self.batches():
            labels = np.asarray(y)
            found.append(
                labels if weights is None else labels[np.asarray(weights) != 0]
            )
        return np.unique(np.concatenate(found[1:] or found))

    def batches(self) -> Iterator[Batch]:
        """Yield the rows in their order, in batches that are not empty."""
        given = self.source() if callable(self.source) else self.source
        several = [given] if isinstance(given, tuple | list) else given
        for batch in several:
            if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
                raise TypeError(
                    f"piece {self.number} must be a pair of rows and labels, or a "
                    f"triple with weights, got {type(batch).__name__}"
                )
            X, y, weights = (*batch, None)[:3]
            if rows_of(X) != rows_of(y):
                raise ValueError(
                    f"piece {self.number} must have as many labels as rows, "
                    f"got {rows_of(y)} and {rows_of(X)}"
                )
            if rows_of(X):
                yield X, y, weights

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> None:
        """Let a model learn these rows."""
        first = 0
        for X, y, weights in self.batches():
            new = {} if hasattr(model, "classes_") else {"classes": classes}
            try:
                model.partial_fit(X, y, sample_weight=weights, **new)
            except FAULTS as failure:
                row = _bad_row(X, y, classes)
                where = "" if row is None else f", row {first + row}"
                raise ValueError(f"piece {self.number}{where}: {failure}") from failure
            first += rows_of(X)


def _bad_row(X: Any, y: Any, classes: npt.NDArray[Any]) -> int | None:
    """Return the first row that no model can learn, if one is found."""
    bad = ~np.isin(np.asarray(y), classes)
    if issparse(X):
        table: Any = X
        entries = table.tocoo()
        bad[entries.row[~np.isfinite(entries.data)]] = True
    elif not isinstance(X, Bits):
        try:
            bad |= ~np.isfinite(np.asarray(X, dtype=np.float64)).all(axis=1)
        except FAULTS:  # not numbers at all, which the failure says
            return None
    return int(bad.argmax()) if bad.any() else None
