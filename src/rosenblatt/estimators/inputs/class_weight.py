"""Weights of classes, as in scikit-learn's ``class_weight``.

Learners that keep how many examples of each class there were can weigh classes when
they conclude or predict, rather than row by row. Then ``"balanced"`` is about all
examples so far, and data in one piece or in many give the same model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import number, shown
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.inputs.rows import checked_weights

__all__ = [
    "ClassWeight",
    "check_class_weight",
    "checked_class_weight",
    "class_factors",
    "integer_factors",
    "reweighted",
    "row_weights",
]

ClassWeight = Mapping[Any, float] | str | None


def checked_class_weight(name: str, value: Any) -> ClassWeight:
    """Return weights of classes, whatever the classes are.

    Examples
    --------
    >>> checked_class_weight("class_weight", {"a": -1})
    Traceback (most recent call last):
    ValueError: class_weight['a'] must be a number not below 0, got -1
    """
    if value is None or (isinstance(value, str) and value == "balanced"):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{name} must be a dictionary, 'balanced' or None, got {shown(value)}"
        )
    for label, weight in value.items():
        number(f"{name}[{label!r}]", weight, low=0.0)
    return value


def check_class_weight(
    class_weight: Any, classes: npt.NDArray[Any], *, later: bool = False
) -> None:
    """Raise ValueError unless this is a class_weight for these classes.

    As in scikit-learn, classes that are not named have weight 1. Names of other labels
    are allowed only if all classes are named too, or if classes may appear ``later``.
    """
    checked_class_weight("class_weight", class_weight)
    if not isinstance(class_weight, Mapping):
        return
    known = classes.tolist()
    unknown = [label for label in class_weight if label not in known]
    if unknown and not later and any(label not in class_weight for label in known):
        raise ValueError(
            f"class_weight must have labels among classes {known}, got {unknown[0]!r}"
        )
    if not later and not any(class_weight.get(label, 1.0) for label in known):
        raise ValueError("class_weight must not be 0 for all classes")


def class_factors(
    class_weight: ClassWeight,
    classes: npt.NDArray[Any],
    counts: IntArray | FloatArray,
) -> FloatArray:
    """Return the weight of each class.

    Parameters
    ----------
    class_weight
        A weight for each label, 1 for those left out; ``"balanced"``: all classes that
        there are weigh the same; None: all examples do.
    classes
        The labels.
    counts
        The number of examples of each, in the last dimension.

    Examples
    --------
    >>> class_factors("balanced", np.array(["a", "b"]), np.array([6, 2]))
    array([0.66666667, 2.        ])
    >>> class_factors({"b": 5}, np.array(["a", "b"]), np.array([6, 2]))
    array([1., 5.])
    """
    if class_weight is None:
        return np.ones(len(classes))
    if not isinstance(class_weight, str):
        return np.array([float(class_weight.get(c, 1.0)) for c in classes.tolist()])
    there = counts > 0
    total = counts.sum(axis=-1, keepdims=True)
    each = np.count_nonzero(there, axis=-1, keepdims=True) * counts
    return np.asarray(np.divide(total, each, out=np.ones(counts.shape), where=there))


def integer_factors(
    class_weight: ClassWeight, classes: npt.NDArray[Any], counts: IntArray
) -> list[int]:
    """Return the weights of classes as exact integers, up to a common factor.

    A weight is the decimal number that it is written as.

    Examples
    --------
    >>> integer_factors("balanced", np.array(["a", "b"]), np.array([6, 2]))
    [1, 3]
    >>> integer_factors({"b": 0.1}, np.array(["a", "b"]), np.array([6, 2]))
    [10, 1]
    """
    if class_weight is None:
        return [1] * len(classes)
    if isinstance(class_weight, str):
        exact = [Fraction(1, max(n, 1)) for n in counts.tolist()]
    else:
        weights = class_factors(class_weight, classes, counts).tolist()
        exact = [Fraction(repr(weight)) for weight in weights]
    common = math.lcm(*(f.denominator for f in exact))
    found = [int(f * common) for f in exact]
    divisor = math.gcd(*found)
    return [one // divisor for one in found]


def reweighted(probabilities: FloatArray, factors: FloatArray) -> FloatArray:
    """Multiply probabilities of classes by factors, and normalise them.

    Examples
    --------
    >>> reweighted(np.array([[0.8, 0.2]]), np.array([1.0, 4.0]))
    array([[0.5, 0.5]])
    """
    products = probabilities * factors
    total = products.sum(axis=-1, keepdims=True)
    # rows of zeros, of which nothing is predicted, stay
    return np.asarray(np.divide(products, total, out=products, where=total != 0))


def row_weights(
    class_weight: Any,
    sample_weight: Any,
    data: Any,
    codes: IntArray,
    classes: npt.NDArray[Any],
    *,
    whole: bool = True,
    later: bool = False,
) -> FloatArray | None:
    """Return the weight of each row, class weight times own weight; None if all 1.

    Parameters
    ----------
    class_weight
        None, a dictionary from labels to weights (1 for those that are not in it), or
        ``"balanced"``. Balanced weights are inversely proportional to the total row
        weight of a class, and 1 on average.
    sample_weight
        None or a number not below 0 for each row.
    data
        The rows.
    codes
        The number of each row's class.
    classes
        The labels of all classes.
    whole
        True if these are all rows. If not, the frequencies of classes are unknown, and
        ``"balanced"`` is refused.
    later
        Whether classes may appear later, which a dictionary may name already.

    Examples
    --------
    >>> rows, codes, classes = np.zeros((4, 1)), np.array([0, 1, 1, 1]), np.arange(2)
    >>> row_weights({0: 3}, None, rows, codes, classes)
    array([3., 1., 1., 1.])
    >>> row_weights("balanced", [1, 1, 0, 0], rows, codes, classes)
    array([1., 1., 0., 0.])
    """
    own = None
    if sample_weight is not None:
        own = checked_weights(sample_weight, data, ensure_non_negative=True)
    check_class_weight(class_weight, classes, later=later)
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
