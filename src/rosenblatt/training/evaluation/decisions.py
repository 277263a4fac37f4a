"""Decisions from probabilities: by a threshold, or by the costs of mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "check_decisions",
    "check_probabilities",
    "class_costs",
    "decide",
    "decision_factors",
]


def check_decisions(threshold: float | None, costs: Sequence[str]) -> None:
    """Raise ValueError if a threshold or costs are wrong, or both are given."""
    if threshold is not None and costs:
        raise ValueError("give threshold or costs, not both")
    if threshold is not None and not 0.0 < threshold < 1.0:
        raise ValueError(f"threshold must be between 0 and 1, got {threshold}")
    for text in costs:
        try:
            valid = float(text.rpartition("=")[2]) > 0 and "=" in text
        except ValueError:
            valid = False
        if not valid:
            raise ValueError(
                f"costs must be LABEL=NUMBER with 0 < NUMBER, got {text!r}"
            )


def check_probabilities(model: Any, name: str) -> None:
    """Raise ValueError if a model does not give the probabilities to decide by."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"threshold and costs need probabilities, and model {name} gives none; "
            "take bayes"
        )


def class_costs(
    costs: Sequence[str], classes: Sequence[Any]
) -> npt.NDArray[np.float64] | None:
    """Return the cost of a mistake on a row of each class; None if none is given.

    Examples
    --------
    >>> class_costs(["yes=5"], ["no", "yes"])
    array([1., 5.])
    """
    if not costs:
        return None
    names = [str(label) for label in classes]
    found = np.ones(len(names))
    for text in costs:
        label, _, cost = text.rpartition("=")
        if label not in names:
            raise ValueError(
                f"costs must be of the labels {', '.join(names)}, got {label!r}"
            )
        found[names.index(label)] = float(cost)
    return found


def decision_factors(
    threshold: float | None, costs: Sequence[str], classes: Sequence[Any]
) -> npt.NDArray[np.float64] | None:
    """Return factors of the probabilities of classes; the largest product wins."""
    if threshold is None:
        return class_costs(costs, classes)
    if len(classes) != 2:
        raise ValueError(f"threshold must be for two classes, got {len(classes)}")
    return np.array([threshold, 1.0 - threshold])


def decide(
    probabilities: npt.NDArray[np.float64], factors: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.int64]:
    """Return the class of each row by its probabilities; ties go to the first.

    Examples
    --------
    >>> probabilities = np.array([[0.8, 0.2], [0.95, 0.05]])
    >>> decide(probabilities, None), decide(probabilities, np.array([1.0, 5.0]))
    (array([0, 0]), array([1, 0]))
    """
    weighed = probabilities if factors is None else probabilities * factors
    return np.asarray(weighed.argmax(axis=1), np.int64)
