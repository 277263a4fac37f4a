"""Matrices of features, dense and sparse, and moments of columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from rosenblatt.tables.batches import Bad, Rows, is_sparse
from rosenblatt.tables.encoding.codings import Entries

__all__ = ["Encoded", "dense", "moments", "sparse"]


class Encoded(NamedTuple):
    """An encoded batch: features, label codes, bad rows and missing values."""

    X: Any
    codes: npt.NDArray[np.int64]  # of the labels among the classes; -1: not known
    rows: npt.NDArray[np.intp] | None  # indices of the good rows; None: all
    bad: list[Bad]
    missing: dict[str, int]  # how many, by column
    other: dict[str, int]  # values that the first batch has not, by column
    weights: npt.NDArray[np.float64] | None = None  # how often each row counts
    new: tuple[str, ...] = ()  # labels that come after the classes

    def part(self, chosen: npt.NDArray[np.intp]) -> Encoded:
        """Return some of the good rows, with all counts of the batch."""
        weights = None if self.weights is None else self.weights[chosen]
        return self._replace(
            X=self.X[chosen], codes=self.codes[chosen], weights=weights
        )


def dense(
    numbers: npt.NDArray[Any], parts: Sequence[Entries], width: int, size: float
) -> npt.NDArray[Any]:
    """Return numbers and entries side by side, all multiplied by ``size``."""
    block = np.zeros((len(numbers), width), numbers.dtype)
    block[:, : numbers.shape[1]] = numbers
    for part in parts:
        block[part.rows, part.columns] = part.values
    if size != 1.0:
        block *= size
    return block


def sparse(
    numbers: npt.NDArray[Any], parts: Sequence[Entries], width: int, size: float
) -> csr_matrix:
    """Return the same as a sparse matrix; entries at one place add up."""
    rows, columns = np.nonzero(numbers)
    every = [*parts, Entries(rows, columns, numbers[rows, columns])]
    i, j, values = (np.concatenate([part[k] for part in every]) for k in range(3))
    shape = (len(numbers), width)
    matrix = csr_matrix(coo_matrix((values * size, (i, j)), shape=shape))
    matrix.sum_duplicates()
    return matrix


def moments(rows: Rows) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return mean and standard deviation of each column, without missing values."""
    numbers = rows.numbers
    if is_sparse(numbers):
        return np.empty(0), np.empty(0)
    wide = np.asarray(numbers, np.float64)
    there: Any = max(len(wide), 1)
    if not rows.finite:
        wide = np.where(np.isfinite(wide), wide, np.nan)
        there = np.maximum((~np.isnan(wide)).sum(axis=0), 1)
    total = np.sum if rows.finite else np.nansum  # the latter takes longer
    means = np.asarray(total(wide, axis=0) / there)
    with np.errstate(over="ignore"):  # scaled by infinity a column says nothing
        spread = np.sqrt(total((wide - means) ** 2, axis=0) / there)
    return means, np.where(spread > 0, spread, 1.0)
