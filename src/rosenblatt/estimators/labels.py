"""Labels as numbers of classes, for classifiers that learn from a stream."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets

from rosenblatt.core.jit import IntArray

__all__ = [
    "check_labels",
    "classes_of",
    "coded",
    "known_classes",
    "own_codes",
    "several",
]

_FEW = 2**12  # labels that are counted one by one


def check_labels(target: npt.NDArray[Any]) -> None:
    """Raise the error of scikit-learn if these are not labels of classes.

    It sorts or hashes them all, and accepts any whole numbers.
    """
    if target.dtype.kind not in "biu":
        check_classification_targets(target)


def classes_of(target: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the labels that there are, sorted.

    ``np.unique`` takes longer than learning short rows does. The smallest and the
    largest of whole numbers are found fast; mostly there are few in between.

    Examples
    --------
    >>> classes_of(np.array([3, 1, 1])), classes_of(np.array(["b", "a"]))
    (array([1, 3]), array(['a', 'b'], dtype='<U1'))
    """
    if target.dtype.kind in "iu" and target.size:
        low, high = target.min(), target.max()
        between = int(high) - int(low)
        if between <= 1:
            return np.array([low, high] if between else [low])
        if between < _FEW:
            found = np.flatnonzero(np.bincount(_above(target, low)))
            return np.asarray(found + low.astype(np.int64), dtype=target.dtype)
    return np.unique(target)


def _above(target: npt.NDArray[Any], low: Any) -> IntArray:
    """Return by how much whole numbers are above the smallest.

    Differences need more room than the numbers, and are right even if those overflow.
    """
    wide: IntArray = target.astype(np.int64, copy=False)
    return wide - low.astype(np.int64) if low else wide


def coded(target: npt.NDArray[Any], classes: npt.NDArray[Any]) -> IntArray:
    """Return the number of each label among the classes.

    Examples
    --------
    >>> coded(np.array(["b", "a"]), np.array(["a", "b"]))
    array([1, 0])
    """
    if _consecutive(classes) and target.dtype == classes.dtype and target.size:
        low = classes[0]
        if low <= target.min() and target.max() <= classes[-1]:
            return _above(target, low)
    if len(classes) == 2 and classes.dtype == target.dtype:
        codes = target == classes[1]
        if (codes | (target == classes[0])).all():
            return np.asarray(codes, dtype=np.int64)
    codes = np.searchsorted(classes, target)
    codes = np.minimum(codes, len(classes) - 1)
    for label in target[classes[codes] != target][:1].tolist():
        raise ValueError(f"y must be among classes {classes.tolist()}, got {label!r}")
    return codes.astype(np.int64, copy=False)


def own_codes(target: npt.NDArray[Any], classes: npt.NDArray[Any]) -> IntArray:
    """Return the number of each label among the classes that were found in them.

    Labels that are such numbers already need no second look.
    """
    if target.dtype == np.int64 and _consecutive(classes) and classes[0] == 0:
        return target
    return coded(target, classes)


def _consecutive(classes: npt.NDArray[Any]) -> bool:
    """Return whether labels are whole numbers without a gap."""
    whole = classes.dtype.kind in "iu"
    return whole and int(classes[-1]) - int(classes[0]) == len(classes) - 1


def known_classes(
    known: npt.NDArray[Any] | None, given: npt.ArrayLike | None
) -> npt.NDArray[Any]:
    """Return the classes of a call to partial_fit; later ones may leave them out."""
    if given is None:
        if known is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        return known
    classes = np.unique(np.asarray(given))
    if known is not None and not np.array_equal(classes, known):
        raise ValueError(
            f"classes must be those of the first call, {known.tolist()}, "
            f"got {classes.tolist()}"
        )
    return classes


def several(name: str, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the classes if there is something to tell apart."""
    if len(classes) < 2:
        raise ValueError(
            f"{name} must have more than one class, got {classes.tolist()}"
        )
    return classes
