"""Labels as numbers of classes, for classifiers that learn from a stream."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.jit import IntArray

__all__ = ["coded", "known_classes"]


def coded(target: npt.NDArray[Any], classes: npt.NDArray[Any]) -> IntArray:
    """Return the number of each label among the classes.

    Examples
    --------
    >>> coded(np.array(["b", "a"]), np.array(["a", "b"]))
    array([1, 0])
    """
    if len(classes) == 2 and classes.dtype == target.dtype:
        codes = target == classes[1]
        if (codes | (target == classes[0])).all():
            return np.asarray(codes, dtype=np.int64)
    codes = np.searchsorted(classes, target)
    codes = np.minimum(codes, len(classes) - 1)
    for label in target[classes[codes] != target][:1].tolist():
        raise ValueError(f"y must be among classes {classes.tolist()}, got {label!r}")
    return codes.astype(np.int64, copy=False)


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
