"""Checks of examples that are given to a classifier, at once or in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn.utils.validation import (
    check_consistent_length,
    check_X_y,
    column_or_1d,
    validate_data,
)

from rosenblatt.bits import Bits
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.inputs.labels import (
    check_labels,
    known_classes,
    label_codes,
    two_or_more,
)
from rosenblatt.estimators.inputs.new_classes import Stage, stages
from rosenblatt.estimators.inputs.rows import check_rows, check_unmasked, whole_weights
from rosenblatt.linear.learning import MOST_PRESENTATIONS

__all__ = [
    "FLOATS",
    "Batches",
    "CodedExamples",
    "Examples",
    "check_columns",
    "checked_batches",
    "checked_examples",
    "in_format",
    "learning_stages",
    "may_appear",
    "rows_and_labels",
    "set_columns",
    "set_open",
    "single_row_code",
    "stream_examples",
]

# The numbers that kernels take as they are.
FLOATS = [np.dtype(np.float64), np.dtype(np.float32)]
_NAMELESS = (np.ndarray, csr_array, csr_matrix)  # tables whose columns have no names
_LABELS = (np.ndarray, list)  # of a single row
Batches = Iterable[tuple[Any, ...]] | Callable[[], Iterable[tuple[Any, ...]]]


class Examples(NamedTuple):
    """Checked examples: table, labels and weights."""

    table: Any  # packed bits, an array, or a sparse matrix
    target: npt.NDArray[Any]
    weights: IntArray | None


class CodedExamples(NamedTuple):
    """Rows, class codes and weights, in the form that kernels of rules take."""

    data: Any
    codes: IntArray
    weights: FloatArray | None  # None: each once


def single_row_code(
    model: Any, X: Any, y: Any, classes: Any, sample_weight: Any
) -> IntArray | None:
    """Return the class code of a single row that needs no further checks, else None.

    Streams of single rows are learned with no more Python than needed. Other rows
    take the usual path, which raises the error if anything is wrong. The
    model keeps the codes of its labels in ``_codes``.
    """
    own = vars(model)
    codes = own.get("_codes")
    if (
        not codes
        or classes is not None
        or sample_weight is not None
        or type(X) is not np.ndarray
        or X.shape != (1, own["n_features_in_"])
        or X.dtype not in FLOATS
        or not ((flags := X.flags).c_contiguous and flags.aligned)
        or type(y) not in _LABELS
        or len(y) != 1
        or model.class_weight is not None
        or "feature_names_in_" in own
    ):
        return None
    try:
        code: IntArray | None = codes.get(y[0])
    except TypeError:  # a label that cannot be hashed
        return None
    return code


def rows_and_labels(model: Any, X: Any, y: Any) -> tuple[Any, npt.NDArray[Any]]:
    """Return rows as floats, an array or a CSR matrix, and their labels.

    Nothing is copied that is floats already, of any precision, nor looked at: the
    engines find what is not finite. Arrays of which nothing can be wrong go past the
    checks of scikit-learn, which take as long as to learn some thousand short rows.
    """
    ready = _is_ready(X)
    if not (ready and type(X) is np.ndarray):
        check_rows(X)
    if (
        ready
        and type(y) is np.ndarray
        and y.shape == X.shape[:1]
        and y.dtype.kind in "biu"
        and y.flags.c_contiguous
    ):
        return X, y
    if isinstance(X, Bits):
        raise TypeError(
            f"X must be numbers for {type(model).__name__}, got {X!r}; "
            "take rb.bits.unpack(X)"
        )
    check_unmasked("y", y)
    table, target = check_X_y(
        X,
        y,
        dtype=FLOATS,
        order="C",
        accept_sparse="csr",
        ensure_all_finite=False,
        estimator=model,
    )
    check_labels(target)
    return table, target


def _is_ready(X: Any) -> bool:
    """Return whether kernels take these rows without a conversion."""
    if type(X) is np.ndarray:
        return (
            X.ndim == 2
            and X.dtype in FLOATS
            and X.flags.c_contiguous
            and X.flags.aligned
            and X.size > 0
        )
    return (
        type(X) in (csr_array, csr_matrix)
        and X.ndim == 2
        and X.dtype in FLOATS
        and min(X.shape) > 0
    )


def in_format(data: Any, *, sparse: bool) -> Any:
    """Return rows as an array, or as a CSR matrix if ``sparse``."""
    if sparse == issparse(data):
        return data
    return csr_matrix(data) if sparse else data.toarray()


def check_columns(model: Any, X: Any) -> None:
    """Raise scikit-learn's error unless rows have the columns that a model knows."""
    plain = type(X) in _NAMELESS and "feature_names_in_" not in vars(model)
    if not (plain and X.shape[1:] == (model.n_features_in_,)):
        validate_data(model, X, reset=False, skip_check_array=True)


