"""The check that two models can be merged."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rosenblatt.estimators.bases.parameters import checked_parameters
from rosenblatt.estimators.inputs.new_classes import joined_classes

__all__ = ["check_mergeable", "merged_classes", "same_parameters"]


def same_parameters(model: Any, other: Any) -> bool:
    """Return whether another model is of the same class, with the same parameters.

    Examples
    --------
    >>> from rosenblatt import ClippedHebb
    >>> same_parameters(ClippedHebb(), ClippedHebb(binarise=0.5))
    False
    """
    if type(other) is not type(model):
        return False
    mine, its = (checked_parameters(one) for one in (model, other))
    return mine == its


def check_mergeable(model: Any, other: Any, *, names: tuple[str, ...] = ()) -> None:
    """Raise an error unless another model has the same parameters and columns.

    Parameters
    ----------
    model, other
        The models; one of two may have learned from columns without names.
    names
        Other attributes that must be the same.
    """
    check_is_fitted(model)
    if not same_parameters(model, other):
        raise ValueError(f"other must be a model like {model!r}, got {other!r}")
    check_is_fitted(other)
    for name in ("n_features_in_", "feature_names_in_", *names):
        if not (hasattr(model, name) and hasattr(other, name)):
            continue
        mine, its = (np.asarray(getattr(m, name)) for m in (model, other))
        if not np.array_equal(mine, its):
            raise ValueError(
                f"other must have the same {name}, {mine.tolist()}, got {its.tolist()}"
            )


def merged_classes(model: Any, other: Any) -> npt.NDArray[Any]:
    """Return the classes of two models that can be merged.

    They may differ only if neither model was told its classes.
    """
    both = "_open" in vars(model) and "_open" in vars(other)
    check_mergeable(model, other, names=() if both else ("classes_",))
    classes: npt.NDArray[Any] = model.classes_
    if np.array_equal(classes, other.classes_):
        return classes
    return joined_classes(classes, other.classes_)
