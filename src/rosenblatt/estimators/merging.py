"""Merging of two learners, and the check that they can be merged."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.rows.binary import DOUBT, INTERCEPT, BinaryLearner

__all__ = ["check_mergeable", "merged"]

_LEAST = 0.1  # precision of an intercept, in those of its prior


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
    if type(other) is not type(model) or other.get_params() != model.get_params():
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


def merged(a: BinaryLearner, b: BinaryLearner) -> BinaryLearner:
    """Return the sum of what both have learned, the prior counted once.

    Natural parameters add up: ``artanh`` of the mean of a binary weight, precision and
    precision times mean of the Gaussian intercept. So do the moments of the features.
    """
    state = a.state + b.state
    mean = np.tanh(state)
    e = np.exp(-2.0 * np.minimum(np.abs(state), 350.0))
    count_a, count_b = float(a.examples), float(b.examples)
    total = max(count_a + count_b, 1.0)
    apart = b.center - a.center
    between = apart * np.sqrt(count_a * (count_b / total))
    numbers = a.numbers + b.numbers
    if (a.numbers[:, DOUBT] > 0.0).all():  # there are intercepts, whose variance is so
        sure = [1.0 / part.numbers[:, DOUBT] for part in (a, b)]
        pulls = [
            s * part.numbers[:, INTERCEPT] for s, part in zip(sure, (a, b), strict=True)
        ]
        precision = np.maximum(sum(sure) - 1.0, _LEAST)
        numbers[:, INTERCEPT] = sum(pulls) / precision
        numbers[:, DOUBT] = 1.0 / precision
    return BinaryLearner(
        state,
        mean,
        4.0 * e / (1.0 + e) ** 2,
        a.center + apart * (count_b / total),
        np.hypot(np.hypot(a.spread, b.spread), between),
        numbers,
    )