def set_columns(model: Any, X: Any) -> None:
    """Set the number of columns of a model, and their names if there are any."""
    if type(X) in _NAMELESS:
        model.n_features_in_ = X.shape[1]
        vars(model).pop("feature_names_in_", None)
    else:
        validate_data(model, X, skip_check_array=True)


def may_appear(model: Any, classes: Any) -> bool:
    """Return True if partial_fit with these classes lets new labels be classes."""
    return classes is None and (
        "_open" in vars(model) or not hasattr(model, "classes_")
    )


def set_open(model: Any, later: bool) -> None:
    """Let a new model accept classes that appear later, or not.

    The attribute is there only if it does: files of other models lack it.
    """
    vars(model).pop("_open", None)
    if later:
        model._open = True


def learning_stages(
    model: Any,
    classes: Any,
    target: npt.NDArray[Any],
    times: Any,
    *,
    split: bool = True,
) -> tuple[list[Stage], bool]:
    """Return the rows of a call of partial_fit in stages; whether classes may appear.

    ``classes`` are those that were given to the call, if any. If none may appear, all
    rows are one stage.
    """
    known = getattr(model, "classes_", None)
    if may_appear(model, classes):
        return stages(known, target, times, split=split), True
    given = two_or_more("classes", known_classes(known, classes))
    own = given if known is None else known
    return [Stage(own, label_codes(target, own, times), 0, len(target))], False


def stream_examples(
    model: Any, X: Any, y: Any, sample_weight: Any, *, packed: bool = False
) -> Examples:
    """Return examples of a stream: rows as floats, with weights that may be 0.

    Packed bits are refused unless the model takes them.
    """
    if isinstance(X, Bits) and packed:
        table, target = X, _labels_of(X, y)
        check_labels(target)
    else:
        table, target = rows_and_labels(model, X, y)
    if sample_weight is None:
        return Examples(table, target, None)
    weights = whole_weights(sample_weight, table, MOST_PRESENTATIONS)
    return Examples(table, target, weights)


def _labels_of(bits: Bits, y: Any) -> Any:
    """Return the labels of packed bits; raise an error unless there is one a row."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    check_unmasked("y", y)
    target = column_or_1d(y, warn=True)
    check_consistent_length(bits, target)
    if not all(bits.shape):
        raise ValueError(f"X must have a row and a column or more, got {bits!r}")
    return target


def checked_examples(model: Any, X: Any, y: Any, sample_weight: Any) -> Examples:
    """Return finite examples with one label each, without those of weight 0."""
    if isinstance(X, Bits):
        table, target = X, _labels_of(X, y)
    else:
        check_rows(X)
        check_unmasked("y", y)
        with np.errstate(invalid="ignore"):  # the sum of inf and -inf
            table, target = check_X_y(X, y, accept_sparse="csr", estimator=model)
    check_labels(target)
    if sample_weight is None:
        return Examples(table, target, None)
    weights = whole_weights(sample_weight, table)
    used = np.flatnonzero(weights)
    if not used.size:  # newer versions of scikit-learn say so
        raise ValueError("sample_weight must not be 0 everywhere")
    return Examples(table[used], target[used], weights[used])


def _rows(X: Any) -> int | None:
    """Return the number of rows; None if the shape is unknown."""
    shape = (len(X),) if isinstance(X, list | tuple) else getattr(X, "shape", ())
    return shape[0] if shape else None


def checked_batches(model: Any, batches: Batches) -> Iterator[tuple[Any, Examples]]:
    """Yield each batch as given, with its checked examples.

    All must have the same columns, with the same names if they have any. These are the
    model's columns, or those of the first batch for a new model. Batches without a row
    are ignored, whatever their columns.
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
        examples = checked_examples(model, X, y, weights)
        known, columns = columns, columns or examples.table.shape[1]
        if examples.table.shape[1] != columns:
            raise ValueError(
                f"batches must have {columns} columns, "
                f"got {examples.table.shape[1]} in batch {i}"
            )
        validate_data(model, X, reset=known is None, skip_check_array=True)
        yield X, examples
