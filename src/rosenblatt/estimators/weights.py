"""Weights of examples and of classes, as one number for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray

__all__ = ["combined"]


def combined(
    class_weight: Any,
    sample_weight: Any,
    data: Any,
    codes: IntArray,
    classes: npt.NDArray[Any],
    *,
    whole: bool = True,
) -> FloatArray | None:
    """Return the weight of each row: that of its class times its own; None if all 1.

    Parameters
    ----------
    class_weight
        None, a dictionary from labels to weights (1 for those that are not in it), or
        ``"balanced"``: in inverse proportion to how often a class comes (rows count
        by their own weights), and 1 on average.
    sample_weight
        None or a number not below 0 for each row.
    data
        The rows.
    codes
        The number of each row's class.
    classes
        The labels of all classes.
    whole
        Whether these are all rows that there will be; if not, nobody knows yet how
        often a class comes, and ``"balanced"`` is refused.

    Examples
    --------
    >>> rows, codes, classes = np.zeros((4, 1)), np.array([0, 1, 1, 1]), np.arange(2)
    >>> combined({0: 3}, None, rows, codes, classes)
    array([3., 1., 1., 1.])
    >>> combined("balanced", [1, 1, 0, 0], rows, codes, classes)
    array([1., 1., 0., 0.])
    """
    own = None
    if sample_weight is not None:
        own = _check_sample_weight(
            sample_weight, data, dtype=np.float64, ensure_non_negative=True
        )
    if class_weight is None:
        return own
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise ValueError(
            f"class_weight must be a dictionary or 'balanced', got {class_weight!r}"
        )
    if isinstance(class_weight, str) and not whole:
        raise ValueError(
            "class_weight='balanced' needs all rows at once and is not for "
            "partial_fit; pass a dictionary from classes to weights"
        )
    if isinstance(class_weight, str):
        there = np.bincount(codes, weights=own, minlength=len(classes))
        used = there > 0
        factors = np.zeros(len(classes))
        factors[used] = there.sum() / (np.count_nonzero(used) * there[used])
    else:
        factors = compute_class_weight(class_weight, classes=classes, y=classes)
    weights: FloatArray = np.asarray(factors, dtype=np.float64)[codes]
    return weights if own is None else weights * own
