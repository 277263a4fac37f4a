"""Merging of two models: the checks, and the beliefs of BayesPerceptron."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.merging import merge_experts
from rosenblatt.estimators.bases.parameters import checked_parameters
from rosenblatt.estimators.inputs.labels import counts_among
from rosenblatt.estimators.inputs.new_classes import joined_classes
from rosenblatt.estimators.priors import Settings, with_classes

__all__ = ["check_mergeable", "merge_beliefs", "same_parameters"]


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
    mine, its = (vars(one).get("encoder_") for one in (model, other))
    if mine is not None and its is not None and not mine.same_features(its):
        raise ValueError(
            "other must have the same encoder_ of its tables; fit one TableEncoder and "
            "let both models learn what it returns"
        )
    for name in ("n_features_in_", "feature_names_in_", *names):
        if not (hasattr(model, name) and hasattr(other, name)):
            continue
        mine, its = (np.asarray(getattr(m, name)) for m in (model, other))
        if not np.array_equal(mine, its):
            raise ValueError(
                f"other must have the same {name}, {mine.tolist()}, got {its.tolist()}"
            )


def _priors(experts: Experts) -> list[tuple[float, float | None]]:
    """Return prior variance and half-life of each filter."""
    return [(filter.prior, filter.half_life) for filter in experts.filters]


def merge_beliefs(model: Any, other: Any, settings: Settings) -> None:
    """Add to a BayesPerceptron with these settings what another one has learned.

    Their classes may differ only if neither model was given its classes.
    """
    both = "_open" in vars(model) and "_open" in vars(other)
    check_mergeable(model, other, names=() if both else ("classes_",))
    if model._experts.first.sparse != other._experts.first.sparse:
        raise ValueError("other must be sparse if this model is, and only then")
    mine, its = (_priors(one._experts) for one in (model, other))
    if mine != its:
        raise ValueError(
            "other must have the same priors and half-lives of filters, "
            f"{mine}, got {its}: one model is from an earlier version"
        )
    classes = model.classes_
    if not np.array_equal(classes, other.classes_):
        classes = joined_classes(classes, other.classes_)
    experts, counts = [], []
    for one in (model, other):
        known = one.classes_
        experts.append(with_classes(one._experts, settings, known, classes))
        counts.append(counts_among(one._counts, known, classes))
    model._experts = merge_experts(*experts)
    model.classes_, model._counts = classes, counts[0] + counts[1]
