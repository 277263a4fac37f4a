"""Decisions between classes, from scores or from probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray

__all__ = ["best_classes", "log_odds"]


def best_classes(
    scores: npt.NDArray[Any], classes: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return the class of the largest score of each row; ties go to the first.

    One score a row decides between two classes: the second if it is above 0.

    Examples
    --------
    >>> best_classes(np.array([0.0, 0.1]), np.array(["no", "yes"]))
    array(['no', 'yes'], dtype='<U3')
    """
    best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
    chosen: npt.NDArray[Any] = classes[best.astype(np.intp)]
    return chosen


def log_odds(probabilities: FloatArray, least: float) -> FloatArray:
    """Return the log-odds of each class against the rest; of two, of the second.

    Parameters
    ----------
    probabilities
        The probability of each class, in the columns.
    least
        The smallest probability; smaller ones are taken for it.

    Examples
    --------
    >>> log_odds(np.array([[0.5, 0.5], [0.0, 1.0]]), least=1e-3).round(2)
    array([0.  , 6.91])
    """
    p = np.maximum(probabilities, least)
    if p.shape[1] == 2:
        return np.asarray(np.log(p[:, 1]) - np.log(p[:, 0]))
    # the rest by its sum: 1 - p would be rounding where a class is certain
    return np.log(p) - np.log(p @ (1.0 - np.eye(p.shape[1])))
