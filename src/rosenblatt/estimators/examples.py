"""Examples as they are given to a classifier that counts: checks, and batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_X_y,
    column_or_1d,
    validate_data,
)

from rosenblatt.core.bits import Bits
from rosenblatt.engines.dataset import repeats
from rosenblatt.estimators.memory import Examples

__all__ = ["Batches", "checked", "each"]

Batches = Iterable[tuple[Any, ...]] | Callable[[], Iterable[tuple[Any, ...]]]


def checked(
    model: Any, X: Any, y: Any, sample_weight: Any, *, sparse: bool = True
) -> Examples:
    """Return examples that are there, finite, and as many as labels."""
    if isinstance(X, Bits):
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        table: Any = X
        target = column_or_1d(y, warn=True)
        check_consistent_length(table, target)
        if not all(table.shape):
            raise ValueError(f"X must have a row and a column or more, got {X!r}")
    else:
        table, target = check_X_y(X, y, accept_sparse="csr" if sparse else False, estimator=model)
    check_classification_targets(target)
    if sample_weight is None:
        return Examples(table, target, None)
    given = _check_sample_weight(sample_weight, table, dtype=np.float64)
    weights = repeats(given)
    used = np.flatnonzero(weights)
    if not used.size:  # newer versions of scikit-learn say so
        raise ValueError("sample_weight must not be 0 everywhere")
    return Examples(table[used], target[used], weights[used])


def _rows(X: Any) -> int | None:
    """Return the number of rows; None of what has none and is refused elsewhere."""
    shape = (len(X),) if isinstance(X, list | tuple) else getattr(X, "shape", ())
    return shape[0] if shape else None


def each(model: Any, batches: Batches) -> Iterator[tuple[Any, Examples]]:
    """Return the examples of each batch, as given and checked.

    All must have the same columns, with the same names if they have any: those that
    the model knows, or those of the first batch, which a new model then knows. Batches
    without a row are passed over, whatever their columns.
    """
    columns = getattr(model, "n_features_in_", None)
    for i, batch in enumerate(batches() if callable(batches) else batches):
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "batches must be pairs of examples and classes, or triples with "
                f"weights, got {type(batch).__name__} as batch {i}"
            )
        X, y, weights = (*batch, None)[:3]
        if _rows(X) == 0:
            check_consistent_length(X, y, weights)
            continue
        examples = checked(model, X, y, weights)
        known, columns = columns, columns or examples.table.shape[1]
        if examples.table.shape[1] != columns:
            raise ValueError(
                f"batches must have {columns} columns, "
                f"got {examples.table.shape[1]} in batch {i}"
            )
        validate_data(model, X, reset=known is None, skip_check_array=True)
        yield X, examples
