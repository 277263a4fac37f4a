"""Labels, their classes, and their codes: the index of the class of each label."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets

from rosenblatt.core.types import IntArray
from rosenblatt.estimators.inputs.rows import check_unmasked

__all__ = [
    "check_labels",
    "class_counts",
    "classes_in",
    "classes_used",
    "codes_by_label",
    "counts_among",
    "known_classes",
    "label_codes",
    "own_label_codes",
    "running_class_counts",
    "two_or_more",
    "unique_labels",
]

_FEW = 2**12  # labels that are counted one by one


def check_labels(target: npt.NDArray[Any]) -> None:
    """Raise scikit-learn's error unless these are labels of classes.

    It sorts or hashes them all, and accepts any whole numbers.
    """
    if target.dtype.kind == "O":
        unique_labels("y", target)
    if target.dtype.kind not in "biu":
        check_classification_targets(target)


def classes_in(target: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct labels, sorted.

    ``np.unique`` takes longer than learning short rows does. The smallest and the
    largest of whole numbers are found fast; mostly there are few in between.

    Examples
    --------
    >>> classes_in(np.array([3, 1, 1])), classes_in(np.array(["b", "a"]))
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
    return unique_labels("y", target)


def unique_labels(name: str, given: Any) -> npt.NDArray[Any]:
    """Return the distinct labels, sorted; raise TypeError if they cannot be.

    Examples
    --------
    >>> unique_labels("y", np.array([1, "a"], dtype=object))
    Traceback (most recent call last):
    TypeError: y must have labels that can be compared with each other, got 1 and 'a'
    """
    check_unmasked(name, given)
    labels = np.asarray(given)
    try:
        return np.unique(labels)
    except TypeError:
        few = [*dict.fromkeys(map(repr, labels.ravel().tolist()))][:2]
        raise TypeError(
            f"{name} must have labels that can be compared with each other, "
            f"got {' and '.join(few)}"
        ) from None


def codes_by_label(classes: npt.NDArray[Any]) -> dict[Any, IntArray]:
    """Return the code of each label, as an array of one entry for kernels.

    Examples
    --------
    >>> codes_by_label(np.array(["no", "yes"]))
    {'no': array([0]), 'yes': array([1])}
    """
    return {label: np.array([i]) for i, label in enumerate(classes.tolist())}


def _above(target: npt.NDArray[Any], low: Any) -> IntArray:
    """Return the differences between integers and the smallest.

    Differences need more room than the numbers, and are right even if those overflow.
    """
    wide: IntArray = target.astype(np.int64, copy=False)
    return wide - low.astype(np.int64) if low else wide


def label_codes(
    target: npt.NDArray[Any],
    classes: npt.NDArray[Any],
    times: IntArray | None = None,
) -> IntArray:
    """Return the index of each label among the classes.

    Labels of rows that come no times may be anything; their number is 0.

    Examples
    --------
    >>> label_codes(np.array(["b", "a"]), np.array(["a", "b"]))
    array([1, 0])
    >>> label_codes(np.array(["b", "c"]), np.array(["a", "b"]), np.array([1, 0]))
    array([1, 0])
    """
    if times is not None and not times.all():
        used = np.flatnonzero(times)
        codes = np.zeros(len(target), np.int64)
        codes[used] = label_codes(target[used], classes)
        return codes
    if _consecutive(classes) and target.dtype == classes.dtype and target.size:
        low = classes[0]
        if low <= target.min() and target.max() <= classes[-1]:
            return _above(target, low)
    if len(classes) == 2 and classes.dtype == target.dtype:
        codes = target == classes[1]
        if (codes | (target == classes[0])).all():
            return np.asarray(codes, dtype=np.int64)
    try:
        codes = np.searchsorted(classes, target)
    except TypeError:
        raise TypeError(
            f"y must have labels like those of classes {classes.tolist()}, "
            f"got {target[:1].tolist()[0]!r}"
        ) from None
    codes = np.minimum(codes, len(classes) - 1)
    for label in target[classes[codes] != target][:1].tolist():
        raise ValueError(f"y must be among classes {classes.tolist()}, got {label!r}")
    return codes.astype(np.int64, copy=False)


def own_label_codes(target: npt.NDArray[Any], classes: npt.NDArray[Any]) -> IntArray:
    """Return the index of each label among the classes found in these labels.

    Labels that are such numbers already need no second look.
    """
    if target.dtype == np.int64 and _consecutive(classes) and classes[0] == 0:
        return target
    return label_codes(target, classes)


def _consecutive(classes: npt.NDArray[Any]) -> bool:
    """Return whether labels are consecutive integers."""
    whole = classes.dtype.kind in "iu"
    return whole and int(classes[-1]) - int(classes[0]) == len(classes) - 1


def class_counts(codes: IntArray, classes: int, times: IntArray | None) -> IntArray:
    """Return the number of examples of each class, with repetitions.

    Examples
    --------
    >>> class_counts(np.array([1, 0, 1]), 3, None)
    array([1, 2, 0])
    >>> class_counts(np.array([1, 0]), 2, [5, 0])
    array([0, 5])
    """
    if times is None:
        return np.bincount(codes, minlength=classes)
    found = np.zeros(classes, np.int64)
    np.add.at(found, codes, times)  # in whole numbers, unlike those of bincount
    return found


def counts_among(
    counts: IntArray | None, known: npt.NDArray[Any] | None, classes: npt.NDArray[Any]
) -> IntArray:
    """Return the examples of each class so far, 0 for classes that were not known.

    Examples
    --------
    >>> counts_among(np.array([5, 7]), np.array(["a", "c"]), np.array(["a", "b", "c"]))
    array([5, 0, 7])
    """
    found = np.zeros(len(classes), np.int64)
    if known is not None and counts is not None:
        found[label_codes(known, classes)] = counts
    return found


def running_class_counts(
    codes: IntArray, classes: int, times: IntArray | None
) -> IntArray:
    """Return the number of examples of each class before each row.

    Examples
    --------
    >>> running_class_counts(np.array([1, 0, 1]), 2, None).tolist()
    [[0, 0], [0, 1], [1, 1]]
    """
    found = np.zeros((len(codes) + 1, classes), np.int64)
    found[np.arange(1, len(codes) + 1), codes] = 1 if times is None else times
    return found.cumsum(axis=0)[:-1]


def known_classes(
    known: npt.NDArray[Any] | None, given: npt.ArrayLike | None
) -> npt.NDArray[Any]:
    """Return the classes of a call of partial_fit; later calls may leave them out."""
    if given is None:
        if known is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        return known
    classes = unique_labels("classes", given)
    if known is not None and not np.array_equal(classes, known):
        raise ValueError(
            f"classes must be those of the first call, {known.tolist()}, "
            f"got {classes.tolist()}"
        )
    return classes


def classes_used(target: npt.NDArray[Any], times: IntArray | None) -> npt.NDArray[Any]:
    """Return the two or more classes of rows, without those that come no times."""
    used = target if times is None else target[times > 0]
    return two_or_more("y", classes_in(used))


def two_or_more(name: str, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the classes; raise ValueError if there are fewer than two."""
    if len(classes) < 2:
        raise ValueError(
            f"{name} must have more than one class, got {classes.tolist()}"
        )
    return classes
