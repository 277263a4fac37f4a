"""Weights of examples and of classes, as one number for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.class_weight import check_class_weight, class_factors
from rosenblatt.estimators.rows import checked_weights

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
        own = checked_weights(sample_weight, data, ensure_non_negative=True)
    check_class_weight(class_weight, classes)
    if class_weight is None:
        return own
    if class_weight == "balanced" and not whole:
        raise ValueError(
            "class_weight='balanced' needs all rows at once and is not for "
            "partial_fit; pass a dictionary from classes to weights"
        )
    there = np.bincount(codes, weights=own, minlength=len(classes))
    weights = class_factors(class_weight, classes, there)[codes]
    return weights if own is None else weights * own
